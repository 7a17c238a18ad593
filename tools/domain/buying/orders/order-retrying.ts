import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { isRefused, isToBeSent } from '../answers/taken-orders.ts';
import { asOne } from '../choice/choice-problems.ts';
import { unpricedAgain } from '../choice/fees.ts';
import { requireOpenFlight } from '../choice/flight.ts';
import { orderIn } from '../payloads.ts';
import { takenMinor } from '../spend/taking.ts';
import { isKept } from './kept-orders.ts';
import { isSentAnew } from './order-accounts.ts';
import type { Loaded } from './order-loading.ts';
import { type NewBuy, ordersFor, sameLines } from './order-making.ts';
import { boughtBefore, type Remarks, refusalAgain, refusalOf, remarksFor } from './order-refusals.ts';
import type { Outgoing } from './order-storing.ts';

/** What a further execute orders, or its refusal: made of what was loaded, and of nothing else. */

/** The orders of an execute, decided on. */
export interface Decided extends Outgoing {
  readonly warnings: Remarks;
}

/**
 * What failed is sent again, as it was, or as the choice is now: a buy that was refused can be given other products,
 * and another seller can be chosen in its place. What lives is left as it is.
 */
export function decideAnew(ctx: Context, loaded: Loaded): Decided {
  const { campaign, terms, chosen, buys, openChanges, fees } = loaded;
  if (chosen.length === 0) return decideAsItWas(ctx, loaded);
  // Of sellers that hold nothing of the campaign.
  const free = chosen.filter(({ agent_id }) => !buys.some((buy) => buy.agent_id === agent_id && isKept(buy)));
  const committed = takenMinor({ buys: buys.filter(isKept), open: openChanges });
  const refused = refusalOf(loaded, { selections: free, committed });
  const all = ordersFor(ctx, terms, { ...loaded, selections: free, committed, before: buys });
  const orders = all.filter((order) => !isAsBefore(campaign, buys, order));
  const again = buys.filter((buy) => isToBeSent(buy) && !isReplaced(buy, orders) && isWanted(buy, all));
  // It needs days to run; one that a seller may hold is asked about whenever.
  if (orders.length > 0 || buys.some(isSentAnew)) requireOpenFlight(campaign, ctx.now);
  if (refused !== undefined && (orders.length > 0 || again.some(isSentAnew))) throw refused;
  const selections = free.filter(({ agent_id }) => orders.some((order) => order.agent_id === agent_id));
  throwFirst(asOne(boughtBefore(ctx, loaded, selections)), unpricedAgain(again, fees));
  return {
    orders,
    before: buys.filter((buy) => !isKept(buy) && (isReplaced(buy, orders) || isDropped(buy, all))),
    again,
    warnings: remarksFor(loaded, orders.length === 0 ? undefined : { selections: free, committed }),
  };
}

/** Without a choice to go by, what never arrived is sent again. */
function decideAsItWas({ now }: Context, loaded: Loaded): Decided {
  const { campaign, buys, fees } = loaded;
  if (buys.some(isSentAnew)) requireOpenFlight(campaign, now);
  const again = buys.filter(isToBeSent);
  throwFirst(refusalAgain(loaded, again.filter(isSentAnew)), unpricedAgain(again, fees));
  return { orders: [], before: [], again, warnings: () => [] };
}

/** Orders of which nobody knows, and nothing else. */
export function askedAgain(buys: readonly MediaBuyRow[]): Decided {
  return { orders: [], before: [], again: buys.filter(isUnknown), warnings: () => [] };
}

function throwFirst(...refused: readonly (Error | undefined)[]): void {
  for (const one of refused) if (one !== undefined) throw one;
}

export function isUnknown({ submission }: MediaBuyRow): boolean {
  return submission === 'unknown';
}

/** Of an order that may have been taken nobody makes another one: the same is asked about again. */
function isWanted(buy: MediaBuyRow, orders: readonly NewBuy[]): boolean {
  return isUnknown(buy) || orders.some((order) => order.agent_id === buy.agent_id);
}

/** An order that was refused, of a seller that gets none any more. */
function isDropped(buy: MediaBuyRow, orders: readonly NewBuy[]): boolean {
  return isRefused(buy) && !isWanted(buy, orders);
}

function isReplaced(buy: MediaBuyRow, changed: readonly NewBuy[]): boolean {
  return !isUnknown(buy) && changed.some((order) => order.agent_id === buy.agent_id);
}

/** Whether its seller was sent the very same order before. Periods go by: their orders are made anew. */
function isAsBefore({ pacing_periods }: CampaignRow, buys: readonly MediaBuyRow[], order: NewBuy): boolean {
  const before = buys.find(({ agent_id }) => agent_id === order.agent_id);
  if (before === undefined || before.status === 'ARCHIVED') return false;
  if (isUnknown(before)) return true;
  return (
    (before.pacing_periods ?? pacing_periods) === null &&
    sameLines(before, order) &&
    ownTermsIn(before) === ownTermsIn(order)
  );
}

/** The frequency cap and the account that an order carries: its advertiser may have others by now. */
function ownTermsIn(buy: Pick<MediaBuyRow, 'order_payload'>): string {
  const { frequencyCap = null, accountId = null } = orderIn(buy).party;
  return JSON.stringify([frequencyCap, accountId]);
}
