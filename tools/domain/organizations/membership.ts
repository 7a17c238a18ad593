import type { Db } from '../../../store/engine/db.ts';
import type { Tenant } from '../../../store/engine/scope.ts';
import { countRole, findMembership, type MemberRow, updateRole } from '../../../store/members.ts';
import type { Role } from '../../../store/memberships.ts';
import { lockOrganization } from '../../../store/organizations.ts';
import type { Context } from '../../core/context.ts';
import { conflict, forbidden } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { memberKind } from './kinds.ts';

/** Who manages people may make others what it is itself, and no more. */
export async function requireMayGive(ctx: Context, role: Role): Promise<void> {
  if (role !== 'SUPER_ADMIN') return;
  const { caller, scope } = ctx;
  const own = caller.userId === null ? undefined : await findMembership(ctx.db, scope, caller.userId);
  if (own?.role === 'SUPER_ADMIN') return;
  throw forbidden(
    'Only a SUPER_ADMIN of the organization decides who is one.',
    'Ask a SUPER_ADMIN of the organization, or choose another role.',
  );
}

/** Gives a person another role. One that is the last SUPER_ADMIN keeps it. */
export async function changeRole(ctx: Context, found: MemberRow, role: Role): Promise<MemberRow> {
  if (found.role === role) return found;
  await requireMayGive(ctx, found.role);
  await requireMayGive(ctx, role);
  return ctx.write(
    async (tx) => {
      const current = await holdMember(tx, ctx.scope, found.user_id);
      await requireAnother(tx, ctx.scope, current);
      await updateRole(tx, ctx.scope, { userId: found.user_id, role });
      return { ...current, role };
    },
    {
      resourceId: found.user_id,
      changes: { member: { from: found.email, to: found.email }, role: { from: found.role, to: role } },
    },
  );
}

/** The member as it is while nobody else changes who is in the organization. */
export async function holdMember(tx: Db, tenant: Tenant, userId: number): Promise<MemberRow> {
  await lockOrganization(tx, tenant);
  return present(await findMembership(tx, tenant, userId), memberKind);
}

/** Refuses to have a member go, or become less, who is the last that decides of all others. */
export async function requireAnother(tx: Db, tenant: Tenant, { role }: MemberRow): Promise<void> {
  if (role !== 'SUPER_ADMIN' || (await countRole(tx, tenant, role)) > 1) return;
  throw conflict(
    'This is the last SUPER_ADMIN of the organization.',
    'Make somebody else a SUPER_ADMIN first, with member_update.',
  );
}
