import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { ChangeAction, MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { readMoney } from '../../money.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { isLive } from '../machines.ts';
import { updateIn } from '../payloads.ts';
import { countedMinor, type Raise } from './change-commitments.ts';

/** What the media buys of a campaign take of what it has. */

export type Limited = Pick<
  CampaignRow,
  'budget_minor' | 'currency' | 'start_at' | 'end_at' | 'pacing_periods' | 'daily_cap_minor'
>;

/** What was asked of a seller and may still come true. */
export interface AskedOf {
  readonly media_buy_id: string;
  /** What the buy counts for meanwhile: a raise counts already. */
  readonly committed_minor: number;
  readonly action: ChangeAction;
  readonly proposed: ProposedBuy;
  /** Packages that it gets beside those it has. */
  readonly newPackages?: readonly OrderPackage[] | undefined;
}

/** A campaign with its media buys. */
export interface Taking {
  readonly campaign: Limited;
  readonly buys: readonly MediaBuyRow[];
  readonly open: readonly AskedOf[];
}

export function askedOf(open: readonly MediaBuyChangeRow[]): AskedOf[] {
  return open.map((change) => ({
    media_buy_id: change.media_buy_id,
    committed_minor: change.committed_minor,
    action: change.action,
    proposed: fromJson(change.proposed),
    newPackages: updateIn(change).newPackages,
  }));
}

/**
 * What the media buys of a campaign take of its budget, in minor units and gross: of those that a seller has or is
 * being sent their budgets, a raise that waits for its seller among them, and of those that are over what was spent.
 * What is left is free, for further orders and for raises alike; what no seller has holds nothing.
 */
export function takenMinor({
  buys,
  open,
}: Pick<Taking, 'buys'> & { readonly open: readonly Raise[] }): number {
  return buys.reduce((sum, buy) => sum + countedMinor(buy, open), 0);
}

/** What is told of a campaign whose media buys take more than it has: what was called off goes on, and counts. */
export function beyondTotal(
  { budget_minor, currency }: Limited,
  { buys, taken }: Pick<Taking, 'buys'> & { readonly taken: number },
): string | undefined {
  if (taken <= budget_minor || !buys.some(isLive)) return undefined;
  const [all, total] = [taken, budget_minor].map((minor) => readMoney(minor, currency));
  return `The media buys take ${all}, and budget.total is ${total}: nothing more is ordered, raised or let go on until it is higher, or packages have less.`;
}
