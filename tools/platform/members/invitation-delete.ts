import { z } from 'zod';
import { findInvitation, revokeInvitations } from '../../../store/invitations.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { present } from '../../core/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { invitationKind } from '../../domain/organizations/kinds.ts';

export const invitationDelete = defineTool({
  name: 'invitation_delete',
  title: 'Delete invitation',
  example: { id: 'inv_example' },
  description:
    'Takes an invitation back: the address in its mail leads nowhere from now on. Who has accepted it stays; take ' +
    'them out with member_delete. Find open ones with invitation_list.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: invitationKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '/invitations/{id}' },
  input: z.strictObject({ id: prefixedId('the invitation', 'inv_') }),
  output: z.object({
    success: z.literal(true).describe('It is over.'),
    id: z.string().describe('The invitation.'),
  }),
  errors: ['NOT_FOUND'],
  find: async (ctx, { id }) => present(await findInvitation(ctx.db, ctx.scope, id), invitationKind),
  handler: async (ctx, { id }, found) => {
    await ctx.write(
      async (tx) => {
        const revoked = await revokeInvitations(tx, ctx.scope, { id, now: ctx.now });
        if (revoked === 0) throw notFound(invitationKind);
      },
      { resourceId: id, resourceName: found.email },
    );
    return { success: true as const, id };
  },
});
