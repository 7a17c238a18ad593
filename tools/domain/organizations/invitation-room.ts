import type { Db } from '../../../store/engine/db.ts';
import { lockOrganization } from '../../../store/organizations.ts';
import { branchOf, governingOrganization } from '../../../store/terms.ts';
import { countInvitations, findInvitationFromLast } from '../../../store/unscoped/signup.ts';
import type { Context } from '../../core/context.ts';
import { rateLimited } from '../../core/errors/refusals.ts';
import { DAY_MS, momentAfter } from '../../core/moments.ts';
import { counted } from '../counted.ts';

/**
 * Refuses one invitation more than may be mailed in a day, and gives the organization that they are counted for: the
 * one above all others, while nobody else counts there. Accounts below it are made as easily as invitations. What hangs
 * below one of them has half of what the others left, so that none takes all.
 */
export async function requireRoomToInvite(tx: Db, ctx: Context): Promise<number> {
  const most = ctx.services.limits.quotas.invitationsPerDay;
  const top = await governingOrganization(tx, ctx.scope);
  await lockOrganization(tx, top);
  const { organizationId } = top;
  await requirePlace(tx, ctx, {
    ...{ organizationId, place: most },
    message: `Your organization, with the accounts below it, had ${counted(most, 'invitation')} mailed in 24 hours, which is the most it may.`,
  });
  const branch = await branchOf(tx, ctx.scope);
  if (branch !== undefined)
    await requireShare(tx, ctx, { branch: branch.organizationId, organizationId, most });
  return organizationId;
}

interface Share {
  readonly branch: number;
  readonly organizationId: number;
  readonly most: number;
}

async function requireShare(tx: Db, ctx: Context, { branch, organizationId, most }: Share): Promise<void> {
  const since = dayBefore(ctx);
  const own = await countInvitations(tx, { organizationId: branch, since });
  const others = (await countInvitations(tx, { organizationId, since })) - own;
  const share = shareOf(most, others);
  await requirePlace(tx, ctx, {
    ...{ organizationId: branch, place: share },
    message: `Your account, with those below it, had ${counted(share, 'invitation')} mailed in 24 hours: its share of the ${most} that the organization above it may.`,
  });
}

/** Half of what others left, and one at the least. */
function shareOf(most: number, others: number): number {
  return Math.max(1, Math.ceil((most - others) / 2));
}

interface Place {
  readonly organizationId: number;
  readonly place: number;
  readonly message: string;
}

/** Refuses while an organization, with all below it, has this many of a day. */
async function requirePlace(tx: Db, ctx: Context, { organizationId, place, message }: Place): Promise<void> {
  const last = await findInvitationFromLast(tx, { organizationId, since: dayBefore(ctx), place });
  if (last === undefined) return;
  ctx.services.ports.tally.limited('invitations');
  throw rateLimited(Math.ceil((Date.parse(last.created_at) + DAY_MS - Date.parse(ctx.now)) / 1_000), {
    message,
    suggestion: 'Invite the others then, or have them come in by the domain of their e-mail (domain_create).',
  });
}

function dayBefore({ now }: Context): string {
  return momentAfter(now, -DAY_MS);
}
