import { type AgentTally, listAgentNames, tallyAgents } from '../../../store/discovery-agents.ts';
import { sumGroups } from '../../../store/discovery-groups.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Context } from '../../core/context.ts';
import { isOfSandbox } from '../../domain/advertisers/sandbox.ts';
import { counted } from '../../domain/counted.ts';
import { asResult } from '../../domain/discovery/asking/agent-results.ts';
import { assessmentsOf } from '../../domain/discovery/assessment-results.ts';
import { omittedStill } from '../../domain/discovery/choosing/omitted-still.ts';
import { marketId } from '../../domain/discovery/market-ids.ts';
import { refinementOf } from '../../domain/discovery/refinement.ts';
import { guidanceFor } from '../../domain/discovery/schema.ts';
import { SELLERS_SHOWN } from '../../domain/discovery/seller-lists-schema.ts';
import { sellerPages } from '../../domain/discovery/showing/seller-lists.ts';
import { shownProposals } from '../../domain/discovery/showing/shown-proposals.ts';
import { type Cursor, readPage } from './product-query-page.ts';
import type { Reply } from './product-query-reply-schema.ts';
import type { Input } from './product-query-schema.ts';
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
  const [tally, agents, page, totals, planned, sandbox] = await Promise.all([
    tallyAgents(ctx.db, ctx.scope, id),
    refinedAgents(ctx, session),
    readPage(ctx, session, { sinceRevision, take: pagination.max_results, after }),
    sumGroups(ctx.db, ctx.scope, { id, filter: { sinceRevision } }),
    after === undefined ? shownProposals(ctx, id) : NO_PLANS,
    isOfSandbox(ctx, session),
  ]);
  const complete = session.status === 'complete';
  const { incomplete, ...sellers } = await sellersOf(ctx, session, { tally, debug: ext.interchange.debug });
  const { refinementApplied } = await refinementOf(ctx, session);
  const byAgent = new Map(agents.map((agent) => [agent.agent_id, agent]));
  return {
    status: 'completed',
    message: messageOf(totals.products, tally, complete),
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
        candidate_count: tally.products,
        ...sellers,
        ...(await assessed(ctx, session)),
        ...(complete
          ? {}
          : { retry_with_longer_wait_available: true as const, poll_after_ms: LOOK_AGAIN_MS }),
        ...guidanceOf(seconds, await omittedStill(ctx, session)),
      },
    },
  };
}

function messageOf(products: number, { answered, asked }: AgentTally, complete: boolean): string {
  const found = counted(products, 'product');
  return `${found} of ${answered} of ${counted(asked, 'seller')}${complete ? '.' : ', so far.'}`;
}

/** What is said of sellers one by one: of the first of each list. */
async function sellersOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { tally, debug }: { readonly tally: AgentTally; readonly debug: boolean },
) {
  const pages = sellerPages(ctx, session, { tally, page: { take: SELLERS_SHOWN, skip: 0 } });
  const [asked, pending, unfinished, notes] = await Promise.all([
    pages.of('asked'),
    pages.of('pending'),
    pages.of('unfinished'),
    pages.notes(),
  ]);
  const more = {
    storefront_results: asked.more,
    pending_agents: pending.more,
    incomplete: unfinished.more,
    seller_notes: notes.more,
    ...(debug ? { agent_results: asked.more } : {}),
  };
  return {
    incomplete: gapsOf(tally.pending, unfinished.shown),
    storefront_results: asked.shown.map(storefrontResult),
    ...(pending.shown.length === 0 ? {} : { pending_agents: pending.shown.map(asPending) }),
    ...(notes.shown.length === 0 ? {} : { seller_notes: notes.shown.map(asNote) }),
    ...(debug ? { agent_results: asked.shown.map(asResult) } : {}),
    ...moreSellers(more),
  };
}

function moreSellers(counts: Readonly<Record<string, number>>) {
  const more = Object.entries(counts).filter(([, count]) => count > 0);
  return more.length === 0 ? {} : { more_agents: Object.fromEntries(more) };
}

type Note = Awaited<ReturnType<ReturnType<typeof sellerPages>['notes']>>['shown'][number];

function asNote({ storefrontId, storefrontName, reason, message }: Note) {
  return { storefront_id: storefrontId, storefront_name: storefrontName, reason, message };
}

function asPending(agent: DiscoveryAgentRow) {
  const { agent_id, agent_name, storefront_id, storefront_name } = agent;
  const storefronts = [{ storefront_id: String(storefront_id), storefront_name }];
  return { agent_id, agent_name, storefronts };
}

const NOTHING_RUN = {
  enabled: false,
  status: 'not_run' as const,
  candidates_evaluated: 0,
  accepted: 0,
  rejected: 0,
  refining: 0,
  refinement_limit_reached: 0,
  instructions_read: [],
};

/** Instructions are read by rules, and nobody is charged for that. */
const FREE = { estimated_ius: 0, charged_ius: 0, billing_status: 'included' as const };

async function assessed(ctx: Context, session: DiscoverySessionRow) {
  const { screening, evaluation } = await assessmentsOf(ctx, session);
  const none = { evaluation_passes: 0, ranking_passes: 0, candidates_ranked: 0 };
  return {
    evaluation: { ...(evaluation ?? { ...NOTHING_RUN, ...none }), ...FREE },
    screening: { ...(screening ?? { ...NOTHING_RUN, screening_passes: 0 }), ...FREE },
  };
}

type Named = Awaited<ReturnType<typeof listAgentNames>>[number];

/** The sellers that the changes of the last round name. */
async function refinedAgents(ctx: Context, { id, refinement }: DiscoverySessionRow): Promise<Named[]> {
  const items = refinement === null ? [] : fromJson(refinement);
  const ids = [...new Set(items.flatMap((item) => ('agentId' in item ? (item.agentId ?? []) : [])))];
  return ids.length === 0 ? [] : listAgentNames(ctx.db, ctx.scope, { sessionId: id, ids });
}

type Applied = NonNullable<Awaited<ReturnType<typeof refinementOf>>['refinementApplied']>[number];

function asApplied(
  sessionId: string,
  { scope, id, agentId, status, notes }: Applied,
  agents: ReadonlyMap<string, Named>,
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

function guidanceOf(seconds: number, told: readonly string[]) {
  const { guidance } = guidanceFor(seconds, told);
  if (guidance === undefined) return {};
  return {
    guidance: guidance
      .replace('resultsComplete', 'results_complete')
      .replace('sinceRevision', 'execution_id'),
  };
}
