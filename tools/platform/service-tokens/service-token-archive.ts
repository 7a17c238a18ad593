import { z } from 'zod';
import { archiveServiceToken, findServiceToken } from '../../../store/service-tokens.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { serviceTokenKind } from '../../domain/credentials/kinds.ts';
import { typedId, typedOutputId } from '../../domain/ids.ts';
import { timestamp } from '../../domain/time.ts';

export const serviceTokenArchive = defineTool({
  name: 'service_token_archive',
  title: 'Archive service token',
  example: { id: 1 },
  description:
    'Ends a service token of your organization for good: it is refused from the next call on. One that was ' +
    'archived before is answered with the same. service_token_list shows the ids.',
  effect: 'delete',
  audit: { kind: serviceTokenKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '/service-tokens/{id}' },
  input: z.strictObject({ id: typedId('the service token', 'serviceToken') }),
  output: z.object({
    id: typedOutputId('The token that was archived.'),
    archivedAt: timestamp.describe('Since when it is refused.'),
  }),
  errors: ['NOT_FOUND'],
  find: async (ctx, { id }) => {
    const found = await findServiceToken(ctx.db, ctx.scope, id);
    if (found === undefined) throw notFound(serviceTokenKind);
    return found;
  },
  handler: async (ctx, { id }, found) => {
    const before = found.archived_at;
    if (before !== null) return { id, archivedAt: before };
    await ctx.write(
      (tx) => archiveServiceToken(tx, ctx.scope, { id, now: ctx.now }),
      (archived) =>
        archived === undefined
          ? undefined
          : { resourceId: id, resourceName: archived.name, action: 'ARCHIVE' },
    );
    return { id, archivedAt: ctx.now };
  },
});
