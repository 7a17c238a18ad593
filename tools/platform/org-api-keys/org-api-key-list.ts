import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { organizationKey, organizationKeyRecord } from './record.ts';

export const orgApiKeyList = defineTool({
  name: 'org_api_key_list',
  title: 'List organization keys',
  example: { take: 20 },
  description:
    'Lists the API keys of your organization that nobody revoked, newest first, each with what it opens, when it ' +
    'was last used and the end of its value; the value itself is never shown again. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'GET', path: '/org-api-keys', list: 'apiKeys' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    apiKeys: z.array(organizationKey).describe('This page of the keys.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { credentials } = ctx.services.ports;
    const { rows, total } = await credentials.list(ctx, ctx.caller.organizationId, page);
    return { apiKeys: rows.map(organizationKeyRecord), ...nextPage(page, rows.length, total) };
  },
});
