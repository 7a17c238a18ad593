import { makeTenant } from '../../../store/engine/scope.ts';
import type { InvitationRow } from '../../../store/invitations.ts';
import { insertInvitation, revokeInvitations, useUpInvitation } from '../../../store/invitations.ts';
import { findMembership, insertMembership } from '../../../store/members.ts';
import type { Role } from '../../../store/memberships.ts';
import { findOrganization } from '../../../store/organizations.ts';
import { findInvitationByHash } from '../../../store/unscoped/signup.ts';
import { type UserRow, updateUser } from '../../../store/unscoped/users.ts';
import type { Actor, Context } from '../../core/context.ts';
import { conflict, forbidden, notFound, unavailable } from '../../core/errors/refusals.ts';
import { DAY_MS, momentAfter } from '../../core/moments.ts';
import type { Digest } from '../../core/ports.ts';
import { invitationMail } from './invitation-mail.ts';
import { requireRoomToInvite } from './invitation-room.ts';
import { invitationKind, memberKind } from './kinds.ts';
import { requireMayGive } from './membership.ts';
import { ownLog } from './own-log.ts';

const OPEN_DAYS = 7;

/** Whether people may be let into an organization: into one that waits for the market itself nobody is. */
export function requireAdmitted(organization: {
  readonly admission: string;
  readonly suspended_at: string | null;
}): void {
  if (organization.admission === 'admitted' && organization.suspended_at === null) return;
  throw conflict(
    'This organization is not admitted to the marketplace: nobody can join it for now.',
    'Ask the operator of this service when it will be.',
  );
}

/**
 * Invites a person by mail. Whoever was invited at that address before has this invitation from now on, and no
 * other. What is in the mail is kept nowhere else. RATE_LIMITED where the organization has mailed as many as it may,
 * or as many went to that address: nothing is changed then.
 */
export async function invite(
  ctx: Context,
  { email, role, value }: { readonly email: string; readonly role: Role; readonly value: string },
): Promise<InvitationRow> {
  const { scope, now, caller } = ctx;
  const organization = await findOrganization(ctx.db, scope);
  if (organization === undefined) throw new Error('A caller has no organization.');
  requireAdmitted(organization);
  await requireMayGive(ctx, role);
  const invitation: Omit<InvitationRow, 'organization_id'> = {
    id: ctx.newId('inv'),
    email: email.toLowerCase(),
    role,
    hash: ctx.services.ports.digest(value),
    invited_by: caller.userId,
    created_at: now,
    expires_at: momentAfter(now, OPEN_DAYS * DAY_MS),
    accepted_at: null,
    accepted_by: null,
    revoked_at: null,
  };
  const letter = await ctx.write(
    async (tx) => {
      const top = await requireRoomToInvite(tx, ctx);
      // Last: who may not invite takes nothing of what may be sent there.
      const allowed = ctx.services.ports.mail.to(invitation.email, 'invitation', top);
      await revokeInvitations(tx, scope, { email: invitation.email, now });
      await insertInvitation(tx, scope, invitation);
      return allowed;
    },
    { resourceId: invitation.id, resourceName: invitation.email, changes: { role: { to: role } } },
  );
  const mail = invitationMail({
    ...{ organizationName: organization.name, role, email: invitation.email, value },
    expiresAt: invitation.expires_at,
    publicUrl: ctx.services.publicUrl(),
  });
  await letter.send(mail).catch((cause: unknown) => {
    ctx.services.log.error({ err: cause, invitation: invitation.id }, 'mail of an invitation failed');
    throw notMailed(cause);
  });
  return { ...invitation, organization_id: scope.organizationId };
}

/** The row stands: whoever invites once more has a new link, and this one is over. */
function notMailed(cause: unknown) {
  return unavailable('The invitation is made, but no mail server took the mail with its link.', {
    cause,
    suggestion:
      'Invite the same address again in a while. If it fails again, tell whoever runs this service.',
  });
}

/** Where an invitation leads. */
export interface InvitedTo {
  readonly id: string;
  readonly organizationId: number;
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
}

/** As whoever was invited knows it: the list is its organization's. */
const mailedInvitation = {
  ...invitationKind,
  lookUp: 'Open the whole address in the newest mail, or ask whoever invited you for another.',
};

/** What an invitation leads to; refused when it is used up, taken back, over, or leads nowhere now. */
export async function readInvitation(
  { db, now }: Pick<Actor, 'db' | 'now'>,
  { digest }: { readonly digest: Digest },
  value: string,
): Promise<InvitedTo> {
  const found = await findInvitationByHash(db, digest(value));
  if (found === undefined) throw notFound(mailedInvitation);
  if (found.accepted_at !== null || found.revoked_at !== null || found.expires_at <= now) {
    throw conflict('This invitation was used, taken back, or has expired.', 'Ask for another invitation.');
  }
  requireAdmitted(found);
  return {
    id: found.id,
    organizationId: found.organization_id,
    organizationName: found.name,
    email: found.email,
    role: found.role,
  };
}

/**
 * Makes the person a member as the invitation says, and nothing else: no organization comes about, no terms are
 * accepted, nothing is opened beyond that organization. Of two who use it at once one gets in. That the value came
 * by mail shows that the address is the person's.
 */
export async function acceptInvitation(
  actor: Actor,
  { digest, user, value }: { readonly digest: Digest; readonly user: UserRow; readonly value: string },
): Promise<InvitedTo> {
  const invited = await readInvitation(actor, { digest }, value);
  if (invited.email !== user.email) {
    throw forbidden(
      'This invitation is for another e-mail address than the one you are signed in with.',
      'Sign in with the address the invitation came to, or ask for one to yours.',
    );
  }
  const tenant = makeTenant(invited.organizationId);
  if ((await findMembership(actor.db, tenant, user.id)) !== undefined) {
    throw conflict('You are a member of this organization already.', 'Choose it among your organizations.');
  }
  await actor.write(
    async (tx) => {
      const use = { id: invited.id, userId: user.id, now: actor.now };
      if ((await useUpInvitation(tx, tenant, use)) === undefined) {
        throw conflict('This invitation was just used.', 'Choose the organization among yours.');
      }
      await insertMembership(tx, tenant, {
        user_id: user.id,
        role: invited.role,
        created_via: 'invitation',
        created_at: actor.now,
      });
      if (user.email_verified_at === null)
        await updateUser(tx, user.id, { email_verified_at: actor.now, updated_at: actor.now });
    },
    {
      kind: memberKind,
      action: 'CREATE',
      resourceId: user.id,
      resourceName: user.email,
      changes: { role: { to: invited.role }, invitation: { to: invited.id } },
      tenant: await ownLog(actor.db, invited.organizationId),
    },
  );
  return invited;
}
