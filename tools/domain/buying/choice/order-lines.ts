import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { fallingTo, type PeriodShare, periodsLeft, spreadOver } from '../../campaigns/pacing-periods.ts';

/** What a product is ordered by: one line, or one for each pacing period that is not over. */
export type OrderLine = Pick<PeriodShare, 'budgetMinor'> & Partial<PeriodShare>;

/** A campaign as it is to be ordered for. */
export interface Ordering {
  /** What media buys have of each of its periods, in minor units: what is ordered beside them gets the rest. */
  readonly periods_taken?: readonly number[] | undefined;
}

type Flight = Pick<CampaignRow, 'pacing_periods' | 'start_at' | 'end_at' | 'currency'> & Ordering;

export function linesOf(campaign: Flight, budgetMinor: number, now: string): readonly OrderLine[] {
  const { pacing_periods: pacing, start_at: startAt, end_at: endAt, currency } = campaign;
  if (pacing === null) return [{ budgetMinor }];
  const left = periodsLeft(fromJson(pacing), campaign.periods_taken, currency);
  const lines = spreadOver(left, { startAt, endAt, budgetMinor, currency, now });
  return lines.length === 0 ? [{ budgetMinor: 0 }] : lines;
}

/** The campaign as a buy with periods of its own goes by it: nobody else has anything of those. */
export function pacedBy<C extends Flight>(campaign: C, own: CampaignRow['pacing_periods']): C {
  return own === null ? campaign : { ...campaign, pacing_periods: own, periods_taken: undefined };
}

/**
 * The campaign once so much of it was ordered: what is ordered beside gets the rest of each period, so that parts that
 * are rounded one by one never come to more than its budget.
 */
function orderedBeside<C extends Flight>(campaign: C, budgetMinor: number, now: string): C {
  const { pacing_periods, periods_taken: taken, start_at: startAt, end_at: endAt, currency } = campaign;
  const pacing = pacing_periods === null ? undefined : fromJson(pacing_periods);
  if (pacing?.mode !== 'budget') return campaign;
  const spread = { startAt, endAt, budgetMinor, currency, now };
  const parts = fallingTo(periodsLeft(pacing, taken, currency), spread);
  return { ...campaign, periods_taken: parts.map((part, index) => part + (taken?.[index] ?? 0)) };
}

/** What is ordered, in the order of choosing: the seller and the budget of each. */
interface Placing {
  readonly sellers: readonly string[];
  /** In minor units. */
  readonly budgets: readonly number[];
  /** The periods of its own, by which a seller is ordered from in place of those of the campaign; without it, none. */
  readonly ownPeriods?: ((agentId: string) => CampaignRow['pacing_periods']) | undefined;
  readonly now: string;
}

/**
 * The campaign as each of these is ordered by it: seller by seller, one product after the other, each gets of a period
 * what those before it leave.
 */
export function placedBy<C extends Flight>(campaign: C, placing: Placing): C[] {
  const { sellers, budgets, ownPeriods = () => null, now } = placing;
  const placed = sellers.map(() => campaign);
  let left = campaign;
  const places = new Map([...new Set(sellers)].map((agentId, at) => [agentId, at]));
  const placeOf = (agentId: string) => places.get(agentId) ?? 0;
  const inTurn = [...sellers.entries()].sort(([, one], [, other]) => placeOf(one) - placeOf(other));
  for (const [index, agentId] of inTurn) {
    placed[index] = left;
    // Of periods of its own nobody else has anything.
    if (ownPeriods(agentId) === null) left = orderedBeside(left, budgets[index] ?? 0, now);
  }
  return placed;
}

/** When the last moment is at which a campaign spends: the end of its flight, or of its last period. */
export function lastMoment({
  pacing_periods: pacing,
  start_at: startAt,
  end_at: endAt,
  currency,
}: Flight): string {
  if (pacing === null) return endAt;
  const all = spreadOver(fromJson(pacing), {
    startAt,
    endAt,
    budgetMinor: 1_000_000,
    currency,
    now: startAt,
  });
  return (
    all
      .map(({ endTime }) => endTime)
      .sort()
      .at(-1) ?? endAt
  );
}
