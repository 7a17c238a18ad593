import { z } from 'zod';
import { listMembers } from '../../../store/members.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { member, memberRecord } from './record.ts';

export const memberList = defineTool({
  name: 'member_list',
  title: 'List members',
  example: { take: 20 },
  description:
    'Lists the people with a role of their own in your organization, the oldest first. Change a role with ' +
    'member_update, take somebody out with member_delete, invite with invitation_create. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin'),
  rest: { method: 'GET', path: '/members', list: 'members' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    members: z.array(member).describe('The people.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listMembers(ctx.db, ctx.scope, page);
    return { members: rows.map(memberRecord), ...nextPage(page, rows.length, total) };
  },
});
