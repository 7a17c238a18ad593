import { scopeOfRow, tenantOfRow } from '../../../../store/engine/scope.ts';
import { type MediaBuyRow, updateMediaBuy } from '../../../../store/media-buys.ts';
import { listAbandonedOrders } from '../../../../store/unscoped/abandoned-work.ts';
import type { AuditedWrite, Services } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import { forgotten } from '../../../core/under-way.ts';
import { afterNoAnswer } from '../answers/buy-status.ts';
import { storeChange } from '../orders/buy-writing.ts';
import { isLaidDown } from '../orders/laid-down.ts';
import { longestOrderMs, sendOrder } from '../orders/order-sending.ts';
import { mediaBuyKind } from '../reach.ts';
import { serviceActor } from '../service-actor.ts';
import { followBuys } from './campaign-following.ts';
import { followOrder } from './change-refreshing.ts';

const GIVEN_UP =
  'The order was sent several times, and what came of it could never be stored. Ask the seller whether it holds ' +
  'the order; executing again sends the same order once more, under the same key.';

/**
 * Sends orders again that a process left on their way, each under its own key: whatever the seller did the
 * first time, it does not do twice. `overdue` says before which moment an order of a given longest time must
 * have been touched last to count as forgotten by a process that lives.
 */
export async function takeOverOrders(
  services: Services,
  overdueAfter: (milliseconds: number) => string,
): Promise<void> {
  const longest = longestOrderMs(services.limits);
  const orders = forgotten(services, await listAbandonedOrders(services.store.db, overdueAfter(longest)));
  for (const buy of orders) {
    // Each time it waits twice as long: what keeps failing is not to keep the seller busy.
    const patience = buy.takeovers < 2 ? undefined : overdueAfter(longest * 2 ** (buy.takeovers - 1));
    if (patience === undefined || buy.updated_at < patience) await takeOver(services, buy);
  }
}

async function takeOver(services: Services, buy: MediaBuyRow): Promise<void> {
  const { store, ports, processId } = services;
  const { clock } = ports;
  const { write } = serviceActor(services, buy, {
    tool: 'campaign_execute',
    title: isLaidDown(buy)
      ? 'Order sent, because the service had stopped before its seller had it'
      : 'Order sent again, because its answer was never stored',
    action: 'CREATE',
    kind: mediaBuyKind,
    requestId: processId,
  });
  if (buy.takeovers >= services.limits.orderTakeovers) return giveUp(services, write, buy);
  // What another process laid down was lost by nobody: it goes out as for the first time.
  const repeat = !isLaidDown(buy);
  const claimed = await updateMediaBuy(store.db, tenantOfRow(buy), {
    id: buy.id,
    version: buy.version,
    set: { owner: processId, takeovers: buy.takeovers + (repeat ? 1 : 0), updated_at: nowOf(clock) },
  });
  if (claimed === undefined) return;
  ports.background.run('order', async (signal) => {
    // Of what a dead process left nobody knows how far it came: an order is marked before it is sent, and nothing says
    // after that whether its seller got it. It goes out again however late that is, and whatever it takes a day by
    // then. Under the same key its seller answers what it answered before, and makes no second buy: there is no other
    // way to learn the id by which what it may be spending already can be paused, changed or called off. A seller that
    // never had it may take it too late for the daily cap. That is told to the buyer, who can act on it: of a buy that
    // nobody knows of nobody is told. Changes are another matter: what their seller shows of the buy says whether it
    // took them.
    const sent = await sendOrder(services, claimed, { signal, repeat, write, reckonedAt: buy.updated_at });
    const scope = scopeOfRow(buy);
    await followOrder({ db: store.db, scope, services, signal, requestId: processId }, sent, write);
    await followBuys(write, scope, { id: buy.campaign_id, now: nowOf(clock) });
  });
}

/** The order stays unresolved: only its seller knows. */
async function giveUp({ ports, limits }: Services, write: AuditedWrite, buy: MediaBuyRow): Promise<void> {
  const change = afterNoAnswer({ message: GIVEN_UP, unresolved: true });
  await write(
    (tx) => storeChange(tx, buy, { limits, change, now: nowOf(ports.clock), updatedBy: 'service' }),
    (row) =>
      row && {
        resourceId: buy.id,
        resourceName: buy.name,
        advertiserId: buy.advertiser_id,
        action: 'UPDATE',
        changes: { status: { from: buy.status, to: row.status } },
      },
  );
}
