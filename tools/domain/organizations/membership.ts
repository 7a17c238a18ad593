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
export function requireMayGive(ctx: Context, role: Role): Promise<void> {
  return requireMayGiveIn(ctx.db, ctx, role);
}

async function requireMayGiveIn(db: Db, { caller, scope }: Context, role: Role): Promise<void> {
  if (role !== 'SUPER_ADMIN') return;
  const own = caller.userId === null ? undefined : await findMembership(db, scope, caller.userId);
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
  const { changed } = await ctx.write(
    async (tx) => {
      const before = await holdMember(tx, ctx, found.user_id);
      await requireAnother(tx, ctx.scope, before);
      await updateRole(tx, ctx.scope, { userId: found.user_id, role });
      return { before, changed: { ...before, role } };
    },
    ({ before }) => ({
      resourceId: found.user_id,
      changes: { member: { from: found.email, to: found.email }, role: { from: before.role, to: role } },
    }),
  );
  return changed;
}

/**
 * The member as it is while nobody else changes who is in the organization. Refused where it was made a SUPER_ADMIN
 * meanwhile, and the caller is none.
 */
export async function holdMember(tx: Db, ctx: Context, userId: number): Promise<MemberRow> {
  await lockOrganization(tx, ctx.scope);
  const member = present(await findMembership(tx, ctx.scope, userId), memberKind);
  await requireMayGiveIn(tx, ctx, member.role);
  return member;
}

/** Refuses to have a member go, or become less, who is the last that decides of all others. */
export async function requireAnother(tx: Db, tenant: Tenant, { role }: MemberRow): Promise<void> {
  if (role !== 'SUPER_ADMIN' || (await countRole(tx, tenant, role)) > 1) return;
  throw conflict(
    'This is the last SUPER_ADMIN of the organization.',
    'Make somebody else a SUPER_ADMIN first, with member_update.',
  );
}
