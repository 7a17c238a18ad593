import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { inPieces } from './engine/pieces.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization, ofOrganization } from './engine/scoped.ts';

export const sessionStatuses = ['collecting', 'complete'] as const;
export const agentStates = ['pending', 'answered', 'incomplete'] as const;
export const incompleteReasons = ['timeout', 'error', 'invalid_response', 'auth_required'] as const;

/** Why a seller that answered shows nothing, or what it shows is not what was asked for. */
export const quietReasons = [
  'channels',
  'countries',
  'publisherDomain',
  'pricingModel',
  'nothing_offered',
  'brief',
] as const;

export type QuietReason = (typeof quietReasons)[number];
export type IncompleteReason = (typeof incompleteReasons)[number];

export interface DiscoverySessionTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  campaign_id: string | null;
  /** What it was opened with, as JSON: kept for the sellers, and for whoever reads it later. */
  request: string;
  status: (typeof sessionStatuses)[number];
  revision: number;
  last_subscription: number;
  owner: string;
  created_at: string;
  completed_at: string | null;
  /** When it was taken out of sight, to be deleted part by part. */
  removed_at: string | null;
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
  reason: IncompleteReason | QuietReason | null;
  message: string | null;
  products: number;
  invalid_products: number;
  revision: number | null;
  settled_at: string | null;
}

export type DiscoverySessionRow = Selectable<DiscoverySessionTable>;
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
export async function countSessions(
  db: Db,
  scope: Scope,
  status?: DiscoverySessionRow['status'],
): Promise<number> {
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

/** Lets nobody else who asks for the same go on before this transaction has ended. */
export async function lockSession(tx: Db, tenant: Tenant, id: string): Promise<void> {
  await tx
    .updateTable('discovery_sessions')
    .set((eb) => ({ last_subscription: eb.ref('last_subscription') }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .execute();
}
