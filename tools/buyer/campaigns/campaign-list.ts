import { z } from 'zod';
import {
  type CampaignMode,
  type CampaignStatus,
  campaignModes,
  campaignStatuses,
  listCampaigns,
} from '../../../store/campaigns.ts';
import { mediaBuyStatuses } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { numericId } from '../../domain/ids.ts';
import { narrowedBy } from '../../domain/opening.ts';
import { nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { fieldsOf, onlyFields } from './fields.ts';
import { campaignSummaryRecord } from './record.ts';
import { campaignSummary, documentedModes, listedCampaign } from './schema.ts';

export const campaignList = defineTool({
  name: 'campaign_list',
  title: 'List campaigns',
  example: { status: ['DRAFT', 'ACTIVE'], take: 20 },
  description:
    'Lists the campaigns of your account, newest first; finished and archived ones when asked for. Returns ' +
    'campaigns with status, flight dates and budget, and total.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns', list: 'campaigns' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser').optional(),
    name: z.string().max(255).optional().describe('Part of the name, in any case.'),
    status: z
      .array(z.enum([...campaignStatuses, 'ALL']))
      .max(7)
      .optional()
      .describe('Only these. Without it ACTIVE, DRAFT and PAUSED.'),
    mode: z.array(z.enum(documentedModes)).max(3).optional().describe('Only those made so.'),
    management: z
      .enum(['tracked', 'managed', 'all'])
      .default('all')
      .describe('managed: placed from here, as all are.'),
    mediaBuyStatus: z
      .array(z.enum(mediaBuyStatuses))
      .max(mediaBuyStatuses.length)
      .optional()
      .describe('Only with a media buy in one of these.'),
    includeArchived: z.boolean().default(false).describe('True shows archived campaigns too.'),
    fields: fieldsOf(campaignSummary),
    ...pagingFields({ byDefault: 50, max: 250 }),
  }),
  spellings: pagingSpellings,
  notBuilt: ['cursor'],
  output: z.object({
    campaigns: z.array(listedCampaign).describe('This page of the campaigns.'),
    total: z.number().int().describe('How many there are without paging; beyond 10,000 an estimate.'),
    hasMore: z.boolean().describe('Whether more follow this page.'),
  }),
  errors: [],
  handler: async (ctx, input) => {
    const { advertiserId, name, mediaBuyStatus } = input;
    if (!isKept(input)) return { campaigns: [], total: 0, hasMore: false };
    const { rows, total } = await listCampaigns(ctx.db, ctx.scope, {
      filter: {
        advertiserId,
        name,
        statuses: statusesOf(input),
        modes: modesOf(input),
        buyStatuses: narrowedBy(mediaBuyStatus),
      },
      page: input,
    });
    const { hasMore } = nextPage(input, rows.length, total);
    const campaigns = rows.map((row) => onlyFields(campaignSummaryRecord(row), input.fields));
    return { campaigns, total, hasMore };
  },
});

interface Filters {
  readonly status?: readonly (CampaignStatus | 'ALL')[] | undefined;
  readonly includeArchived: boolean;
  readonly mode?: readonly (typeof documentedModes)[number][] | undefined;
  readonly management: 'tracked' | 'managed' | 'all';
}

/** Whether campaigns such as there are any of are asked for: all of them are placed from here. */
function isKept(filters: Filters): boolean {
  return filters.management !== 'tracked' && modesOf(filters)?.length !== 0;
}

function modesOf({ mode }: Filters): readonly CampaignMode[] | undefined {
  const asked = narrowedBy(mode);
  return asked && campaignModes.filter((one) => asked.includes(one));
}

function statusesOf({ status, includeArchived }: Filters): readonly CampaignStatus[] {
  const asked = narrowedBy(status) ?? ['ACTIVE', 'DRAFT', 'PAUSED', ...(includeArchived ? ARCHIVED : [])];
  return campaignStatuses.filter((one) => asked.includes(one) || asked.includes('ALL'));
}

const ARCHIVED = ['ARCHIVED'] as const;
