import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId } from '../../domain/ids.ts';
import { memberKind } from '../../domain/organizations/kinds.ts';
import { changeRole } from '../../domain/organizations/membership.ts';
import { reachMember } from './reach.ts';
import { member, memberRecord, roleField } from './record.ts';

export const memberUpdate = defineTool({
  name: 'member_update',
  title: 'Update member',
  example: { userId: 1, role: 'MEMBER' },
  description:
    'Gives a person of your organization another role, at once and wherever they are signed in. The last ' +
    'SUPER_ADMIN keeps it, and only a SUPER_ADMIN makes another one. Find people with member_list.',
  effect: 'update',
  restOnly: true,
  audit: { kind: memberKind, ofInput: ({ userId }) => userId },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'PATCH', path: '/members/{userId}' },
  input: z.strictObject({ userId: numericId('the person'), role: roleField }),
  output: member,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { userId }) => reachMember(ctx, userId),
  handler: async (ctx, { role }, found) => memberRecord(await changeRole(ctx, found, role)),
});
