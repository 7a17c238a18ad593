import { z } from 'zod';
import { listJoinLinks } from '../../../store/join-links.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { joinLink, joinLinkRecord } from './record.ts';

export const joinLinkList = defineTool({
  name: 'join_link_list',
  title: 'List join links',
  example: { take: 20 },
  description:
    'Lists the links by which buyers come to your storefront alone, the newest first. Make one with ' +
    'join_link_create; see who came with sponsored_buyer_list. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/join-links', list: 'items' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: z.object({
    items: z.array(joinLink).describe('The links that nobody disabled.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, page) => {
    const { rows, total } = await listJoinLinks(ctx.db, ctx.scope, page);
    return { items: rows.map(joinLinkRecord), ...nextPage(page, rows.length, total) };
  },
});
