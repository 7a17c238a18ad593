import { z } from 'zod';
import type {
  AgentLogEntry,
  AgentTold,
  DiscoveryAgentRow,
  DiscoverySessionRow,
} from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { incompleteAgent, pendingAgent } from './events.ts';
import { asIncomplete, asPending } from './revisions.ts';

/** What each seller of a session did, for whoever looks into it (contract: AgentDiscoveryResult). */

const storefronts = z
  .array(
    z.object({
      storefrontId: z.string().describe('Id of the storefront.'),
      storefrontName: z.string().describe('Name of the storefront.'),
    }),
  )
  .describe('What it sells for.');

/** A seller that is being asked (contract: PendingDiscoveryAgent). Events name the agent alone. */
export const pendingSeller = pendingAgent.extend({ storefronts });

/** A seller without an answer that can be used (contract: IncompleteDiscoveryAgent). Events name the agent alone. */
export const incompleteSeller = incompleteAgent.extend({
  storefronts,
  responseTimeMs: z
    .number()
    .int()
    .optional()
    .describe('How long its answer took, in milliseconds; absent where none came.'),
});

/** Looked into by people, seldom: hosts are shown that they are objects. */
const entry = z.looseObject({});

const agentResult = z.object({
  agentId: z.string().describe('Id of the sales agent.'),
  agentName: z.string().describe('Name of the sales agent.'),
  storefronts: z.array(entry).describe('What it sells for: storefrontId, storefrontName.'),
  success: z.boolean().describe('Whether it answered.'),
  timedOut: z.boolean().describe('Whether it took too long.'),
  responseTimeMs: z.number().int().optional().describe('How long its answer took.'),
  productCount: z.number().int().describe('Products it brought.'),
  invalidProducts: z.number().int().describe('Products of its answer that could not be used.'),
  invalidProposals: z.number().int().optional().describe('The same of its proposals.'),
  error: z.string().optional().describe('What went wrong.'),
  incomplete: z
    .array(entry)
    .optional()
    .describe('What it could not finish: scope, description, estimated_wait.'),
  debugLogs: z.array(entry).optional().describe('What was said, where discover_products had debug.'),
});

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
  return {
    ...asIncomplete(agent, session),
    storefronts: storefrontsOf(agent),
    responseTimeMs: agent.response_ms ?? undefined,
  };
}

export function asResult(agent: DiscoveryAgentRow): z.input<typeof agentResult> {
  const { incomplete, log, invalidProposals } = toldBy(agent);
  return {
    agentId: agent.agent_id,
    agentName: agent.agent_name,
    storefronts: storefrontsOf(agent),
    success: agent.state === 'answered',
    timedOut: agent.state === 'incomplete' && agent.reason === 'timeout',
    responseTimeMs: agent.response_ms ?? undefined,
    productCount: agent.products,
    invalidProducts: agent.invalid_products,
    invalidProposals,
    error: agent.state === 'incomplete' ? (agent.message ?? undefined) : undefined,
    ...(incomplete === undefined ? {} : { incomplete: [...incomplete] }),
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
