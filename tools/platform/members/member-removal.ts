import { revokeInvitations } from '../../../store/invitations.ts';
import { deleteMembership, type MemberRow } from '../../../store/members.ts';
import { deleteSubscriptionsOf } from '../../../store/webhooks.ts';
import type { Context } from '../../core/context.ts';
import { endActingIn } from '../../domain/agents/ending.ts';
import { toldEnded } from '../../domain/organizations/ended-subscriptions.ts';
import { holderOfUser } from '../../domain/organizations/holders.ts';
import { holdMember, requireAnother, requireMayGive } from '../../domain/organizations/membership.ts';
import { turnAwayFromDomains } from '../../domain/organizations/turned-away.ts';

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
      await turnAwayFromDomains(ctx, tx, found.user_id);
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
