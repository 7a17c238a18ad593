import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { emailAddress } from '../../domain/admission/preview.ts';
import { invite } from '../../domain/organizations/invitations.ts';
import { invitationKind } from '../../domain/organizations/kinds.ts';
import { invitation, invitationRecord, roleField } from './record.ts';

export const invitationCreate = defineTool({
  name: 'invitation_create',
  title: 'Create invitation',
  example: { email: 'ada@acme.example', role: 'MEMBER' },
  description:
    'Mails a person an invitation to your organization: it works once, within 7 days, for that address alone, also ' +
    'while signup is closed. An earlier one to the same address is over. What is in the mail is shown nowhere.',
  effect: 'create',
  restOnly: true,
  openWorld: true,
  inSteps: true,
  audit: { kind: invitationKind, ofResult: ({ id }) => id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'POST', path: '/invitations', status: 201 },
  input: z.strictObject({
    email: emailAddress.describe('Whom to invite.'),
    role: roleField.default('MEMBER'),
  }),
  output: invitation,
  errors: ['CONFLICT'],
  handler: async (ctx, { email, role }) => {
    const value = ctx.services.ports.keys.signingSecret();
    return invitationRecord(await invite(ctx, { email, role, value }));
  },
});
