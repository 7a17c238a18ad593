import { z } from 'zod';
import { deleteBrowserOrigin, findBrowserOrigin } from '../../../store/browser-origins.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { present } from '../../core/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { browserOriginKind } from '../../domain/organizations/kinds.ts';

export const browserOriginDelete = defineTool({
  name: 'browser_origin_delete',
  title: 'Delete browser origin',
  example: { id: 1 },
  description:
    'Takes an origin away: calls of its pages are refused from the next one on, and streams they have open end. ' +
    'Find the id with browser_origin_list.',
  effect: 'delete',
  restOnly: true,
  audit: { kind: browserOriginKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin'),
  rest: {
    method: 'DELETE',
    path: '/buyer/browser-origins/{id}',
    also: ['/storefront/browser-origins/{id}'],
    status: 204,
  },
  input: z.strictObject({ id: numericId('the origin', 'browserOrigin') }),
  output: z.object({
    success: z.literal(true).describe('It is gone.'),
    id: z.string().describe('The origin that it was.'),
  }),
  errors: ['NOT_FOUND'],
  find: async (ctx, { id }) => present(await findBrowserOrigin(ctx.db, ctx.scope, id), browserOriginKind),
  handler: async (ctx, { id }, found) => {
    await ctx.write((tx) => deleteBrowserOrigin(tx, ctx.scope, id), {
      resourceId: id,
      resourceName: found.origin,
    });
    return { success: true as const, id: String(id) };
  },
});
