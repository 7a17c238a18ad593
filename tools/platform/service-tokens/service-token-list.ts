import { z } from 'zod';
import { listServiceTokens, type ServiceTokenRow } from '../../../store/service-tokens.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { timestamp } from '../../domain/time.ts';
import { serviceToken, serviceTokenRecord } from './record.ts';

const listed = serviceToken
  .extend({
    lastUsedAt: timestamp.nullable().describe('When it was last used, to the minute; null before that.'),
    archivedAt: timestamp.nullable().describe('Since when it is refused; null while nobody archived it.'),
  })
  .meta({ id: 'ListedServiceToken' });

export const serviceTokenList = defineTool({
  name: 'service_token_list',
  title: 'List service tokens',
  example: { take: 20 },
  description:
    'Lists the service tokens of your organization, newest first, those that ended included: what each opens, ' +
    'for whom it acts, when it ends and when it was last used. Secrets are never shown. End one with ' +
    'service_token_archive. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:admin'),
  rest: { method: 'GET', path: '/service-tokens', list: 'items' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: listOf(listed),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listServiceTokens(ctx.db, ctx.scope, page);
    return { items: rows.map(listedRecord), ...nextPage(page, rows.length, total) };
  },
});

function listedRecord(row: ServiceTokenRow): z.input<typeof listed> {
  return { ...serviceTokenRecord(row), lastUsedAt: row.last_used_at, archivedAt: row.archived_at };
}
