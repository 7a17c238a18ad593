import type { CampaignRow } from '../../../../store/campaigns.ts';
import { toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { moveCampaign } from '../../../../store/held-campaigns.ts';
import {
  insertMediaBuyChange,
  type MediaBuyChangeRow,
  type ProposedBuy,
  pruneMediaBuyChanges,
} from '../../../../store/media-buy-changes.ts';
import { findMediaBuy, type MediaBuyRow, updateMediaBuy } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import type { BuyUpdate } from '../../sellers/buy-update.ts';
import type { PlannedChange } from '../changes/buy-changing.ts';
import { isEnd, isOfTerms } from '../changes/change-standing.ts';
import { supersede } from '../changes/superseding.ts';
import { askMachine } from '../machines.ts';
import { writeBuy } from '../orders/buy-writing.ts';
import { requireChangesAllowed } from '../orders/spend-holding.ts';
import { orderIn } from '../payloads.ts';
import { mediaBuyKind } from '../reach.ts';
import { holdCampaign, requireKept } from '../spend/budget-keeping.ts';
import { commitChanges, releaseLowered } from '../spend/change-commitments.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { changeChoice, holdChoosers } from './choice-changing.ts';

/** A change that is stored, to be sent to its seller where its state says so. */
export interface RecordedChange {
  readonly change: MediaBuyChangeRow;
  /** The buy as it stands while the change waits. */
  readonly buy: MediaBuyRow;
  /** As it stood before. */
  readonly before: MediaBuyRow;
  /** What it counted for before: its budget, or what a change asked for of which nobody knows. */
  readonly boundMinor: number;
}

interface Recording {
  /** The campaign, as the caller read it. */
  readonly before: CampaignRow;
  readonly planned: readonly PlannedChange[];
}

/**
 * Stores changes of the buys of a campaign inside the caller's transaction: each as the bytes to be sent, with its own
 * key, and what it would add to the budget bound from now on. What concerns no seller is done with that. To be called
 * last in the transaction, because it holds the campaign and may hold the account until its end.
 */
export async function recordChanges(
  tx: Db,
  ctx: Context,
  { before, planned }: Recording,
): Promise<RecordedChange[]> {
  const held = await holdChoosers(tx, ctx, planned);
  // First: of two that raise at once the second counts what the first has bound.
  const { campaign, ...taking } = await holdCampaign(tx, ctx.scope, before.id);
  await changeChoice(tx, ctx, { planned, held });
  // Also by what waits: whoever read the campaign before does not know of it.
  if (planned.length > 0) await moveCampaign(tx, ctx.scope, { id: before.id, now: ctx.now });
  const recorded: RecordedChange[] = [];
  for (const plan of planned) {
    recorded.push(await recordChange(tx, ctx, plan));
  }
  await requireKept(tx, { before: { ...taking, campaign: before }, campaign, now: ctx.now });
  await requireChangesAllowed(tx, ctx, recorded);
  // Last: whoever holds an account waits for no other row.
  await commitChanges(tx, ctx, recorded);
  await releaseLowered(tx, ctx, recorded);
  return recorded;
}

async function recordChange(tx: Db, ctx: Context, plan: PlannedChange): Promise<RecordedChange> {
  const id = ctx.newId('mbc');
  await supersede(tx, ctx, { changes: plan.instead, by: id });
  const buy = plan.way === 'here' ? await changeHere(tx, ctx, plan) : await touch(tx, ctx, plan.buy);
  const update: BuyUpdate = {
    party: plan.party,
    idempotencyKey: `${buy.id}.${id}`,
    ...plan.asked,
  };
  const { wanted, proposed } = plan;
  const boundMinor = Math.max(
    plan.buy.budget_minor,
    // An end carries what was bound when it took the place of a raise.
    ...plan.instead
      .filter((one) => isOfTerms(one) || isEnd(one))
      .map(({ committed_minor }) => committed_minor),
  );
  const change = await insertMediaBuyChange(tx, ctx.scope, {
    id,
    advertiser_id: buy.advertiser_id,
    campaign_id: buy.campaign_id,
    media_buy_id: buy.id,
    action: wanted.action,
    state: plan.way === 'here' ? 'confirmed' : plan.way === 'held' ? 'held' : 'sending',
    payload: JSON.stringify(update),
    proposed: toJson(proposed),
    committed_minor: Math.max(boundMinor, proposed.budget_minor ?? 0),
    owner: plan.way === 'send' ? ctx.services.processId : null,
    takeovers: 0,
    adcp_task_id: null,
    error_code: null,
    error_owner: null,
    source_message: null,
    forwarded_at: null,
    requested_by: ctx.caller.principal,
    reason: wanted.reason ?? null,
    suggestion_id: wanted.suggestionId ?? null,
    version: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  await pruneMediaBuyChanges(tx, ctx.scope, {
    mediaBuyId: buy.id,
    keep: ctx.services.limits.quotas.versionsPerBuy,
  });
  return { change, buy, before: plan.buy, boundMinor };
}

/**
 * Of two changes of a buy at once the second is refused: it was made on what holds no more. Figures that its seller
 * told meanwhile are no other edition, and stand against nothing that is asked.
 */
async function touch(tx: Db, ctx: Context, buy: MediaBuyRow): Promise<MediaBuyRow> {
  const touched = ({ id, version, edition }: MediaBuyRow) =>
    updateMediaBuy(tx, ctx.scope, { id, version, set: { updated_at: ctx.now, edition: edition + 1 } });
  const first = await touched(buy);
  if (first !== undefined) return first;
  const current = await findMediaBuy(tx, ctx.scope, buy.id);
  const row = current?.edition === buy.edition ? await touched(current) : undefined;
  if (row === undefined) throw staleWrite(mediaBuyKind);
  return row;
}

async function changeHere(
  tx: Db,
  ctx: Context,
  { buy, wanted, proposed }: PlannedChange,
): Promise<MediaBuyRow> {
  const { columns = {} } = wanted.remade ?? {};
  const status = columns.status ?? next(askMachine, buy.status, wanted.action) ?? buy.status;
  const row = await writeBuy(tx, buy, {
    limits: ctx.services.limits,
    set: {
      ...columns,
      ...columnsProposed(proposed),
      ...orderAfter({ ...buy, ...columns }, proposed),
      status,
      ...(status === 'ARCHIVED' ? { archived_at: ctx.now } : {}),
    },
    now: ctx.now,
    by: ctx.caller.principal,
    reason: wanted.reason ?? null,
    suggestionId: wanted.suggestionId ?? null,
    // A pause that is taken back before its seller heard of it leaves every column as it is.
    isOther: true,
  });
  if (row === undefined) throw staleWrite(mediaBuyKind);
  return row;
}

/** An order that is to be sent once more is sent with the dates it has by then. */
function orderAfter(
  buy: MediaBuyRow,
  { start_time, end_time }: ProposedBuy,
): Pick<MediaBuyRow, 'order_payload'> {
  if ((start_time ?? end_time) === undefined) return { order_payload: buy.order_payload };
  const order = orderIn(buy);
  const { startTime, endTime } = order;
  return {
    order_payload: JSON.stringify({
      ...order,
      startTime: start_time ?? startTime,
      endTime: end_time ?? endTime,
    }),
  };
}
