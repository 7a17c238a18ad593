import type { z } from 'zod';
import type {
  AgentLogEntry,
  AgentTold,
  DiscoveryAgentRow,
  DiscoverySessionRow,
} from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { listMarketSources } from '../../../../store/unscoped/market.ts';
import type { Context } from '../../../core/context.ts';
import { openedWith } from '../../discovery-opening.ts';
import type { agentResult, incompleteSeller, pendingSeller } from '../agent-results-schema.ts';
import { closedWords } from './quiet.ts';
import { asIncomplete, asPending } from './revisions.ts';

/** What each seller of a session did, as the lists of sellers tell it. */

export function toldBy({ told }: Pick<DiscoveryAgentRow, 'told'>): AgentTold {
  return told === null ? {} : fromJson(told);
}

function storefrontsOf({ storefront_id, storefront_name }: DiscoveryAgentRow) {
  return [{ storefrontId: String(storefront_id), storefrontName: storefront_name }];
}

export function asPendingSeller(agent: DiscoveryAgentRow): z.input<typeof pendingSeller> {
  return { ...asPending(agent), storefronts: storefrontsOf(agent) };
}

export function asIncompleteSeller(
  agent: DiscoveryAgentRow,
  session: DiscoverySessionRow,
): z.input<typeof incompleteSeller> {
  const told = {
    ...asIncomplete(agent, session),
    storefronts: storefrontsOf(agent),
    responseTimeMs: agent.response_ms ?? undefined,
  };
  const { incomplete } = toldBy(agent);
  if (agent.state === 'incomplete' || incomplete === undefined) return told;
  const scopes = [...new Set(incomplete.map(({ scope }) => scope))];
  return {
    ...told,
    reason: 'upstream_incomplete',
    message: `The seller answered without all it has: ${scopes.join(', ')}.`,
    incompleteScopes: incomplete.map(({ scope, description, estimated_wait: wait }) => {
      const seconds = wait === undefined ? undefined : secondsOf(wait);
      const estimated = seconds === undefined ? {} : { estimatedWaitSeconds: seconds };
      return { scope, description, ...estimated };
    }),
  };
}

const SECONDS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/** A wait for the end of the campaign has no length. */
function secondsOf({ interval, unit }: { interval: number; unit: string }): number | undefined {
  const each = SECONDS[unit];
  return each === undefined ? undefined : Math.max(1, Math.round(interval * each));
}

export function asResult(agent: DiscoveryAgentRow): z.input<typeof agentResult> {
  const { incomplete, log, raw, invalidProposals } = toldBy(agent);
  const isSkipped = agent.reason === 'no_sandbox';
  return {
    agentId: agent.agent_id,
    agentName: agent.agent_name,
    storefronts: storefrontsOf(agent),
    success: agent.state === 'answered' && !isSkipped,
    timedOut: agent.state === 'incomplete' && agent.reason === 'timeout',
    responseTimeMs: agent.response_ms ?? undefined,
    productCount: agent.products,
    invalidProducts: agent.invalid_products,
    invalidProposals,
    error: agent.state === 'incomplete' ? (agent.message ?? undefined) : undefined,
    ...(isSkipped ? { skipReason: agent.message ?? undefined } : {}),
    ...(incomplete === undefined ? {} : { incomplete: [...incomplete] }),
    ...(raw === undefined ? {} : { rawResponseData: raw }),
    ...(log === undefined ? {} : { debugLogs: log.map(asShown) }),
  };
}

function asShown({ request, response, ...entry }: AgentLogEntry) {
  return {
    ...entry,
    ...(request === undefined ? {} : { request: { ...request } }),
    ...(response === undefined ? {} : { response: { ...response } }),
  };
}

/** Storefronts whose sources are named where they were not asked. */
const SKIPPED_MAX = 50;

/** The sellers behind storefronts that were named and not asked. */
export async function skippedResults(
  ctx: Context,
  session: DiscoverySessionRow,
): Promise<z.input<typeof agentResult>[]> {
  const { notAsked = [] } = openedWith(session);
  const results = await Promise.all(
    notAsked.slice(0, SKIPPED_MAX).map(async ({ storefrontId, storefrontName, reason }) => {
      const sources = await listMarketSources(ctx.db, ctx.scope, storefrontId);
      return sources.map(({ agent_id, name }) => ({
        agentId: agent_id,
        agentName: name,
        storefronts: [{ storefrontId: String(storefrontId), storefrontName }],
        success: false,
        timedOut: false,
        productCount: 0,
        invalidProducts: 0,
        skipReason: closedWords[reason],
      }));
    }),
  );
  return results.flat();
}
