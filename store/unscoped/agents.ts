import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
import { remembered } from '../engine/remembered.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { AgentRegistrationRow } from './agent-registrations.ts';

/** An agent as its tokens are recognised, read in one query. */
export interface Agent
  extends Pick<
    AgentRegistrationRow,
    'id' | 'user_agent' | 'user_id' | 'claimed_organization_id' | 'expires_at' | 'claimed_at'
  > {
  /** The throw-away organization and its account, while nobody has claimed the agent. */
  readonly sandbox_organization_id: number | null;
  readonly sandbox_buyer_id: number | null;
}

const agent = prepared((db, { id }: { id: string }) =>
  unscoped(db)
    .selectFrom('agent_registrations')
    .leftJoin('organizations', (join) =>
      join
        .onRef('organizations.id', '=', 'agent_registrations.sandbox_organization_id')
        .on('organizations.suspended_at', 'is', null),
    )
    .select((eb) => [
      'agent_registrations.id',
      'agent_registrations.user_agent',
      'agent_registrations.user_id',
      'agent_registrations.claimed_organization_id',
      'agent_registrations.expires_at',
      'agent_registrations.claimed_at',
      'organizations.id as sandbox_organization_id',
      eb
        .selectFrom('customers')
        .select((account) => account.fn.min('customers.id').as('id'))
        .whereRef('customers.organization_id', '=', 'organizations.id')
        .as('sandbox_buyer_id'),
    ])
    .where('agent_registrations.id', '=', id)
    .where('agent_registrations.revoked_at', 'is', null),
);

/** The agent with this id that nobody revoked, expired or not. */
export const findAgent = remembered<Agent>((db, id) => agent.first(db, { id }));

/** Agents of one step, and entries of their audit log. */
const AGENTS = 20;
const ENTRIES = 500;

/**
 * Forgets agents that ended before a time, with all they left behind. Gives how many rows it took up: none are
 * left where that is 0. To be called within a transaction.
 */
export async function forgetAgents(tx: Db, before: string): Promise<number> {
  const db = unscoped(tx);
  const ended = await db
    .selectFrom('agent_registrations')
    .select(['id', 'sandbox_organization_id'])
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .limit(AGENTS)
    .execute();
  if (ended.length === 0) return 0;
  const entries = await forgetEntries(db, organizationsOf(ended));
  if (entries > 0) return entries;
  const ids = ended.map(({ id }) => id);
  await db.deleteFrom('agent_claim_attempts').where('registration_id', 'in', ids).execute();
  await db.deleteFrom('agent_refresh_tokens').where('registration_id', 'in', ids).execute();
  await db.deleteFrom('agent_registrations').where('id', 'in', ids).execute();
  await db
    .deleteFrom('installation_log')
    .where('resource_type', '=', 'AGENT')
    .where('resource_id', 'in', ids)
    .execute();
  await forgetOrganizations(db, organizationsOf(ended));
  return ended.length;
}

/** Forgets the throw-away organizations of agents that were claimed before a time. As above. */
export async function forgetOutgrown(tx: Db, claimedBefore: string): Promise<number> {
  const db = unscoped(tx);
  const claimed = await db
    .selectFrom('agent_registrations')
    .select(['id', 'sandbox_organization_id'])
    .where('sandbox_organization_id', 'is not', null)
    .where('claimed_at', '<', claimedBefore)
    .orderBy('id')
    .limit(AGENTS)
    .execute();
  if (claimed.length === 0) return 0;
  const entries = await forgetEntries(db, organizationsOf(claimed));
  if (entries > 0) return entries;
  await db
    .updateTable('agent_registrations')
    .set({ sandbox_organization_id: null })
    .where(
      'id',
      'in',
      claimed.map(({ id }) => id),
    )
    .execute();
  await forgetOrganizations(db, organizationsOf(claimed));
  return claimed.length;
}

/** Forgets refresh tokens and attempts that ended before a time, whatever became of their agents. */
export async function forgetAgentSecrets(tx: Db, before: string): Promise<number> {
  const db = unscoped(tx);
  const tokens = await db
    .deleteFrom('agent_refresh_tokens')
    .where('hash', 'in', (eb) =>
      eb.selectFrom('agent_refresh_tokens').select('hash').where('expires_at', '<', before).limit(ENTRIES),
    )
    .executeTakeFirst();
  const attempts = await db
    .deleteFrom('agent_claim_attempts')
    .where('id', 'in', (eb) =>
      eb.selectFrom('agent_claim_attempts').select('id').where('expires_at', '<', before).limit(ENTRIES),
    )
    .executeTakeFirst();
  return Number(tokens.numDeletedRows + attempts.numDeletedRows);
}

function organizationsOf(agents: readonly { readonly sandbox_organization_id: number | null }[]): number[] {
  return agents.flatMap(({ sandbox_organization_id: id }) => id ?? []);
}

async function forgetEntries(db: Db, organizationIds: readonly number[]): Promise<number> {
  if (organizationIds.length === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('audit_logs')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('audit_logs')
        .select('id')
        .where('organization_id', 'in', [...organizationIds])
        .limit(ENTRIES),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** One that an operator gave keys, people, grants, terms or money is no throw-away any more. */
const KEEPING = ['api_keys', 'memberships', 'grants', 'terms_acceptances', 'ledger_entries'] as const;

async function forgetOrganizations(db: Db, organizationIds: readonly number[]): Promise<void> {
  if (organizationIds.length === 0) return;
  const kept = new Set<number>();
  for (const table of KEEPING) {
    const rows = await db
      .selectFrom(table)
      .select('organization_id')
      .where('organization_id', 'in', [...organizationIds])
      .execute();
    for (const { organization_id } of rows) kept.add(organization_id);
  }
  const ids = organizationIds.filter((id) => !kept.has(id));
  if (ids.length === 0) return;
  await db.deleteFrom('advertisers').where('organization_id', 'in', ids).execute();
  await db.deleteFrom('pricing_rules').where('organization_id', 'in', ids).execute();
  await db.deleteFrom('customers').where('organization_id', 'in', ids).execute();
  await db.deleteFrom('organizations').where('id', 'in', ids).execute();
}
