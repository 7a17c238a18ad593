import type { Generated, Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { inPieces } from './engine/pieces.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization, ofOrganization } from './engine/scoped.ts';

export const sessionStatuses = ['collecting', 'complete'] as const;
const agentStates = ['pending', 'answered', 'incomplete'] as const;
export const incompleteReasons = ['timeout', 'error', 'invalid_response', 'auth_required'] as const;

const termReasons = ['deliveryType', 'isFixedPrice', 'exclusivity', 'minExposures', 'budgetRange'] as const;
/** Why a seller that answered shows nothing, or not what was asked for; no_sandbox: it told what it declares alone. */
export const quietReasons = [
  'channels',
  'countries',
  'publisherDomain',
  'pricingModel',
  ...termReasons,
  'screening',
  'evaluation',
  'refine',
  'no_room',
  'nothing_offered',
  'no_sandbox',
  'brief',
] as const;
type Status = (typeof sessionStatuses)[number];
export type IncompleteReason = (typeof incompleteReasons)[number];

export interface DiscoverySessionTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  campaign_id: string | null;
  /** What it was opened with, as JSON: kept for the sellers, and for whoever reads it later. */
  request: string;
  status: Status;
  revision: number;
  last_subscription: number;
  owner: string;
  created_at: string;
  completed_at: string | null;
  /** When it was taken out of sight, to be deleted part by part. */
  removed_at: string | null;
  /** When its sellers were asked once more; null while they were asked once. */
  asked_at: string | null;
  /** What they were asked to change then; null where they were asked the same again. */
  refinement: JsonText<readonly RefinementItem[]> | null;
  /** What its products, proposals and revisions took when they were stored. */
  bytes: Generated<number>;
}

/** A change of what was found, as a caller asks for it (contract: DiscoveryRefinementItem). */
export type RefinementItem =
  | { readonly scope: 'request'; readonly ask: string }
  | (OfOne & { readonly scope: 'product'; readonly action: 'include' | 'omit' | 'more_like_this' })
  | (OfOne & { readonly scope: 'proposal'; readonly action: 'include' | 'omit' | 'finalize' });

interface OfOne {
  readonly id: string;
  /** Whose it is, where the caller says so. */
  readonly agentId?: string | undefined;
  readonly ask?: string | undefined;
}

export const refinementStatuses = ['applied', 'partial', 'unable'] as const;
export const incompleteScopes = ['products', 'pricing', 'forecast', 'proposals', 'wholesale_feed'] as const;

/** What a seller said beside its products, and what it was asked; each part only where there is something. */
export interface AgentTold {
  /** What it could not finish in the time it had. */
  readonly incomplete?: readonly {
    readonly scope: (typeof incompleteScopes)[number];
    readonly description: string;
    readonly estimated_wait?: { readonly interval: number; readonly unit: string };
  }[];
  /** What became of each change that was asked of it, by its place in the request. */
  readonly refinement?: readonly {
    readonly index: number;
    readonly status: (typeof refinementStatuses)[number];
    readonly notes?: string | undefined;
  }[];
  /** What its products came to under the instructions of the session. */
  readonly assessment?: {
    readonly screening?: AssessmentTally | undefined;
    readonly evaluation?: AssessmentTally | undefined;
  };
  /** Proposals of its answer that could not be used. */
  readonly invalidProposals?: number;
  /** The conversation with it and its last answer, of sessions that are to be looked into: cut, without secrets. */
  readonly log?: readonly AgentLogEntry[];
  readonly raw?: unknown;
}

/** Products of one seller that were held against instructions, counted. */
export interface AssessmentTally {
  /** How often its answers were gone through. */
  readonly passes: number;
  readonly evaluated: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Of the rejected, those whose seller was told what they miss, as often as was allowed. */
  readonly limitReached: number;
  readonly ranked: number;
  /** Products that nobody looked at. */
  readonly passedBy?: number;
}

export interface AgentLogEntry {
  readonly timestamp: string;
  readonly type: 'request' | 'response' | 'error';
  readonly message: string;
  readonly request?: object;
  readonly response?: object;
}

export interface DiscoveryAgentTable {
  organization_id: number;
  session_id: string;
  agent_id: string;
  agent_name: string;
  storefront_id: number;
  storefront_name: string;
  state: (typeof agentStates)[number];
  /** Of a seller that is incomplete, why; of one that answered, what there is to say about its answer. */
  reason: IncompleteReason | (typeof quietReasons)[number] | null;
  message: string | null;
  products: number;
  invalid_products: number;
  revision: number | null;
  settled_at: string | null;
  /** Milliseconds from asking it to its answer; null where there was none. */
  response_ms: number | null;
  told: JsonText<AgentTold> | null;
}

export type DiscoverySessionRow = Omit<Selectable<DiscoverySessionTable>, 'bytes'>;
export type DiscoveryAgentRow = Selectable<DiscoveryAgentTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_sessions: DiscoverySessionTable;
    discovery_agents: DiscoveryAgentTable;
  }
}

/** Begins a session with the sellers that it asks. */
export async function insertSession(
  db: Db,
  tenant: Tenant,
  begun: { session: DiscoverySessionRow; agents: readonly DiscoveryAgentRow[] },
): Promise<void> {
  await db.insertInto('discovery_sessions').values(ofOrganization(tenant, begun.session)).execute();
  const agents = begun.agents.map((agent) => ofOrganization(tenant, agent));
  await inPieces(agents, (piece) => db.insertInto('discovery_agents').values(piece).execute());
}

/** A session of the caller's organization, whether or not its grants reach it. */
export function findSession(db: Db, scope: Scope, id: string): Promise<DiscoverySessionRow | undefined> {
  return db
    .selectFrom('discovery_sessions')
    .selectAll()
    .$call(inOrganization(scope))
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

/** How many sessions the account has, of one status or of any. Served by `discovery_sessions_by_customer`. */
export async function countSessions(db: Db, scope: Scope, status?: Status): Promise<number> {
  const { total } = await db
    .selectFrom('discovery_sessions')
    .select((eb) => eb.fn.countAll().as('total'))
    .$call(inAccount(scope))
    .where('removed_at', 'is', null)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'collecting'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export function listAgents(db: Db, scope: Scope, sessionId: string): Promise<DiscoveryAgentRow[]> {
  return db
    .selectFrom('discovery_agents')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .orderBy('storefront_id')
    .orderBy('agent_id')
    .execute();
}

/** Has a complete session go on in the status given. False when it was not at this revision, or not complete. */
export async function reopenSession(
  db: Db,
  tenant: Tenant,
  reopened: { session: DiscoverySessionRow; agents: readonly DiscoveryAgentRow[] },
): Promise<boolean> {
  const { id, status, revision, owner, asked_at, refinement } = reopened.session;
  const { numUpdatedRows } = await db
    .updateTable('discovery_sessions')
    .set({ status, completed_at: null, owner, asked_at, refinement })
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('status', '=', 'complete')
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await putAgents(db, tenant, reopened.agents);
  return true;
}

/** Writes what became of sellers that are there already: many of them in one statement. */
export async function putAgents(db: Db, tenant: Tenant, agents: readonly DiscoveryAgentRow[]): Promise<void> {
  const rows = agents.map((agent) => ofOrganization(tenant, agent));
  await inPieces(rows, (piece) =>
    db
      .insertInto('discovery_agents')
      .values(piece)
      .onConflict((key) =>
        key
          .columns(['session_id', 'agent_id'])
          .doUpdateSet((eb) => ({
            state: eb.ref('excluded.state'),
            reason: eb.ref('excluded.reason'),
            message: eb.ref('excluded.message'),
            products: eb.ref('excluded.products'),
            invalid_products: eb.ref('excluded.invalid_products'),
            revision: eb.ref('excluded.revision'),
            settled_at: eb.ref('excluded.settled_at'),
            response_ms: eb.ref('excluded.response_ms'),
            told: eb.ref('excluded.told'),
          }))
          .where('discovery_agents.organization_id', '=', tenant.organizationId),
      )
      .execute(),
  );
}

/** Lets nobody else who asks for the same go on before this transaction has ended. */
export async function lockSession(tx: Db, tenant: Tenant, id: string): Promise<void> {
  await tx
    .updateTable('discovery_sessions')
    .set((eb) => ({ last_subscription: eb.ref('last_subscription') }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .execute();
}
