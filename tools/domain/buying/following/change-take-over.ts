import { scopeOfRow, tenantOfRow } from '../../../../store/engine/scope.ts';
import { type MediaBuyChangeRow, updateMediaBuyChange } from '../../../../store/media-buy-changes.ts';
import { findMediaBuy } from '../../../../store/media-buys.ts';
import { listAbandonedChanges } from '../../../../store/unscoped/abandoned-work.ts';
import type { AuditedWrite, Services } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import { forgotten } from '../../../core/under-way.ts';
import { afterNoUpdate } from '../changes/change-outcome.ts';
import { neverSent, notSentAgain, tooLateFor } from '../changes/late-changes.ts';
import { isLaidDown } from '../orders/laid-down.ts';
import { longestOrderMs } from '../orders/order-sending.ts';
import { mediaBuyKind } from '../reach.ts';
import { serviceActor } from '../service-actor.ts';
import { followBuys } from './campaign-following.ts';
import { sendChange } from './change-sending.ts';
import { type Changed, storeOutcome } from './change-storing.ts';

const GIVEN_UP =
  'The change was sent several times, and nobody knows whether the seller took it. What the seller shows of the buy ' +
  'decides: read it with campaign_get_media_buy_status, and ask for the change once more if it is not there.';

/**
 * Sends changes again that a process left on their way, and those whose answer was lost, each under its own key:
 * whatever the seller did the first time, it does not do twice.
 */
export async function takeOverChanges(
  services: Services,
  overdueAfter: (milliseconds: number) => string,
): Promise<void> {
  const { orderTakeovers, sellerTimeoutMs } = services.limits;
  // The buy is read back after the change.
  const longest = longestOrderMs(services.limits) + sellerTimeoutMs;
  const changes = await listAbandonedChanges(services.store.db, {
    overdue: overdueAfter(longest),
    takeovers: orderTakeovers,
  });
  for (const change of forgotten(services, changes)) {
    const patience = change.takeovers < 2 ? undefined : overdueAfter(longest * 2 ** (change.takeovers - 1));
    if (patience === undefined || change.updated_at < patience) await takeOver(services, change);
  }
}

async function takeOver(services: Services, change: MediaBuyChangeRow): Promise<void> {
  const { store, ports, processId, limits } = services;
  const tenant = tenantOfRow(change);
  const buy = await findMediaBuy(store.db, tenant, change.media_buy_id);
  if (buy === undefined) return;
  const write = serviceWrite(services, change);
  if (change.takeovers >= limits.orderTakeovers) {
    const columns = afterNoUpdate({ message: GIVEN_UP, unresolved: true });
    await storeOutcome(services, { change, buy }, { columns, write });
    return;
  }
  const repeat = !isLaidDown(change);
  const late = await tooLateFor(store.db, change, nowOf(ports.clock));
  if (late !== undefined) {
    const columns = repeat ? notSentAgain(late, limits.orderTakeovers) : neverSent(late);
    await storeOutcome(services, { change, buy }, { columns, write });
    return;
  }
  const claimed = await updateMediaBuyChange(store.db, tenant, {
    id: change.id,
    version: change.version,
    set: {
      state: 'sending',
      owner: processId,
      takeovers: change.takeovers + (repeat ? 1 : 0),
      updated_at: nowOf(ports.clock),
    },
  });
  if (claimed === undefined) return;
  ports.background.run('order', (signal) =>
    sendAgain(services, { change: claimed, buy }, { signal, repeat, write }),
  );
}

async function sendAgain(
  services: Services,
  changed: Changed,
  sending: { signal: AbortSignal; repeat: boolean; write: AuditedWrite },
): Promise<void> {
  await sendChange(services, changed, sending);
  const { buy } = changed;
  const now = nowOf(services.ports.clock);
  await followBuys(sending.write, scopeOfRow(buy), { id: buy.campaign_id, now });
}

function serviceWrite(services: Services, change: MediaBuyChangeRow): AuditedWrite {
  const { write } = serviceActor(services, change, {
    tool: 'media_buy_update',
    title: isLaidDown(change)
      ? 'Change sent, because the service had stopped before its seller had it'
      : 'Change sent again, because its answer was never stored',
    action: 'UPDATE',
    kind: mediaBuyKind,
    requestId: services.processId,
  });
  return write;
}
