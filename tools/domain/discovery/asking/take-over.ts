import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { listAbandonedSessions, listSessionAgents } from '../../../../store/unscoped/abandoned-work.ts';
import type { Services } from '../../../core/context.ts';
import { next } from '../../../core/machines.ts';
import { nowOf } from '../../../core/moments.ts';
import { forgotten } from '../../../core/under-way.ts';
import { sessionMachine } from '../machines.ts';
import { storeNewRevision } from './revision-storing.ts';
import { revisionPayload } from './revisions.ts';

/** Completes the sessions that a process left collecting, each with its unanswered sellers named. */
export async function completeAbandoned(
  services: Services,
  overdueAfter: (milliseconds: number) => string,
): Promise<void> {
  const overdue = overdueAfter(services.limits.discoveryTimeoutMs);
  const abandoned = await listAbandonedSessions(services.store.db, overdue);
  for (const session of forgotten(services, abandoned)) {
    await complete(services, session);
  }
}

async function complete(services: Services, abandoned: DiscoverySessionRow): Promise<void> {
  const { store, ports } = services;
  const status = next(sessionMachine, abandoned.status, 'abandoned');
  if (status === undefined) return;
  const now = nowOf(ports.clock);
  const agents = await listSessionAgents(store.db, abandoned.id);
  const session = { ...abandoned, revision: abandoned.revision + 1, status, completed_at: now };
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
  await storeNewRevision(services, { session, groups: [], settled, payload, now });
}
