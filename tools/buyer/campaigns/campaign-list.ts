import { z } from 'zod';
import { campaignStatuses, listCampaigns } from '../../../store/campaigns.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId } from '../../domain/ids.ts';
import { nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { campaignSummaryRecord } from './record.ts';
import { campaignSummary } from './schema.ts';

export const campaignList = defineTool({
  name: 'campaign_list',
  title: 'List campaigns',
  example: { status: ['DRAFT', 'ACTIVE'], take: 20 },
  description:
    'Lists the campaigns of your account, newest first, without the archived ones unless asked for. Returns ' +
    'campaigns with status, flight dates and budget, and total.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns', list: 'campaigns' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser').optional(),
    name: z.string().max(255).optional().describe('Part of the name, in any case.'),
    status: z.array(z.enum(campaignStatuses)).min(1).max(6).optional().describe('Only these.'),
    includeArchived: z.boolean().default(false).describe('True shows archived campaigns too.'),
    ...pagingFields({ byDefault: 50, max: 250 }),
  }),
  spellings: pagingSpellings,
  notBuilt: ['mode', 'management', 'mediaBuyStatus', 'fields', 'cursor'],
  output: z.object({
    campaigns: z.array(campaignSummary).describe('This page of the campaigns.'),
    total: z.number().int().describe('How many there are without paging; beyond 10,000 an estimate.'),
    hasMore: z.boolean().describe('Whether more follow this page.'),
  }),
  errors: [],
  handler: async (ctx, input) => {
    const shown = campaignStatuses.filter((status) => status !== 'ARCHIVED' || input.includeArchived);
    const { rows, total } = await listCampaigns(ctx.db, ctx.scope, {
      filter: { advertiserId: input.advertiserId, name: input.name, statuses: input.status ?? shown },
      page: input,
    });
    const { hasMore } = nextPage(input, rows.length, total);
    return { campaigns: rows.map(campaignSummaryRecord), total, hasMore };
  },
});
