import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { type BuyPackage, type MediaBuyRow, updateMediaBuy } from '../../../store/media-buys.ts';
import { findSeller } from '../../../store/unscoped/market.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Limits, Services } from '../../core/context.ts';
import {
  type Clock,
  type Order,
  type OrderAnswer,
  SellerError,
  type SellerPackage,
} from '../../core/ports.ts';
import { roundToMinor } from '../money.ts';
import { withinSellerTimeout } from '../sellers/deadline.ts';
import { asSeller } from '../sellers/seller.ts';
import { afterAnswer, afterClosed, afterNoAnswer, type BuyChange, leavesDoubt } from './buy-status.ts';

/** When an order is sent again that its seller could not take just then. */
const REPEAT_AFTER_MS = [500, 2_000];

/** How long an order may be on its way: every time it is sent, and the pauses between. */
export function longestOrderMs({ sellerTimeoutMs }: Limits): number {
  return REPEAT_AFTER_MS.reduce((sum, wait) => sum + wait + sellerTimeoutMs, sellerTimeoutMs);
}

/** How a change is written: with an audit entry, of the caller or of the service. */
export type Writer = <T>(work: (tx: Db) => Promise<T>, subject: AuditSubject) => Promise<T>;

interface Sending {
  readonly write: Writer;
  /** An earlier sending under the same key may have reached the seller. */
  readonly repeat: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Sends an order that is stored and marked `sending` to its seller and stores what comes of it. The order
 * carries a key derived from the row: sent again after a crash it is a replay at the seller, never a second
 * buy.
 */
export async function sendOrder(
  services: Services,
  buy: MediaBuyRow,
  sending: Sending,
): Promise<MediaBuyRow> {
  const change = await askSeller(services, buy, sending);
  const now = new Date(services.ports.clock.now()).toISOString();
  const stored = await sending.write((tx) => storeChange(tx, buy, { change, now, updatedBy: 'seller' }), {
    resourceType: 'MEDIA_BUY',
    resourceId: buy.id,
    resourceName: buy.name,
    advertiserId: buy.advertiser_id,
    action: 'CREATE',
    changes: { status: { from: buy.status, to: change.status ?? buy.status } },
  });
  return stored ?? buy;
}

async function askSeller(
  services: Services,
  buy: MediaBuyRow,
  { signal, repeat }: Sending,
): Promise<BuyChange> {
  const row = await findSeller(services.store.db, buy.agent_id);
  const now = () => new Date(services.ports.clock.now()).toISOString();
  if (row === undefined)
    return afterNoAnswer({ message: 'The seller has left the marketplace.', unresolved: repeat });
  // A seller that has closed gets no new order; whether it holds one already it is still asked.
  if (!row.is_open && !repeat) return afterClosed();
  let inDoubt = repeat;
  try {
    const order = fromJson<Order>(buy.order_payload);
    const ask = async () => {
      const answer = await withinSellerTimeout(services, signal, (own) =>
        services.ports.sellers.createMediaBuy(asSeller(row), order, own),
      );
      inDoubt ||= leavesDoubt(answer);
      return answer;
    };
    return afterAnswer(await patiently(ask, services.ports.clock), now(), inDoubt);
  } catch (error) {
    if (error instanceof SellerError)
      return afterNoAnswer({ message: error.message, unresolved: inDoubt || error.unresolved });
    services.log.error({ err: error, mediaBuyId: buy.id }, 'placing an order failed');
    return afterNoAnswer({ message: 'The order could not be placed.', unresolved: true });
  }
}

/** Asks again while the seller says that its refusal will pass. Every order carries its key. */
async function patiently(ask: () => Promise<OrderAnswer>, clock: Clock): Promise<OrderAnswer> {
  for (const wait of REPEAT_AFTER_MS) {
    const answer = await ask();
    if (answer.kind !== 'refused' || !answer.transient) return answer;
    await new Promise<void>((resolve) => {
      clock.after(wait, resolve);
    });
  }
  return ask();
}

/** Writes a change to a buy; undefined when somebody else wrote first, whose word then stands. */
export function storeChange(
  db: Db,
  buy: MediaBuyRow,
  { change, now, updatedBy }: { change: BuyChange; now: string; updatedBy: string },
): Promise<MediaBuyRow | undefined> {
  return updateMediaBuy(db, makeTenant(buy.organization_id), {
    id: buy.id,
    version: buy.version,
    set: {
      ...columnsOf(buy, change),
      valid_from: now,
      updated_at: now,
      updated_by: updatedBy,
    },
  });
}

/** Whether a change says anything that is not stored. The same figures once more are no news. */
export function isNews(buy: MediaBuyRow, change: BuyChange): boolean {
  const performance_at = buy.performance_at ?? change.performance_at ?? null;
  return JSON.stringify({ ...buy, ...columnsOf(buy, change), performance_at }) !== JSON.stringify(buy);
}

function columnsOf({ currency }: MediaBuyRow, { sellerPackages = [], ...columns }: BuyChange) {
  return sellerPackages.length === 0
    ? columns
    : { ...columns, packages: toJson(asPackages(sellerPackages, currency)) };
}

function asPackages(packages: readonly SellerPackage[], currency: string): BuyPackage[] {
  return packages.map(({ package_id, product_id, budget }) => ({
    package_id,
    product_id,
    budget_minor: budget === null ? null : (roundToMinor(budget, currency) ?? null),
  }));
}
