import { insertAuditLog } from '../../store/audit-log.ts';
import { insertLanding } from '../../store/discovery-revisions.ts';
import type { DiscoverySessionRow } from '../../store/discovery-sessions.ts';
import { makeScope, makeTenant } from '../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../store/media-buys.ts';
import { updateMediaBuy } from '../../store/media-buys.ts';
import {
  listAbandonedOrders,
  listAbandonedSessions,
  listSessionAgents,
} from '../../store/unscoped/abandoned-work.ts';
import { insertDeliveries } from '../../store/webhooks.ts';
import type { Services } from '../../tools/core/context.ts';
import { longestOrderMs, sendOrder, type Writer } from '../../tools/domain/buying/order-sending.ts';
import { discoveryTopic, revisionPayload } from '../../tools/domain/discovery/revisions.ts';
import { endInterrupted } from '../webhooks/delivery.ts';

/** What is still open this long after its end was due has been forgotten by its own process. */
const OVERDUE_MS = 60_000;

/** Takes over what a process left under way: one that died, or one that failed to write how it ended. */
export async function recover(services: Services): Promise<void> {
  const { db } = services.store;
  await endInterrupted(services);
  const overdueAfter = (milliseconds: number) =>
    new Date(services.ports.clock.now() - milliseconds - OVERDUE_MS).toISOString();
  const { discoveryTimeoutMs } = services.limits;
  for (const session of await listAbandonedSessions(db, overdueAfter(discoveryTimeoutMs))) {
    await completeSession(services, session);
  }
  const orders = await listAbandonedOrders(db, overdueAfter(longestOrderMs(services.limits)));
  for (const buy of orders) await takeOver(services, buy);
}

/** Completes a session with its unanswered sellers named. */
async function completeSession(services: Services, abandoned: DiscoverySessionRow): Promise<void> {
  const now = nowOf(services);
  const agents = await listSessionAgents(services.store.db, abandoned.id);
  const session: DiscoverySessionRow = {
    ...abandoned,
    revision: abandoned.revision + 1,
    status: 'complete',
    completed_at: now,
  };
  const settled = agents
    .filter(({ state }) => state === 'pending')
    .map((agent) => ({
      ...agent,
      state: 'incomplete' as const,
      reason: 'error' as const,
      message: 'The service stopped while this seller was being asked.',
      revision: session.revision,
      settled_at: now,
    }));
  const incomplete = [...agents.filter(({ state }) => state === 'incomplete'), ...settled];
  const payload = revisionPayload(session, { groups: [], pending: [], incomplete, timestamp: now });
  const { id, organization_id, customer_id, revision, last_subscription } = session;
  const scope = makeScope({ organizationId: organization_id, customerId: customer_id });
  await services.store.transaction(async (tx) => {
    const fresh = await insertLanding(tx, scope, {
      session,
      settled,
      groups: [],
      revision: { organization_id, session_id: id, revision, complete: 1, payload, created_at: now },
    });
    if (!fresh) return;
    const event = { event_type: 'discovery.revision' as const, session_id: id, revision, created_at: now };
    await insertDeliveries(tx, scope, { ...event, last_subscription });
  });
  services.ports.wake.signal(discoveryTopic(id));
  services.ports.wake.signal('webhooks');
}

/** Sends an order again under its own key: whatever the seller did the first time, it does not do twice. */
async function takeOver(services: Services, buy: MediaBuyRow): Promise<void> {
  const claimed = await updateMediaBuy(services.store.db, makeTenant(buy.organization_id), {
    id: buy.id,
    version: buy.version,
    set: { owner: services.processId, updated_at: nowOf(services) },
  });
  if (claimed === undefined) return;
  services.ports.background.run('order', async (signal) => {
    // Nobody knows how far it came the first time.
    await sendOrder(services, claimed, { signal, repeat: true, write: writerFor(services, claimed) });
  });
}

/** Writes with an audit entry of the service itself. */
function writerFor(services: Services, buy: MediaBuyRow): Writer {
  return (work, subject) =>
    services.store.transaction(async (tx) => {
      const result = await work(tx);
      await insertAuditLog(tx, makeTenant(buy.organization_id), {
        customer_id: buy.customer_id,
        tool: 'campaign_execute',
        surface: 'buyer',
        action: 'CREATE',
        outcome: 'succeeded',
        error_code: null,
        resource_type: 'MEDIA_BUY',
        resource_id: buy.id,
        resource_name: buy.name,
        parent_type: 'CAMPAIGN',
        advertiser_id: buy.advertiser_id,
        user_id: null,
        credential_id: null,
        actor_origin: 'system',
        parameters: null,
        changes: subject.changes === undefined ? null : JSON.stringify(subject.changes),
        description: 'Order sent again, because its answer was never stored',
        request_id: services.processId,
        ip: null,
        created_at: nowOf(services),
      });
      return result;
    });
}

function nowOf({ ports }: Services): string {
  return new Date(ports.clock.now()).toISOString();
}
