import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface AgentClaimAttemptTable {
  id: string;
  registration_id: string;
  /** SHA-256 of the token in the address that the person opens, lowercase hex. */
  token_hash: string;
  /** The address of the person who is to claim the agent, in lower case: as the agent was told, not yet proven. */
  login_hint: string;
  /** What the agent called itself when it asked for this attempt; data. */
  user_agent: string;
  /** Where it asked from. */
  ip: string;
  created_at: string;
  expires_at: string;
  /** Codes that were tried. */
  tries: number;
  /** Of the code that the person was shown; null until the person confirmed. */
  code_hash: string | null;
  confirmed_by: number | null;
  chosen_organization_id: number | null;
  confirmed_at: string | null;
  /** Since when it leads nowhere: used, refused, superseded, or out of tries. */
  ended_at: string | null;
}

export type AgentClaimAttemptRow = Selectable<AgentClaimAttemptTable>;

declare module '../engine/database.ts' {
  interface Database {
    agent_claim_attempts: AgentClaimAttemptTable;
  }
}

/** A new attempt takes the place of those before it. */
export async function insertClaimAttempt(
  db: Db,
  attempt: Omit<
    AgentClaimAttemptRow,
    'tries' | 'code_hash' | 'confirmed_by' | 'chosen_organization_id' | 'confirmed_at' | 'ended_at'
  >,
): Promise<void> {
  await db
    .updateTable('agent_claim_attempts')
    .set({ ended_at: attempt.created_at })
    .where('registration_id', '=', attempt.registration_id)
    .where('ended_at', 'is', null)
    .execute();
  await db
    .insertInto('agent_claim_attempts')
    .values({
      ...attempt,
      tries: 0,
      code_hash: null,
      confirmed_by: null,
      chosen_organization_id: null,
      confirmed_at: null,
      ended_at: null,
    })
    .execute();
}

/** The attempt that a token leads to, whatever became of it. */
export function findClaimAttempt(db: Db, tokenHash: string): Promise<AgentClaimAttemptRow | undefined> {
  return db
    .selectFrom('agent_claim_attempts')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** The attempt of a registration that was begun last; two of one moment are told apart by nothing that matters. */
export function findLastClaimAttempt(
  db: Db,
  registrationId: string,
): Promise<AgentClaimAttemptRow | undefined> {
  return db
    .selectFrom('agent_claim_attempts')
    .selectAll()
    .where('registration_id', '=', registrationId)
    .orderBy('ended_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface Confirmation {
  readonly id: string;
  readonly userId: number;
  readonly organizationId: number;
  readonly codeHash: string;
  readonly now: string;
}

/** A person confirms, or confirms again for another code. False where the attempt is over, or somebody else's. */
export async function confirmClaimAttempt(db: Db, confirmation: Confirmation): Promise<boolean> {
  const { id, userId, organizationId, codeHash, now } = confirmation;
  const { numUpdatedRows } = await db
    .updateTable('agent_claim_attempts')
    .set({
      code_hash: codeHash,
      confirmed_by: userId,
      chosen_organization_id: organizationId,
      confirmed_at: now,
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(({ eb, or }) => or([eb('confirmed_by', 'is', null), eb('confirmed_by', '=', userId)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Takes one of the tries of a confirmed attempt. Undefined where none is left, or the attempt is over. */
export function takeTry(
  db: Db,
  { id, max, now }: { readonly id: string; readonly max: number; readonly now: string },
): Promise<AgentClaimAttemptRow | undefined> {
  return db
    .updateTable('agent_claim_attempts')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('code_hash', 'is not', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', max)
    .returningAll()
    .executeTakeFirst();
}

/** Has an attempt lead nowhere from now on. False where it did before. */
export async function endClaimAttempt(db: Db, { id, now }: { id: string; now: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('agent_claim_attempts')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Has every attempt lead nowhere that a person confirmed, for these organizations or any, and whose code was not
 * brought yet.
 */
export async function endClaimAttemptsOf(
  db: Db,
  {
    userId,
    now,
    organizationIds,
  }: { readonly userId: number; readonly now: string; readonly organizationIds?: readonly number[] },
): Promise<void> {
  await db
    .updateTable('agent_claim_attempts')
    .set({ ended_at: now })
    .where('confirmed_by', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(organizationIds !== undefined, (query) =>
      query.where('chosen_organization_id', 'in', [...(organizationIds ?? [])]),
    )
    .execute();
}
