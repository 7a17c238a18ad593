import type { Db } from '../../../store/engine/db.ts';
import { listBelow } from '../../../store/unscoped/organization-tree.ts';
import { listUnfoundBuys, type UnfoundBuy } from '../../../store/unscoped/unfound-buys.ts';
import { listUnknownOrders, type UnknownOrder } from '../../../store/unscoped/unknown-orders.ts';
import { openStatuses } from './machines.ts';

/** Orders of which nobody knows whether their sellers took them, across organizations. */

const AT_ONCE = 100;
const FIRST = '';

/** All of them, or those of an organization and the accounts below it, the oldest first. */
export async function* unknownOrders(db: Db, organizationId?: number): AsyncIterable<UnknownOrder> {
  const organizationIds = organizationId === undefined ? undefined : await listBelow(db, organizationId);
  let after = FIRST;
  while (true) {
    const rows = await listUnknownOrders(db, { organizationIds, after, limit: AT_ONCE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

/** Those that were ordered before a moment, the oldest first; sandboxes aside: they bind nothing. */
export function unknownSince(
  db: Db,
  wanted: { readonly before: string; readonly limit: number },
): Promise<UnknownOrder[]> {
  return listUnknownOrders(db, { ...wanted, isLive: true, after: FIRST });
}

/** Media buys that live here, and that their sellers said before a moment, and ever since, that they do not have. */
export function unfoundSince(
  db: Db,
  wanted: { readonly before: string; readonly limit: number },
): Promise<UnfoundBuy[]> {
  return listUnfoundBuys(db, { ...wanted, statuses: openStatuses });
}
