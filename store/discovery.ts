import { type Selectable, sql } from 'kysely';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Page } from './engine/paging.ts';
import type { Scope } from './engine/scope.ts';

export const sessionStatuses = ['collecting', 'complete'] as const;
export const agentStates = ['pending', 'answered', 'incomplete'] as const;
export const incompleteReasons = ['timeout', 'error', 'invalid_response', 'auth_required'] as const;

export type IncompleteReason = (typeof incompleteReasons)[number];

/** What a session was opened with; kept as given, for the sellers and for whoever reads it later. */
export interface DiscoveryRequest {
  readonly brief?: string | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly budgetMinor?: number | undefined;
  readonly currency: string;
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly publisherDomain?: string | undefined;
  readonly pricingModel?: string | undefined;
}

export interface DiscoverySessionTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  campaign_id: string | null;
  request: JsonText<DiscoveryRequest>;
  status: (typeof sessionStatuses)[number];
  revision: number;
  last_subscription: number;
  owner: string;
  created_at: string;
  completed_at: string | null;
}

export interface DiscoveryAgentTable {
  organization_id: number;
  session_id: string;
  agent_id: string;
  agent_name: string;
  storefront_id: number;
  storefront_name: string;
  state: (typeof agentStates)[number];
  reason: IncompleteReason | null;
  message: string | null;
  products: number;
  invalid_products: number;
  revision: number | null;
  settled_at: string | null;
}

export interface DiscoveryGroupTable {
  organization_id: number;
  session_id: string;
  group_id: string;
  position: number;
  revision: number;
  name: string;
  agent_id: string;
  storefront_id: number;
  publisher_domain: string;
  product_count: number;
  price_count: number;
  /** Ten-thousandths of the currency's unit. */
  price_min: number | null;
  price_max: number | null;
  price_sum: number;
  products: string;
}

export interface DiscoveryRevisionTable {
  organization_id: number;
  session_id: string;
  revision: number;
  complete: Flag;
  payload: string;
  created_at: string;
}

export type DiscoverySessionRow = Selectable<DiscoverySessionTable>;
export type DiscoveryAgentRow = Selectable<DiscoveryAgentTable>;
export type DiscoveryGroupRow = Selectable<DiscoveryGroupTable>;
export type DiscoveryRevisionRow = Selectable<DiscoveryRevisionTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_sessions: DiscoverySessionTable;
    discovery_agents: DiscoveryAgentTable;
    discovery_groups: DiscoveryGroupTable;
    discovery_revisions: DiscoveryRevisionTable;
  }
}

export async function insertSession(
  db: Db,
  session: DiscoverySessionRow,
  agents: readonly DiscoveryAgentRow[],
): Promise<void> {
  await db.insertInto('discovery_sessions').values(session).execute();
  if (agents.length > 0)
    await db
      .insertInto('discovery_agents')
      .values([...agents])
      .execute();
}

/** A session of the caller's organization, whether or not its grants reach it. */
export function findSession(db: Db, scope: Scope, id: string): Promise<DiscoverySessionRow | undefined> {
  return db
    .selectFrom('discovery_sessions')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function listAgents(db: Db, scope: Scope, sessionId: string): Promise<DiscoveryAgentRow[]> {
  return db
    .selectFrom('discovery_agents')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('session_id', '=', sessionId)
    .orderBy('storefront_id')
    .orderBy('agent_id')
    .execute();
}

/** Which groups of a session a reader wants. */
export interface GroupFilter {
  readonly sinceRevision: number;
  readonly publisherDomain?: string | undefined;
  readonly storefrontIds?: readonly number[] | undefined;
}

function groupsOf(db: Db, scope: Scope, session: { id: string; filter: GroupFilter }) {
  const { publisherDomain, storefrontIds, sinceRevision } = session.filter;
  const domain = (publisherDomain ?? '').toLowerCase();
  return db
    .selectFrom('discovery_groups')
    .where('organization_id', '=', scope.organizationId)
    .where('session_id', '=', session.id)
    .where('revision', '>', sinceRevision)
    .$if(storefrontIds !== undefined, (query) =>
      // A list in SQL must not be empty, and 0 is nobody's id.
      query.where('storefront_id', 'in', [0, ...(storefrontIds ?? [])]),
    )
    .$if(publisherDomain !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('publisher_domain', '=', domain),
          sql<boolean>`publisher_domain like ${`%.${domain.replace(/[\\%_]/g, (c) => `\\${c}`)}`} escape '\\'`,
        ]),
      ),
    );
}

/** One page of groups, in the order in which they landed. Served by `discovery_groups_by_position`. */
export function listGroups(
  db: Db,
  scope: Scope,
  session: { id: string; filter: GroupFilter; page: Page },
): Promise<DiscoveryGroupRow[]> {
  return groupsOf(db, scope, session)
    .selectAll()
    .orderBy('position')
    .limit(session.page.take)
    .offset(session.page.skip)
    .execute();
}

export interface GroupTotals {
  readonly groups: number;
  readonly products: number;
  readonly publishers: number;
  readonly price_count: number;
  readonly price_sum: number;
  readonly price_min: number | null;
  readonly price_max: number | null;
}

export async function sumGroups(
  db: Db,
  scope: Scope,
  session: { id: string; filter: GroupFilter },
): Promise<GroupTotals> {
  const row = await groupsOf(db, scope, session)
    .select((eb) => [
      eb.fn.countAll<number>().as('groups'),
      eb.fn.sum<number | string | null>('product_count').as('products'),
      sql<number>`count(distinct publisher_domain)`.as('publishers'),
      eb.fn.sum<number | string | null>('price_count').as('price_count'),
      eb.fn.sum<number | string | null>('price_sum').as('price_sum'),
      eb.fn.min('price_min').as('price_min'),
      eb.fn.max('price_max').as('price_max'),
    ])
    .executeTakeFirstOrThrow();
  return {
    ...row,
    products: Number(row.products ?? 0),
    price_count: Number(row.price_count ?? 0),
    price_sum: Number(row.price_sum ?? 0),
  };
}

/** The groups of a session that may hold a product; the caller looks inside. */
export function listGroupsWithProduct(
  db: Db,
  scope: Scope,
  session: { id: string; productId: string },
): Promise<DiscoveryGroupRow[]> {
  const needle = `%${JSON.stringify(session.productId).replace(/[\\%_]/g, (c) => `\\${c}`)}%`;
  return db
    .selectFrom('discovery_groups')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('session_id', '=', session.id)
    .where(sql<boolean>`products like ${needle} escape '\\'`)
    .orderBy('position')
    .execute();
}

/** The revisions after one, oldest first: what a stream that was interrupted has missed. */
export function listRevisionsAfter(
  db: Db,
  scope: Scope,
  session: { id: string; revision: number; limit: number },
): Promise<DiscoveryRevisionRow[]> {
  return db
    .selectFrom('discovery_revisions')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .where('session_id', '=', session.id)
    .where('revision', '>', session.revision)
    .orderBy('revision')
    .limit(session.limit)
    .execute();
}

/** What one landing changes: the session, the sellers that settled, the groups they brought. */
export interface Landing {
  readonly session: DiscoverySessionRow;
  readonly settled: readonly DiscoveryAgentRow[];
  readonly groups: readonly DiscoveryGroupRow[];
  readonly revision: DiscoveryRevisionRow;
}

/** Stores a revision. The session must still be at the one before. */
export async function insertLanding(db: Db, landing: Landing): Promise<boolean> {
  const { session, settled, groups, revision } = landing;
  const { numUpdatedRows } = await db
    .updateTable('discovery_sessions')
    .set({ revision: session.revision, status: session.status, completed_at: session.completed_at })
    .where('organization_id', '=', session.organization_id)
    .where('id', '=', session.id)
    .where('revision', '=', session.revision - 1)
    .where('status', '=', 'collecting')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  for (const agent of settled) {
    await db
      .updateTable('discovery_agents')
      .set(agent)
      .where('organization_id', '=', agent.organization_id)
      .where('session_id', '=', agent.session_id)
      .where('agent_id', '=', agent.agent_id)
      .execute();
  }
  if (groups.length > 0)
    await db
      .insertInto('discovery_groups')
      .values([...groups])
      .execute();
  await db.insertInto('discovery_revisions').values(revision).execute();
  return true;
}
