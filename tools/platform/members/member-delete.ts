import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId, outputId } from '../../domain/ids.ts';
import { memberKind } from '../../domain/organizations/kinds.ts';
import { removeMember } from './member-removal.ts';
import { reachMember } from './reach.ts';

export const memberDelete = defineTool({
  name: 'member_delete',
  title: 'Delete member',
  example: { userId: 1 },
  description:
    'Takes a person out of your organization: browsers and tokens that act for them there are refused from the ' +
    'next call on, and streams they have open end. The last SUPER_ADMIN stays. Find people with member_list.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: memberKind, ofInput: ({ userId }) => userId },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '/members/{userId}' },
  input: z.strictObject({ userId: numericId('the person') }),
  output: z.object({
    success: z.literal(true).describe('The person is out.'),
    userId: outputId('Who it was.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { userId }) => reachMember(ctx, userId),
  handler: async (ctx, { userId }, found) => {
    await removeMember(ctx, found);
    return { success: true as const, userId };
  },
});
