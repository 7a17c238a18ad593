import { makeTenant } from '../../../store/engine/scope.ts';
import { type MediaBuyRow, updateMediaBuy } from '../../../store/media-buys.ts';
import { listAbandonedOrders } from '../../../store/unscoped/abandoned-work.ts';
import { asService, createActor } from '../../core/actor.ts';
import type { Services } from '../../core/context.ts';
import { nowOf } from '../../core/moments.ts';
import { longestOrderMs, sendOrder } from './order-sending.ts';
import { mediaBuyKind } from './reach.ts';

/**
 * Sends orders again that a process left on their way, each under its own key: whatever the seller did the
 * first time, it does not do twice. `overdue` says before which moment an order of a given longest time must
 * have been touched last to count as forgotten by a process that lives.
 */
export async function takeOverOrders(
  services: Services,
  overdueAfter: (milliseconds: number) => string,
): Promise<void> {
  const orders = await listAbandonedOrders(services.store.db, overdueAfter(longestOrderMs(services.limits)));
  for (const buy of orders) await takeOver(services, buy);
}

async function takeOver(services: Services, buy: MediaBuyRow): Promise<void> {
  const { store, ports, processId } = services;
  const { clock, ids } = ports;
  const claimed = await updateMediaBuy(store.db, makeTenant(buy.organization_id), {
    id: buy.id,
    version: buy.version,
    set: { owner: processId, updated_at: nowOf(clock) },
  });
  if (claimed === undefined) return;
  const { write } = createActor(
    { store, clock, ids },
    {
      author: asService(buy, processId),
      tool: 'campaign_execute',
      surface: 'buyer',
      title: 'Order sent again, because its answer was never stored',
      action: 'CREATE',
      kind: mediaBuyKind,
      parameters: null,
    },
  );
  ports.background.run('order', async (signal) => {
    // Nobody knows how far it came the first time.
    await sendOrder(services, claimed, { signal, repeat: true, write });
  });
}
