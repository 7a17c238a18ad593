import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow, CampaignStatus } from '../../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listOpenChanges } from '../../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { requirePriced } from '../../ledger/pricing.ts';
import { isToBeSent } from '../answers/buy-status.ts';
import { withoutEnded } from '../answers/ended-at-seller.ts';
import {
  asChosen,
  type KnownSellers,
  orderRefusal,
  type Targeted,
  undeclaredFor,
} from '../changes/undeclared-targeting.ts';
import { ahead } from '../choice/allocation.ts';
import { asOne, problemsOf } from '../choice/choice-problems.ts';
import { type Remark, remarksOf } from '../choice/choice-warnings.ts';
import { closedSellers } from '../choice/closed-sellers.ts';
import { feesFor, unpriced } from '../choice/fees.ts';
import { requireOpenFlight } from '../choice/flight.ts';
import { orderIn } from '../payloads.ts';
import { takenMinor } from '../spend/taking.ts';
import { type Naming, stageOf } from '../ways-out.ts';
import { holdsOrder, isKept } from './kept-orders.ts';
import { leftUnordered } from './left-unordered.ts';
import { accountProblems, accountProblemsAgain, type HeldAccounts } from './order-accounts.ts';
import { type NewBuy, ordersFor } from './order-making.ts';
import { placeOrders, type Sending, sameLines, sendAgain } from './order-placing.ts';
import { boughtAlready } from './rebuying.ts';

/** What is executed: asked in the transaction that stores the orders, with the campaign held. */
export interface Executing {
  readonly campaign: CampaignRow;
  readonly advertiser: AdvertiserRow;
  readonly rebuy: boolean;
  /** What was asked of the sellers before: nobody waits for one here. */
  readonly known: KnownSellers;
  /** What was found of the accounts that its orders go out under. */
  readonly accounts: HeldAccounts;
  readonly naming: Naming;
}

/** The orders of an execute, stored. */
export interface Executed {
  readonly sending: Sending[];
  /** What does not keep the orders back, and is worth knowing, by where the campaign stands once they were sent. */
  warnings(status: CampaignStatus): readonly Remark[];
}

/**
 * What failed is sent again, as it was, or as the choice is now: a buy that was refused can be given other products,
 * and another seller can be chosen in its place. What lives is left as it is.
 */
export async function retry(tx: Db, ctx: Context, executing: Executing): Promise<Executed> {
  const { campaign, rebuy } = executing;
  const { discovery_id: discoveryId } = campaign;
  // Changes first: one that its seller confirms in between counts twice then, and never not at all.
  const asked = await listOpenChanges(tx, ctx.scope, { campaignId: campaign.id });
  const buys = await listMediaBuys(tx, ctx.scope, campaign.id);
  const chosen = discoveryId === null ? [] : await listSelections(tx, ctx.scope, discoveryId);
  if (chosen.length === 0) return asItWas(tx, ctx, { ...executing, buys });
  const open = chosen.filter(({ agent_id }) => !buys.some((buy) => buy.agent_id === agent_id && isKept(buy)));
  const committed = takenMinor({ buys: buys.filter(isKept), open: asked });
  const { orders, problem, warnings } = await made(tx, ctx, { ...executing, buys, open, committed });
  const changed = orders.filter((order) => !isAsBefore(campaign, buys, order));
  const again = buys.filter((buy) => isToBeSent(buy) && !isReplaced(buy, changed) && isWanted(buy, orders));
  if (changed.length > 0 || hasUnseen(buys)) requireOpenFlight(campaign, ctx.now);
  if (problem !== undefined && (changed.length > 0 || again.some(isRefusedOnce))) throw problem;
  const selections = open.filter(({ agent_id }) => changed.some((order) => order.agent_id === agent_id));
  const bought = rebuy ? undefined : asOne(await boughtAlready(tx, ctx, { campaign, selections }));
  if (bought !== undefined) throw bought;
  const before = buys.filter((buy) => !isKept(buy) && (isReplaced(buy, changed) || !isWanted(buy, orders)));
  const placed = await placeOrders(tx, ctx, { orders: changed, before });
  return {
    sending: [...(await sendAll(tx, ctx, again)), ...placed],
    warnings: (status) => [
      ...withoutEnded(chosen, buys).warnings,
      ...leftUnordered(chosen, buys.filter(holdsOrder)),
      ...(changed.length === 0 ? [] : warnings(status)),
    ],
  };
}

interface Choice extends Executing {
  readonly buys: readonly MediaBuyRow[];
  /** What is chosen of sellers that hold nothing of the campaign. */
  readonly open: readonly DiscoverySelectionRow[];
  readonly committed: number;
}

/** The orders of a choice, and what stands against them. */
async function made(tx: Db, ctx: Context, choice: Choice) {
  const { campaign, advertiser, known, accounts: held, buys, open, committed } = choice;
  const fees = await feesFor({ db: tx, scope: ctx.scope }, advertiser);
  const terms = ahead(campaign, ctx.now);
  const by = { db: tx, advertiser, selections: open, fees, committed, before: buys };
  const unseen = withoutUnknown(open, buys);
  const agentIds = unseen.map(({ agent_id }) => agent_id);
  return {
    orders: await ordersFor(ctx, terms, by),
    problem: orderRefusal(undeclaredFor(unseen, { campaign, known, before: buys }), stageOf(campaign), [
      ...problemsOf(terms, open, { committed, fees }),
      ...unpriced(open, fees, buys),
      ...(await closedSellers({ db: tx, scope: ctx.scope }, open, { before: buys })),
      ...(await accountProblems({ db: tx, scope: ctx.scope }, { advertiser, held, agentIds })),
    ]),
    warnings: (status: CampaignStatus) => remarksOf(terms, open, { status, committed }),
  };
}

/** An order that its seller may hold goes out again as it is, whatever its seller declares by now. */
function withoutUnknown<Row extends Targeted>(rows: readonly Row[], buys: readonly MediaBuyRow[]): Row[] {
  return rows.filter(
    ({ agent_id }) => !buys.some((buy) => buy.agent_id === agent_id && buy.submission === 'unknown'),
  );
}

/** Without a choice to go by, what never arrived is sent again. */
async function asItWas(
  tx: Db,
  ctx: Context,
  { campaign, buys, known, accounts }: Pick<Choice, 'campaign' | 'buys' | 'known' | 'accounts'>,
): Promise<Executed> {
  if (hasUnseen(buys)) requireOpenFlight(campaign, ctx.now);
  const again = asChosen(buys.filter((buy) => isToBeSent(buy) && isRefusedOnce(buy)));
  const undeclared = undeclaredFor(again, { campaign, known, before: buys });
  const refused = orderRefusal(undeclared, stageOf(campaign), accountProblemsAgain(accounts, buys));
  if (refused !== undefined) throw refused;
  return { sending: await sendAll(tx, ctx, buys.filter(isToBeSent)), warnings: () => [] };
}

/** Whether an order goes out that no seller may hold: it needs days to run. One that may be held is asked about whenever. */
function hasUnseen(buys: readonly MediaBuyRow[]): boolean {
  return buys.some((buy) => isToBeSent(buy) && buy.submission !== 'unknown');
}

async function sendAll(tx: Db, ctx: Context, buys: readonly MediaBuyRow[]): Promise<Sending[]> {
  const sending: Sending[] = [];
  await requirePriced(tx, buys);
  for (const buy of buys) sending.push(await sendAgain(tx, ctx, buy));
  return sending;
}

function isRefusedOnce({ submission }: MediaBuyRow): boolean {
  return submission !== 'unknown';
}

/** Of an order that may have been taken nobody makes another one: the same is asked about again. */
function isWanted({ agent_id, submission }: MediaBuyRow, orders: readonly NewBuy[]): boolean {
  return submission === 'unknown' || orders.some((order) => order.agent_id === agent_id);
}

function isReplaced({ agent_id, submission }: MediaBuyRow, changed: readonly NewBuy[]): boolean {
  return submission !== 'unknown' && changed.some((order) => order.agent_id === agent_id);
}

/** Whether its seller was sent the very same order before. Periods go by: their orders are made anew. */
function isAsBefore({ pacing_periods }: CampaignRow, buys: readonly MediaBuyRow[], order: NewBuy): boolean {
  const before = buys.find(({ agent_id }) => agent_id === order.agent_id);
  if (before === undefined || before.status === 'ARCHIVED') return false;
  if (before.submission === 'unknown') return true;
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
