import { z } from 'zod';
import { listBrowserOrigins } from '../../../store/browser-origins.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { browserOrigin, browserOriginRecord } from './record.ts';

export const browserOriginList = defineTool({
  name: 'browser_origin_list',
  title: 'List browser origins',
  example: { take: 20 },
  description:
    'Lists the origins of pages that may call this service from a browser with credentials of your organization. ' +
    'Add one with browser_origin_create, take one away with browser_origin_delete. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin'),
  rest: {
    method: 'GET',
    path: '/buyer/browser-origins',
    also: ['/storefront/browser-origins'],
    list: 'origins',
  },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    origins: z.array(browserOrigin).describe('The origins, the oldest first.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listBrowserOrigins(ctx.db, ctx.scope, page);
    return { origins: rows.map(browserOriginRecord), ...nextPage(page, rows.length, total) };
  },
});
