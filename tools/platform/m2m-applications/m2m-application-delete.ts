import { z } from 'zod';
import { deleteApplication } from '../../../store/m2m-applications.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { applicationKind } from '../../domain/credentials/kinds.ts';
import { timestamp } from '../../domain/time.ts';
import { reachApplication } from './reach.ts';
import { applicationId } from './record.ts';

export const m2mApplicationDelete = defineTool({
  name: 'm2m_application_delete',
  title: 'Delete application',
  example: { id: 'm2m_example' },
  description:
    'Deletes an application with all its secrets. Tokens that it was given before are refused from the next call ' +
    'on, although they have not expired, and what it has open is closed within a second. It cannot be undone.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: applicationKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'DELETE', path: '/m2m-applications/{id}' },
  input: z.strictObject({ id: applicationId }),
  output: z.object({
    id: z.string().describe('The application that was deleted.'),
    deleted: z.literal(true).describe('It gets no token any more, and those it has are refused.'),
    deletedAt: timestamp.describe('Since when.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { id }) => reachApplication(ctx, id),
  handler: async (ctx, { id }, found) => {
    await ctx.write(
      async (tx) => {
        if (!(await deleteApplication(tx, ctx.scope, { id, now: ctx.now }))) throw notFound(applicationKind);
      },
      { resourceId: id, resourceName: found.name },
    );
    return { id, deleted: true as const, deletedAt: ctx.now };
  },
});
