import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { findMembership } from '../../../store/members.ts';
import { type Role, setMembership } from '../../../store/memberships.ts';
import { findUserByEmail, insertNewUser, type UserRow } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { invalid } from '../../core/errors/refusals.ts';
import { EMAIL_PROBLEM, emailOf } from '../email.ts';
import { userKind } from './kinds.ts';
import { requireOrganization } from './operator-decisions.ts';
import { ownLog } from './own-log.ts';

/** Somebody as they are made known. */
export interface NewPerson {
  /** As it is kept (`emailOf`). */
  readonly email: string;
  readonly name: string;
  /** Without one, the person signs in elsewhere, or by a link. */
  readonly passwordHash?: string;
  /** Somebody who is believed has said that the address is theirs: the mailbox itself, or a provider. */
  readonly isVerified?: boolean;
  readonly now: string;
}

/**
 * The person who has an address, made known where nobody has it: the one place in which people are made. Of several
 * who come under one address at once one is made, and the others are that person. Whoever was known stays as they
 * are.
 */
export async function personAt(
  tx: Db,
  { email, name, passwordHash, isVerified = false, now }: NewPerson,
): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
  const made = await insertNewUser(tx, {
    email,
    name,
    password_hash: passwordHash ?? null,
    email_verified_at: isVerified ? now : null,
    created_at: now,
    updated_at: now,
  });
  const user = made ?? (await findUserByEmail(tx, email));
  if (user === undefined) throw new Error('Whoever has the address is not there.');
  return { user, isNew: made !== undefined };
}

/** Gives a person a role in an organization, making the person known first where needed. */
export async function giveRole(
  actor: Actor,
  person: { email: string; name: string; organizationId: number; role: Role },
): Promise<number> {
  const { organizationId, role } = person;
  const email = emailOf(person.email);
  if (email === undefined) throw invalid('email', EMAIL_PROBLEM);
  await requireOrganization(actor, organizationId);
  const tenant = await ownLog(actor.db, organizationId);
  const { userId } = await actor.write(
    async (tx) => {
      const { user } = await personAt(tx, { email, name: person.name, now: actor.now });
      const within = makeTenant(organizationId);
      const before = (await findMembership(tx, within, user.id))?.role ?? null;
      if (before !== role) await setMembership(tx, within, { user_id: user.id, role, created_at: actor.now });
      return { userId: user.id, before };
    },
    (given) =>
      given.before === role
        ? undefined
        : {
            kind: userKind,
            resourceId: given.userId,
            resourceName: email,
            changes: { role: { from: given.before, to: role } },
            tenant,
          },
  );
  return userId;
}
