import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';
import type { Tenant } from '../engine/scope.ts';

export const agentKinds = ['anonymous', 'service_auth'] as const;

export interface AgentRegistrationTable {
  /** `agent_reg_…` */
  id: string;
  kind: (typeof agentKinds)[number];
  /** SHA-256 of the claim token, lowercase hex. */
  claim_hash: string;
  /** What the agent calls itself in its requests; data. */
  user_agent: string;
  /** SHA-256 of the address it came from, lowercase hex. */
  ip_hash: string;
  /** The throw-away organization that an anonymous agent reads in until it is claimed. */
  sandbox_organization_id: number | null;
  /** Who claimed it. */
  user_id: number | null;
  /** Where it works since. */
  claimed_organization_id: number | null;
  created_at: string;
  /** When it ends by itself: unclaimed after its first day, claimed with the last refresh token. */
  expires_at: string;
  claimed_at: string | null;
  revoked_at: string | null;
}

export type AgentRegistrationRow = Selectable<AgentRegistrationTable>;

declare module '../engine/database.ts' {
  interface Database {
    agent_registrations: AgentRegistrationTable;
  }
}

export async function insertAgentRegistration(db: Db, registration: AgentRegistrationRow): Promise<void> {
  await db.insertInto('agent_registrations').values(registration).execute();
}

/** The registration that a claim token belongs to, whatever became of it. */
export function findAgentByClaim(db: Db, claimHash: string): Promise<AgentRegistrationRow | undefined> {
  return db
    .selectFrom('agent_registrations')
    .selectAll()
    .where('claim_hash', '=', claimHash)
    .executeTakeFirst();
}

export function findAgentRegistration(db: Db, id: string): Promise<AgentRegistrationRow | undefined> {
  return db.selectFrom('agent_registrations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Holds a registration until the transaction ends, as `lockUser` does a person. */
export async function lockAgent(db: Db, id: string): Promise<void> {
  await db
    .updateTable('agent_registrations')
    .set(({ ref }) => ({ user_agent: ref('user_agent') }))
    .where('id', '=', id)
    .execute();
}

/** How an agent is claimed: by whom, for which organization, and until when it then lives. */
export interface Claim {
  readonly id: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly now: string;
  readonly expiresAt: string;
}

/** Claims an agent that nobody claimed, that lives and was not revoked: one call of many is told true. */
export async function claimAgent(db: Db, claim: Claim): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agent_registrations')
    .set({
      user_id: claim.userId,
      claimed_organization_id: claim.organizationId,
      claimed_at: claim.now,
      expires_at: claim.expiresAt,
    })
    .where('id', '=', claim.id)
    .where('claimed_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', claim.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets a claimed agent live on. False for one that was revoked or is over. */
export async function prolongAgent(
  db: Db,
  { id, now, expiresAt }: { readonly id: string; readonly now: string; readonly expiresAt: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agent_registrations')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('claimed_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends an agent at once, with all it holds. False for one that was ended before. */
export async function revokeAgent(db: Db, { id, now }: { id: string; now: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agent_registrations')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether agents work for an organization, or did: its first one deserves a second look. */
export async function hasAgents(db: Db, { organizationId }: Tenant): Promise<boolean> {
  const row = await db
    .selectFrom('agent_registrations')
    .select('id')
    .where('claimed_organization_id', '=', organizationId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The agents that a person claimed and that go on, the newest first. */
export function listAgentsOf(
  db: Db,
  { userId, now }: { userId: number; now: string },
): Promise<AgentRegistrationRow[]> {
  return db
    .selectFrom('agent_registrations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('claimed_at', 'desc')
    .orderBy('id')
    .execute();
}
