import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../store/discovery-sessions.ts';

/** How far a session has come that still collects, storefront by storefront; nothing of one that is complete. Pure. */
export function progressOf(
  session: Pick<DiscoverySessionRow, 'status' | 'created_at' | 'asked_at'>,
  agents: readonly Pick<DiscoveryAgentRow, 'storefront_id' | 'state'>[],
  now: number,
) {
  if (session.status === 'complete') return {};
  const all = new Set(agents.map(({ storefront_id }) => storefront_id));
  const waiting = agents.filter(({ state }) => state === 'pending').map((one) => one.storefront_id);
  const since = Date.parse(session.asked_at ?? session.created_at);
  return {
    retryWithLongerWaitAvailable: true as const,
    progress: {
      respondedStorefrontCount: all.size - new Set(waiting).size,
      totalStorefrontCount: all.size,
      waitSeconds: Math.max(1, Math.round((now - since) / 1_000)),
    },
  };
}
