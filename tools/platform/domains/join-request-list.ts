import { z } from 'zod';
import { joinRequestStates, listJoinRequests } from '../../../store/domains.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { joinRequest, joinRequestRecord } from './record.ts';

export const joinRequestList = defineTool({
  name: 'join_request_list',
  title: 'List join requests',
  example: { status: 'pending', take: 20 },
  description:
    'Lists who asked to come into your organization by the domain of their address, decided or not. Narrow with ' +
    'status, decide with join_request_update. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'GET', path: '/join-requests', list: 'joinRequests' },
  input: z.strictObject({
    status: z
      .enum(joinRequestStates)
      .optional()
      .describe('Requests in this state alone; pending: nobody has decided yet.'),
    ...pagingFields({ byDefault: 50, max: 100 }),
  }),
  spellings: pagingSpellings,
  output: z.object({
    joinRequests: z.array(joinRequest).describe('The requests, the oldest first.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listJoinRequests(ctx.db, ctx.scope, page);
    return { joinRequests: rows.map(joinRequestRecord), ...nextPage(page, rows.length, total) };
  },
});
