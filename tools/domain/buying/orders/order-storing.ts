import type { Db } from '../../../../store/engine/db.ts';
import { listOpenChangesOf } from '../../../../store/media-buy-changes.ts';
import { insertMediaBuy, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import type { Against } from '../../advertisers/held-accounts.ts';
import { setCommitments } from '../../ledger/commitments.ts';
import { isNamed } from '../answers/ended-at-seller.ts';
import { isRefused } from '../answers/taken-orders.ts';
import { supersede } from '../changes/superseding.ts';
import { buyMachine } from '../machines.ts';
import { mediaBuyKind } from '../reach.ts';
import { writeBuy } from './buy-writing.ts';
import { inPlaceOf, type NewBuy, nextAttempt, sameLines } from './order-making.ts';

/** Stores orders as `sending`, and binds their budgets, inside the transaction that claims them. */

export interface Sending {
  readonly buy: MediaBuyRow;
  /** The seller may have this very order already. */
  readonly repeat: boolean;
  /** What could not be learned of the account that it goes out under: it is kept back for that. */
  readonly unheard?: Against;
}

/** What is to go out. */
export interface Outgoing {
  /** Orders that were made anew. */
  readonly orders: readonly NewBuy[];
  /** The buys of an execute before in whose place these go out; one whose seller gets none is put away. */
  readonly before: readonly MediaBuyRow[];
  /** Buys whose order goes out once more. */
  readonly again: readonly MediaBuyRow[];
}

/** A buy for each order, marked `sending` and with this process as its owner. */
export async function storeOrders(
  tx: Db,
  ctx: Context,
  { orders, before, again }: Outgoing,
): Promise<Sending[]> {
  const placed: Sending[] = [];
  for (const order of orders) {
    const buy = before.find(({ agent_id }) => agent_id === order.agent_id);
    const stored =
      buy === undefined
        ? { buy: await insertMediaBuy(tx, ctx.scope, order), repeat: false }
        : await replace(tx, ctx, { buy, order });
    if (stored !== undefined) placed.push(stored);
  }
  const ordered = new Set(orders.map(({ agent_id }) => agent_id));
  for (const buy of before.filter(({ agent_id }) => !ordered.has(agent_id))) await drop(tx, ctx, buy);
  const repeated: Sending[] = [];
  for (const buy of again) repeated.push(await sendAgain(tx, ctx, buy));
  return [...repeated, ...placed];
}

/** The orders that go out bind their budgets, or the call is refused (402). */
export function commitOrders(
  tx: Db,
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  sending: readonly Sending[],
): Promise<void> {
  const commitments = sending.map(({ buy }) => ({ buy, amountMinor: buy.budget_minor, why: 'Executed' }));
  return setCommitments(tx, commitments, { by: caller.principal, now });
}

/** A seller that rejected its order for good is sent no such order again, and one that took it none at all. */
async function replace(
  tx: Db,
  ctx: Context,
  { buy, order }: { buy: MediaBuyRow; order: NewBuy },
): Promise<Sending | undefined> {
  if (isNamed(buy) || next(buyMachine, buy.status, 'replace') === undefined) return undefined;
  if (buy.submission === 'sending') return undefined;
  if (buy.submission === 'unknown') return sendAgain(tx, ctx, buy);
  if (buy.status === 'REJECTED' && sameLines(buy, order)) return undefined;
  await endChanges(tx, ctx, buy);
  return { buy: await rewrite(tx, ctx, { buy, set: inPlaceOf(buy, order) }), repeat: false };
}

/** The seller of a buy that was refused is chosen no more. */
async function drop(tx: Db, ctx: Context, buy: MediaBuyRow): Promise<void> {
  const status = next(buyMachine, buy.status, 'drop');
  if (status === undefined || !isRefused(buy)) return;
  await rewrite(tx, ctx, { buy, set: { status, archived_at: ctx.now, updated_at: ctx.now } });
}

/** An order that goes out once more: to the letter where the seller may have taken it. */
async function sendAgain(tx: Db, ctx: Context, buy: MediaBuyRow): Promise<Sending> {
  const repeat = buy.submission === 'unknown';
  if (!repeat) await endChanges(tx, ctx, buy);
  const row = await rewrite(tx, ctx, {
    buy,
    set: {
      ...nextAttempt(buy, ctx.now),
      status: next(buyMachine, buy.status, 'send') ?? buy.status,
      submission: 'sending',
      owner: ctx.services.processId,
      updated_at: ctx.now,
      updated_by: ctx.caller.principal,
    },
  });
  return { buy: row, repeat };
}

/**
 * What was asked of an order that came to nothing was not asked of the next one: whoever heard of its end may have died
 * before that was stored.
 */
async function endChanges(tx: Db, ctx: Context, buy: MediaBuyRow): Promise<void> {
  await supersede(tx, ctx, { changes: await listOpenChangesOf(tx, ctx.scope, { mediaBuyId: buy.id }) });
}

async function rewrite(
  tx: Db,
  ctx: Context,
  { buy, set }: { buy: MediaBuyRow; set: Partial<MediaBuyRow> },
): Promise<MediaBuyRow> {
  const row = await writeBuy(tx, buy, {
    limits: ctx.services.limits,
    set,
    now: ctx.now,
    by: ctx.caller.principal,
  });
  if (row === undefined) throw staleWrite(mediaBuyKind);
  return row;
}
