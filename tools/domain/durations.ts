/** Lengths of time as sellers take them (AdCP, core/duration): whole units, and a campaign has but one of its flight. */

interface Duration {
  readonly interval: number;
  readonly unit: string;
}

/** A rule for `refine`. */
export const oneOfCampaign = [
  ({ interval, unit }: Duration) => unit !== 'campaign' || interval === 1,
  { message: 'Give 1 where unit is campaign: it is the whole flight.', path: ['interval'] },
] satisfies [unknown, unknown];
