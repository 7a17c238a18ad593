import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { findMediaBuy, type MediaBuyRow } from '../../../../store/media-buys.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import type { AuditedWrite, Services } from '../../../core/context.ts';
import type { Limits } from '../../../core/limits.ts';
import { nowOf } from '../../../core/moments.ts';
import { underWay } from '../../../core/under-way.ts';
import type { Against } from '../../advertisers/held-accounts.ts';
import { StoppedError } from '../../sellers/deadline.ts';
import { noting } from '../../sellers/last-failures.ts';
import { type OrderAnswer, SellerError } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { afterAnswer, afterClosed, afterNoAnswer, type BuyChange } from '../answers/buy-status.ts';
import { leavesDoubt } from '../answers/refused-orders.ts';
import { orderIn } from '../payloads.ts';
import { mediaBuyKind } from '../reach.ts';
import { storeChange } from './buy-writing.ts';
import { layDownOrder } from './laid-down.ts';
import { afterKeptBack, KeptBackError, requireInTime } from './late-orders.ts';
import { keptBackFor, requireAccount } from './order-accounts.ts';
import { withinSandbox } from './sandbox-orders.ts';
import { requireNotTakenOver, TakenOverError } from './taken-over.ts';

/** When an order is sent again that its seller could not take just then. */
const REPEAT_AFTER_MS = [500, 2_000];

/** How long an order may be on its way: every time it is sent, and the pauses between. */
export function longestOrderMs({ sellerTimeoutMs }: Limits): number {
  return REPEAT_AFTER_MS.reduce((sum, wait) => sum + wait + sellerTimeoutMs, sellerTimeoutMs);
}

interface Sending {
  readonly write: AuditedWrite;
  /** An earlier sending under the same key may have reached the seller. */
  readonly repeat: boolean;
  readonly signal?: AbortSignal;
  /** Told of every answer, and of every time there was none. */
  readonly heard?: Heard;
  /** When what it takes a day was reckoned with, where it was written since. */
  readonly reckonedAt?: string;
  /** True of an order that this very call has made: what it goes out under was held against its seller just now. */
  readonly isNew?: boolean;
  /** What could not be learned then of the account that it goes out under. */
  readonly unheard?: Against | undefined;
}

/** What came of sending an order once. */
export interface OrderTry {
  readonly timestamp: string;
  readonly answer?: OrderAnswer;
  readonly error?: string;
}

export type Heard = (one: OrderTry) => void;

/**
 * Sends an order that is stored and marked `sending` to its seller and stores what comes of it. The order
 * carries a key derived from the row: sent again after a crash it is a replay at the seller, never a second
 * buy. When the service stops meanwhile, the next process takes the order over: the row stays as it is, or is laid
 * down where its seller is known not to have it.
 */
export function sendOrder(services: Services, buy: MediaBuyRow, sending: Sending): Promise<MediaBuyRow> {
  return underWay(services, buy.id, () => sendAndStore(services, buy, sending));
}

async function sendAndStore(services: Services, buy: MediaBuyRow, sending: Sending): Promise<MediaBuyRow> {
  const change = await askSeller(services, buy, sending);
  if (change instanceof StoppedError) return leftByStop(services, buy, change);
  if (change instanceof TakenOverError) return (await asItStands(services, buy)) ?? buy;
  const now = nowOf(services.ports.clock);
  const stored = await sending.write(
    (tx) => storeChange(tx, buy, { limits: services.limits, change, now, updatedBy: 'seller' }),
    // Somebody else wrote first, whose word then stands.
    (row) =>
      row && {
        kind: mediaBuyKind,
        resourceId: buy.id,
        resourceName: buy.name,
        advertiserId: buy.advertiser_id,
        action: 'CREATE',
        changes: { status: { from: buy.status, to: row.status } },
      },
  );
  return stored ?? (await asItStands(services, buy)) ?? buy;
}

function asItStands({ store }: Services, buy: MediaBuyRow): Promise<MediaBuyRow | undefined> {
  return findMediaBuy(store.db, tenantOfRow(buy), buy.id);
}

const LEFT_BY_STOP =
  'The order is on its way: the service stops, and sends it again by itself when it is back, under the same key.';

async function leftByStop(
  services: Services,
  buy: MediaBuyRow,
  { unresolved }: StoppedError,
): Promise<MediaBuyRow> {
  const left = unresolved ? undefined : await layDownOrder(services, buy);
  return { ...(left ?? buy), source_message: LEFT_BY_STOP };
}

/**
 * What comes of the order; where a stop leaves that to the next process, whether its seller may have it. Nothing of one
 * that another process has taken over.
 */
async function askSeller(
  services: Services,
  buy: MediaBuyRow,
  { signal, repeat, heard, reckonedAt = buy.updated_at, isNew = false, unheard }: Sending,
): Promise<BuyChange | StoppedError | TakenOverError> {
  const row = await findSeller(services.store.db, tenantOfRow(buy), buy.agent_id);
  const now = () => nowOf(services.ports.clock);
  if (row === undefined)
    return afterNoAnswer({ message: 'The seller has left the marketplace.', unresolved: repeat });
  // A seller that has closed gets no new order; whether it holds one already it is still asked.
  if (!row.is_open && !repeat) return afterClosed();
  let inDoubt = repeat;
  try {
    if (unheard !== undefined) throw keptBackFor(unheard, buy, { inDoubt });
    if (!isNew) await requireAccount(services, buy, { signal, inDoubt });
    const order = orderIn(buy);
    const seller = asSeller(row);
    const ask = async () => {
      await requireNotTakenOver(services, buy, () => asItStands(services, buy));
      if (!inDoubt) await requireInTime(services.store.db, buy, { now: now(), reckonedAt });
      const sent = { ...order, repeat: inDoubt };
      const send = (own: AbortSignal) => services.ports.sellers.createMediaBuy(seller, sent, own);
      const answer = await withinSandbox(services, { seller, order: sent, signal, send });
      heard?.({ timestamp: now(), answer });
      inDoubt ||= leavesDoubt(answer);
      return answer;
    };
    const asked = { seller, task: 'create_media_buy', party: order.party } as const;
    const answer = await noting(services, asked, () => patiently(services, ask));
    return afterAnswer(answer, now(), inDoubt);
  } catch (error) {
    if (error instanceof SellerError) heard?.({ timestamp: now(), error: error.message });
    return afterThrown(services, buy, { error, inDoubt });
  }
}

function afterThrown(
  { log }: Services,
  buy: MediaBuyRow,
  { error, inDoubt }: { readonly error: unknown; readonly inDoubt: boolean },
): BuyChange | StoppedError | TakenOverError {
  if (error instanceof TakenOverError) return error;
  if (error instanceof KeptBackError) return afterKeptBack(error);
  if (error instanceof SellerError) return afterFailure(error, inDoubt);
  log.error({ err: error, mediaBuyId: buy.id }, 'placing an order failed');
  return afterNoAnswer({ message: 'The order could not be placed.', unresolved: true });
}

function afterFailure(error: SellerError, inDoubt: boolean): BuyChange | StoppedError {
  const unresolved = inDoubt || error.unresolved;
  if (error instanceof StoppedError) return new StoppedError({ unresolved });
  return afterNoAnswer({ message: error.message, unresolved });
}

/**
 * Asks again while the seller says that its refusal will pass. Every order and change carries its key. A service that
 * stops does not ask again: that takes longer than its callers are waited for. Nobody is being asked at that moment.
 */
export async function patiently<A extends Pick<OrderAnswer, 'kind'> & { readonly transient?: boolean }>(
  services: Services,
  ask: () => Promise<A>,
): Promise<A> {
  for (const wait of REPEAT_AFTER_MS) {
    const answer = await ask();
    if (answer.kind !== 'refused' || !answer.transient) return answer;
    await pause(services, wait);
    if (services.stopping.aborted) throw new StoppedError({ unresolved: false });
  }
  return ask();
}

/** Waits, and no longer than the service goes on. */
function pause({ ports, stopping }: Services, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      cancel();
      stopping.removeEventListener('abort', go);
      resolve();
    };
    const cancel = ports.clock.after(milliseconds, go);
    stopping.addEventListener('abort', go, { once: true });
    if (stopping.aborted) go();
  });
}
