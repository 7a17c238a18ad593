import { findJoinRequestOf, turnAway } from '../../../store/domains.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { revokeInvitations } from '../../../store/invitations.ts';
import { deleteMembership, type MemberRow } from '../../../store/members.ts';
import { listBelow } from '../../../store/unscoped/organization-tree.ts';
import { deleteSubscriptionsOf } from '../../../store/webhooks.ts';
import type { Context } from '../../core/context.ts';
import { endActingIn } from '../../domain/agents/ending.ts';
import { toldEnded } from '../../domain/organizations/ended-subscriptions.ts';
import { holderOfUser } from '../../domain/organizations/holders.ts';
import { standingAfter } from '../../domain/organizations/machines.ts';
import { holdMember, requireAnother, requireMayGive } from '../../domain/organizations/membership.ts';

/**
 * Takes a person out of the organization: whatever acts for it there ends with this commit, in every process and
 * for good, and its narrowed webhook subscriptions with it. Invitations that were never used lead nobody back.
 */
export async function removeMember(ctx: Context, found: MemberRow): Promise<void> {
  await requireMayGive(ctx, found.role);
  await ctx.write(
    async (tx) => {
      const current = await holdMember(tx, ctx, found.user_id);
      await requireAnother(tx, ctx.scope, current);
      const holding = { holder: holderOfUser(found.user_id), now: ctx.now };
      const held = await deleteSubscriptionsOf(tx, ctx.scope, holding);
      await deleteMembership(tx, ctx.scope, found.user_id);
      const { organizationId } = ctx.scope;
      const ofAgents = await endActingIn(tx, { userId: found.user_id, organizationId, now: ctx.now });
      await revokeInvitations(tx, ctx.scope, { email: found.email, now: ctx.now });
      await turnAwayFromDomains(ctx, tx, found);
      return { role: current.role, ended: [...held, ...ofAgents] };
    },
    ({ role, ended }) => ({
      resourceId: found.user_id,
      changes: {
        member: { from: found.email, to: null },
        role: { from: role, to: null },
        ...toldEnded(ended),
      },
    }),
  );
}

/**
 * No domain lets the person back in by itself, there or below it where they have no role of their own: not one that is
 * verified later either, nor that of an address which they have by then.
 */
async function turnAwayFromDomains(ctx: Context, tx: Db, { user_id: userId }: MemberRow): Promise<void> {
  for (const id of await listBelow(tx, ctx.scope.organizationId, { butOf: userId })) {
    const tenant = makeTenant(id);
    const before = await findJoinRequestOf(tx, tenant, userId);
    const status = standingAfter('takeOut', before?.status);
    await turnAway(tx, tenant, { userId, status, by: ctx.caller.userId, now: ctx.now });
  }
}
