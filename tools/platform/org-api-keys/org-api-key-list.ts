import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { keyRecord, organizationKey } from './record.ts';

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
    total: z.number().int().describe('How many there are without paging.'),
  }),
  errors: [],
  handler: async (ctx, { take, skip }) => {
    const { credentials } = ctx.services.ports;
    const keys = await credentials.list(ctx, ctx.caller.organizationId);
    return { apiKeys: keys.slice(skip, skip + take).map(keyRecord), total: keys.length };
  },
});
