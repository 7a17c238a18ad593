import { z } from 'zod';
import { listDomains } from '../../../store/domains.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { domain, domainRecord } from './record.ts';

export const domainList = defineTool({
  name: 'domain_list',
  title: 'List domains',
  example: { take: 20 },
  description:
    'Lists the e-mail domains of your organization, each with how people of it come in. Name another one with ' +
    'domain_create, change how people come in with domain_update. Pages with take and skip.',
  effect: 'read',
  restOnly: true,
  access: needs('buyer:admin', { human: true }),
  rest: { method: 'GET', path: '/domains', list: 'domains' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    domains: z.array(domain).describe('The domains.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listDomains(ctx.db, ctx.scope, page);
    return { domains: rows.map(domainRecord), ...nextPage(page, rows.length, total) };
  },
});
