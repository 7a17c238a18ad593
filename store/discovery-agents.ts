import { sql } from 'kysely';
import { type DiscoveryAgentRow, quietReasons } from './discovery-sessions.ts';
import type { Db } from './engine/db.ts';
import { hasField } from './engine/json-values.ts';
import type { Page } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/**
 * The sellers of a session as far as an answer shows them: counted by the database, and a page of one kind. A
 * session may ask thousands, and what each of them said is kept.
 */

export const agentKinds = ['asked', 'pending', 'unfinished', 'quiet', 'refused'] as const;
/**
 * asked: all of them. pending: they have not answered. unfinished: they will not, or said that they did not give
 * all. quiet: there is something to say of their answer. refused: they want another credential.
 */
export type AgentKind = (typeof agentKinds)[number];

function isOfKind(db: Db, kind: AgentKind) {
  const answered = sql<boolean>`state = 'answered'`;
  const quiet = sql.join(quietReasons.map((reason) => sql.lit(reason)));
  const conditions: Readonly<Record<AgentKind, ReturnType<typeof sql<boolean>>>> = {
    asked: sql<boolean>`session_id is not null`,
    pending: sql<boolean>`state = 'pending'`,
    unfinished: sql<boolean>`(state = 'incomplete' or (${answered} and ${hasField(db, 'told', 'incomplete')}))`,
    quiet: sql<boolean>`(${answered} and reason in (${quiet}))`,
    refused: sql<boolean>`(state = 'incomplete' and reason = 'auth_required')`,
  };
  return conditions[kind];
}

export type AgentTally = Readonly<
  Record<
    | AgentKind
    | 'answered'
    /** Storefronts behind all of them, and behind those that have not answered. */
    | 'storefronts'
    | 'waiting'
    /** Products that were found. */
    | 'products'
    /** Sellers that show products, and those of them that found nothing for the brief. */
    | 'showing'
    | 'unmatched',
    number
  >
>;

/** How the sellers of a session stand, in figures. */
export async function tallyAgents(db: Db, scope: Scope, sessionId: string): Promise<AgentTally> {
  const count = (which: ReturnType<typeof isOfKind>) => sql<number>`count(case when ${which} then 1 end)`;
  const counted = await db
    .selectFrom('discovery_agents')
    .select([
      ...agentKinds.map((kind) => count(isOfKind(db, kind)).as(kind)),
      count(sql<boolean>`state = 'answered'`).as('answered'),
      sql<number>`count(distinct storefront_id)`.as('storefronts'),
      sql<number>`count(distinct case when state = 'pending' then storefront_id end)`.as('waiting'),
      sql<number>`coalesce(sum(products), 0)`.as('products'),
      count(sql<boolean>`state = 'answered' and products > 0`).as('showing'),
      count(sql<boolean>`state = 'answered' and products > 0 and reason = 'brief'`).as('unmatched'),
    ])
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const numberOf = (name: keyof AgentTally) => Number(counted[name]);
  return {
    asked: numberOf('asked'),
    pending: numberOf('pending'),
    unfinished: numberOf('unfinished'),
    quiet: numberOf('quiet'),
    refused: numberOf('refused'),
    answered: numberOf('answered'),
    storefronts: numberOf('storefronts'),
    waiting: numberOf('waiting'),
    products: numberOf('products'),
    showing: numberOf('showing'),
    unmatched: numberOf('unmatched'),
  };
}

/** A page of the sellers of one kind, in the order of their storefronts. */
export function pageOfAgents(
  db: Db,
  scope: Scope,
  { sessionId, kind, page }: { readonly sessionId: string; readonly kind: AgentKind; readonly page: Page },
): Promise<DiscoveryAgentRow[]> {
  return db
    .selectFrom('discovery_agents')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .$if(kind !== 'asked', (query) => query.where(isOfKind(db, kind)))
    .orderBy('storefront_id')
    .orderBy('agent_id')
    .limit(page.take)
    .offset(page.skip)
    .execute();
}

type NamedAgent = Pick<
  DiscoveryAgentRow,
  'agent_id' | 'agent_name' | 'storefront_id' | 'storefront_name' | 'state' | 'products'
>;

/** The sellers of a session by name, without what they said. */
function namedAgents(db: Db, scope: Scope, sessionId: string) {
  return db
    .selectFrom('discovery_agents')
    .select(['agent_id', 'agent_name', 'storefront_id', 'storefront_name', 'state', 'products'])
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId);
}

/** Some of them. */
export function listAgentNames(
  db: Db,
  scope: Scope,
  { sessionId, ids }: { readonly sessionId: string; readonly ids: readonly string[] },
): Promise<NamedAgent[]> {
  return namedAgents(db, scope, sessionId).where('agent_id', 'in', ids).execute();
}

/** The first of those that landed with a revision. */
export function listLanded(
  db: Db,
  scope: Scope,
  {
    sessionId,
    revision,
    limit,
  }: { readonly sessionId: string; readonly revision: number; readonly limit: number },
): Promise<NamedAgent[]> {
  return namedAgents(db, scope, sessionId)
    .where('revision', '=', revision)
    .where('state', '!=', 'pending')
    .orderBy('storefront_id')
    .orderBy('agent_id')
    .limit(limit)
    .execute();
}

/** Where the sellers of a session sell, without what they said; those of some storefronts, or all. */
export function listAgentPlaces(
  db: Db,
  scope: Scope,
  { sessionId, storefrontIds }: { readonly sessionId: string; readonly storefrontIds?: readonly number[] },
): Promise<Pick<DiscoveryAgentRow, 'agent_id' | 'storefront_id' | 'storefront_name'>[]> {
  return db
    .selectFrom('discovery_agents')
    .select(['agent_id', 'storefront_id', 'storefront_name'])
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .$if(storefrontIds !== undefined, (query) =>
      query.where(isOneOf(db, 'storefront_id', storefrontIds ?? [])),
    )
    .orderBy('storefront_id')
    .orderBy('agent_id')
    .execute();
}
