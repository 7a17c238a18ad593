import { sumGroups } from '../../../store/discovery-groups.ts';
import {
  type DiscoveryAgentRow,
  type DiscoverySessionRow,
  listAgents,
} from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { isOfSandbox } from '../../domain/advertisers/sandbox.ts';
import { asResult } from '../../domain/discovery/agent-results.ts';
import { assessmentsOf } from '../../domain/discovery/assessment-results.ts';
import { marketId } from '../../domain/discovery/market-ids.ts';
import { notesOf } from '../../domain/discovery/quiet.ts';
import { refinementOf } from '../../domain/discovery/refinement.ts';
import { guidanceFor } from '../../domain/discovery/schema.ts';
import { shownProposals } from '../../domain/discovery/shown-proposals.ts';
import { openedWith } from '../../domain/opening.ts';
import { type Cursor, readPage } from './product-query-page.ts';
import type { Input, Reply } from './product-query-schema.ts';
import {
  adcpProduct,
  adcpProposal,
  gapsOf,
  storefrontResult,
  withoutAbsent,
} from './product-query-shapes.ts';

/** How soon to look again while sellers are being asked, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/** They are all on the first page. */
const NO_PLANS: Awaited<ReturnType<typeof shownProposals>> = {};

interface Asked {
  readonly request: Input;
  readonly after: Cursor | undefined;
  /** How long the caller would have waited, in seconds. */
  readonly seconds: number;
}

/** The query as it stands, one page of it, in the words of AdCP. */
export async function readReply(
  ctx: Context,
  session: DiscoverySessionRow,
  { request, after, seconds }: Asked,
): Promise<Reply> {
  const { id, revision } = session;
  const { fields, pagination, ext } = request;
  const sinceRevision = after?.sinceRevision ?? ext.interchange.since_revision;
  const [agents, page, totals, planned, sandbox] = await Promise.all([
    listAgents(ctx.db, ctx.scope, id),
    readPage(ctx, session, { sinceRevision, take: pagination.max_results, after }),
    sumGroups(ctx.db, ctx.scope, { id, filter: { sinceRevision } }),
    after === undefined ? shownProposals(ctx, id) : NO_PLANS,
    isOfSandbox(ctx, session),
  ]);
  const complete = session.status === 'complete';
  const incomplete = gapsOf(agents);
  const { refinementApplied } = refinementOf(session, agents);
  const byAgent = new Map(agents.map((agent) => [agent.agent_id, agent]));
  return {
    status: 'completed',
    message: messageOf(totals.products, agents, complete),
    adcp_major_version: 3,
    products: page.products.map((shown) => adcpProduct(id, shown, fields)),
    ...(planned.proposals === undefined
      ? {}
      : { proposals: planned.proposals.map((one) => adcpProposal(id, one)) }),
    ...(refinementApplied === undefined
      ? {}
      : { refinement_applied: refinementApplied.map((one) => asApplied(id, one, byAgent)) }),
    ...(incomplete.length === 0 ? {} : { incomplete }),
    pagination: {
      has_more: page.cursor !== undefined,
      cursor: page.cursor,
      total_count: totals.products,
    },
    cache_scope: 'account',
    sandbox,
    ext: {
      interchange: {
        execution_id: id,
        revision,
        results_complete: complete,
        provisional: !complete,
        candidate_count: agents.reduce((sum, { products }) => sum + products, 0),
        ...sellersOf(session, agents),
        ...assessed(session, agents),
        ...(ext.interchange.debug ? { agent_results: agents.map(asResult) } : {}),
        ...(complete
          ? {}
          : { retry_with_longer_wait_available: true as const, poll_after_ms: LOOK_AGAIN_MS }),
        ...guidanceOf(seconds),
      },
    },
  };
}

function messageOf(products: number, agents: readonly DiscoveryAgentRow[], complete: boolean): string {
  const found = products === 1 ? '1 product' : `${products} products`;
  const answered = agents.filter(({ state }) => state === 'answered').length;
  return `${found} of ${answered} of ${agents.length} sellers${complete ? '.' : ', so far.'}`;
}

function sellersOf(session: DiscoverySessionRow, agents: readonly DiscoveryAgentRow[]) {
  const pending = agents.filter(({ state }) => state === 'pending');
  const notes = notesOf(openedWith(session).notAsked ?? [], agents).map((note) => {
    const { storefrontId, storefrontName, reason, message } = note;
    return { storefront_id: storefrontId, storefront_name: storefrontName, reason, message };
  });
  return {
    storefront_results: agents.map(storefrontResult),
    ...(pending.length === 0 ? {} : { pending_agents: pending.map(asPending) }),
    ...(notes.length === 0 ? {} : { seller_notes: notes }),
  };
}

function asPending(agent: DiscoveryAgentRow) {
  const { agent_id, agent_name, storefront_id, storefront_name } = agent;
  const storefronts = [{ storefront_id: String(storefront_id), storefront_name }];
  return { agent_id, agent_name, storefronts };
}

const NOTHING_RUN = {
  enabled: false,
  status: 'not_run',
  candidates_evaluated: 0,
  accepted: 0,
  rejected: 0,
  refining: 0,
  refinement_limit_reached: 0,
};

/** Instructions are read by rules, and nobody is charged for that. */
const FREE = { estimated_ius: 0, charged_ius: 0, billing_status: 'included' };

function assessed(session: DiscoverySessionRow, agents: readonly DiscoveryAgentRow[]) {
  const { screening, evaluation } = assessmentsOf(session, agents);
  const none = { evaluation_passes: 0, ranking_passes: 0, candidates_ranked: 0 };
  return {
    evaluation: { ...(evaluation ?? { ...NOTHING_RUN, ...none }), ...FREE },
    screening: { ...(screening ?? { ...NOTHING_RUN, screening_passes: 0 }), ...FREE },
  };
}

type Applied = NonNullable<ReturnType<typeof refinementOf>['refinementApplied']>[number];

function asApplied(
  sessionId: string,
  { scope, id, agentId, status, notes }: Applied,
  agents: ReadonlyMap<string, DiscoveryAgentRow>,
) {
  const agent = agentId === undefined ? undefined : agents.get(agentId);
  if (scope === 'request' || id === undefined) return withoutAbsent({ scope, status, notes });
  const named =
    agent === undefined
      ? id
      : marketId(scope, {
          storefrontId: String(agent.storefront_id),
          sessionId,
          agentId: agent.agent_id,
          sourceId: id,
        });
  return withoutAbsent({ scope, [`${scope}_id`]: named, status, notes });
}

function guidanceOf(seconds: number) {
  const { guidance } = guidanceFor(seconds);
  if (guidance === undefined) return {};
  return {
    guidance: guidance
      .replace('resultsComplete', 'results_complete')
      .replace('sinceRevision', 'execution_id'),
  };
}
