import type { AgentTally } from '../../../../store/discovery-agents.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';

/** How far a session has come that still collects, storefront by storefront; nothing of one that is complete. Pure. */
export function progressOf(
  session: Pick<DiscoverySessionRow, 'status' | 'created_at' | 'asked_at'>,
  { storefronts, waiting }: Pick<AgentTally, 'storefronts' | 'waiting'>,
  now: number,
) {
  if (session.status === 'complete') return {};
  const since = Date.parse(session.asked_at ?? session.created_at);
  return {
    retryWithLongerWaitAvailable: true as const,
    progress: {
      respondedStorefrontCount: storefronts - waiting,
      totalStorefrontCount: storefronts,
      waitSeconds: Math.max(1, Math.round((now - since) / 1_000)),
    },
  };
}
