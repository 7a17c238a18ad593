import { makeTenant } from '../../../store/engine/scope.ts';
import { type Role, setMembership } from '../../../store/memberships.ts';
import { findUserByEmail, insertUser } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { userKind } from './kinds.ts';

/** Gives a person a role in an organization, making the person known first where needed. */
export function giveRole(
  actor: Actor,
  person: { email: string; name: string; organizationId: number; role: Role },
): Promise<number> {
  const { organizationId, role } = person;
  const email = person.email.toLowerCase();
  return actor.write(
    async (tx) => {
      const user =
        (await findUserByEmail(tx, email)) ??
        (await insertUser(tx, { email, name: person.name, created_at: actor.now, updated_at: actor.now }));
      await setMembership(tx, makeTenant(organizationId), {
        user_id: user.id,
        role,
        created_at: actor.now,
      });
      return user.id;
    },
    (userId) => ({
      kind: userKind,
      resourceId: userId,
      resourceName: email,
      changes: { role: { to: role } },
      tenant: { organizationId, customerId: null },
    }),
  );
}
