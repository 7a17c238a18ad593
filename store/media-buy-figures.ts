/** What a media buy keeps of its delivery beside the sums. */

/** What a report counts beside impressions, spend and clicks. */
export interface DeliveredBeside {
  readonly views: number;
  readonly completed_views: number;
  readonly conversions: number;
  readonly leads: number;
  /** The days that the report is of, YYYY-MM-DD, both included. */
  readonly window?: { readonly start: string; readonly end: string };
  readonly packages: readonly {
    readonly package_id: string;
    readonly impressions: number;
    readonly spend_minor: number;
    readonly clicks: number;
  }[];
}

/** What a buy had spent at a moment, by what its seller told and by its pace: gross, in parts of minor units too. */
export interface SpentSoFar {
  readonly at: string;
  /** By package; under the empty name what is of the whole. */
  readonly parts: Readonly<Record<string, number>>;
  /** In all when the day of that moment began, which is one of UTC. */
  readonly dawn: number;
}

/** What a seller shows for all of a buy that it lists no packages of, in major units of whatever currency it names. */
export interface ShownTotal {
  readonly amount?: number | undefined;
  /** ISO 4217; undefined where it names none, which is then that of the buy. */
  readonly currency?: string | undefined;
  /** In words: what it shows as the amount, and can be none. */
  readonly unread?: string | undefined;
}
