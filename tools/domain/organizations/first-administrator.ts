import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { setMembership } from '../../../store/memberships.ts';
import { endAdminLinks, useLink } from '../../../store/unscoped/one-use-links.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import type { Actor } from '../../core/context.ts';
import { userKind } from './kinds.ts';
import { ownLog } from './own-log.ts';

interface Appointing {
  /** Of the link that was printed. */
  readonly hash: string;
  /** Whom it makes an administrator of. */
  readonly organizationId: number;
  /** Its bearer, made known in the same transaction where nobody knows them yet. */
  make(tx: Db, now: string): Promise<UserRow>;
}

/** Uses a printed link up and makes its bearer an administrator, or neither. Undefined: it leads nowhere by now. */
export async function appointAdministrator(
  actor: Actor,
  { hash, organizationId, make }: Appointing,
): Promise<UserRow | undefined> {
  const tenant = await ownLog(actor.db, organizationId);
  const { now } = actor;
  return actor.write(
    async (tx) => {
      if ((await useLink(tx, { hash, purpose: 'admin', now })) === undefined) return undefined;
      const user = await make(tx, now);
      const role = { user_id: user.id, role: 'SUPER_ADMIN', created_at: now } as const;
      await setMembership(tx, makeTenant(organizationId), role);
      await endAdminLinks(tx, organizationId, now);
      return user;
    },
    (user) =>
      user && {
        kind: userKind,
        resourceId: user.id,
        resourceName: user.email,
        changes: { role: { to: 'SUPER_ADMIN' } },
        tenant,
      },
  );
}
