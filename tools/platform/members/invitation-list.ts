import { z } from 'zod';
import { listOpenInvitations } from '../../../store/invitations.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { invitation, invitationRecord } from './record.ts';

export const invitationList = defineTool({
  name: 'invitation_list',
  title: 'List invitations',
  example: { take: 20 },
  description:
    'Lists the invitations to your organization that can still be accepted, the newest first. Take one back with ' +
    'invitation_delete. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin'),
  rest: { method: 'GET', path: '/invitations', list: 'invitations' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    invitations: z.array(invitation).describe('The invitations.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listOpenInvitations(ctx.db, ctx.scope, { now: ctx.now, page });
    return { invitations: rows.map(invitationRecord), ...nextPage(page, rows.length, total) };
  },
});
