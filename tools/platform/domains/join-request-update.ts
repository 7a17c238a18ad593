import { z } from 'zod';
import { findJoinRequest } from '../../../store/domains.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { present } from '../../core/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { decideOn } from '../../domain/organizations/domains.ts';
import { joinRequestKind } from '../../domain/organizations/kinds.ts';
import { joinRequest, joinRequestRecord } from './record.ts';

/** What each status that is wanted makes happen. */
const EVENTS = { approved: 'approve', declined: 'decline' } as const;

export const joinRequestUpdate = defineTool({
  name: 'join_request_update',
  title: 'Update join request',
  example: { id: 1, status: 'approved' },
  description:
    'Lets a person into your organization who asked, as MEMBER, or declines. What was decided stays decided. Find ' +
    'requests with join_request_list; give another role afterwards with member_update.',
  effect: 'update',
  restOnly: true,
  audit: { kind: joinRequestKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'PATCH', path: '/join-requests/{id}' },
  input: z.strictObject({
    id: numericId('the request', 'joinRequest'),
    status: z.enum(['approved', 'declined']).describe('approved: the person is in.'),
  }),
  output: joinRequest,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { id }) => present(await findJoinRequest(ctx.db, ctx.scope, id), joinRequestKind),
  handler: async (ctx, { status }, found) => {
    const decided = await decideOn(ctx, found, EVENTS[status]);
    return joinRequestRecord({ ...found, ...decided });
  },
});
