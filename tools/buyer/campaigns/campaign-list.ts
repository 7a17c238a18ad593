import { z } from 'zod';
import {
  type CampaignFilter,
  type CampaignMode,
  type CampaignStatus,
  campaignModes,
  campaignStatuses,
  listCampaigns,
} from '../../../store/campaigns.ts';
import { type MediaBuyStatus, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { fieldsOf } from '../../domain/chosen-fields.ts';
import { narrowedBy } from '../../domain/discovery-opening.ts';
import { numericId } from '../../domain/ids.ts';
import { leftOutByName, leftOutGuidance } from '../../domain/left-out.ts';
import { pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { chosenOfCampaign } from './chosen-fields.ts';
import { cursorAfter, cursorField, nextCursorField, placeOf, refuseSkip } from './cursors.ts';
import { listedRecords } from './record.ts';
import { campaignSummary, documentedModes, listedCampaign } from './schema.ts';

export const campaignList = defineTool({
  name: 'campaign_list',
  title: 'List campaigns',
  example: { status: ['DRAFT', 'ACTIVE'], take: 20 },
  description:
    'Lists the campaigns of your account, newest first; finished and archived ones when asked for. Returns ' +
    'campaigns with status, flight dates and budget, total, and nextCursor to go on with: campaigns that are ' +
    'made meanwhile move no page.',
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
    fields: fieldsOf(campaignSummary.keyof()).describe('Only these fields; all without any.'),
    cursor: cursorField,
    ...pagingFields({ byDefault: 50, forModels: 15, max: 250 }),
  }),
  spellings: pagingSpellings,
  output: z.object({
    campaigns: z.array(listedCampaign).describe('This page of the campaigns.'),
    total: z.number().int().describe('How many there are without paging; beyond 10,000 an estimate.'),
    hasMore: z.boolean().describe('Whether more follow this page.'),
    nextCursor: nextCursorField,
    guidance: leftOutGuidance,
  }),
  errors: [],
  handler: async (ctx, input) => {
    refuseSkip(input);
    const { digest } = ctx.services.ports;
    const filter = filterOf(input);
    const asked = { list: 'campaigns', scope: ctx.scope, filter: { ...filter, isKept: isKept(input) } };
    const behind = placeOf(digest, asked, input.cursor);
    if (!isKept(input)) return { campaigns: [], total: 0, hasMore: false };
    const { rows, total, hasMore } = await listCampaigns(ctx.db, ctx.scope, { filter, behind, page: input });
    const last = rows.at(-1);
    const records = await listedRecords(ctx, rows);
    return {
      campaigns: records.map((record) => chosenOfCampaign(record, input.fields)),
      total,
      hasMore,
      ...(hasMore && last !== undefined ? { nextCursor: cursorAfter(digest, asked, last) } : {}),
      // Whoever goes on with more of them has found some.
      ...(hasMore || behind !== undefined ? {} : await leftOut(ctx, input)),
    };
  },
});

/** What was asked for by its name may be over: that none of it is in the list does not say so. */
async function leftOut(ctx: Pick<Context, 'db' | 'scope'>, input: Filters): Promise<{ guidance?: string }> {
  if (input.name === undefined || narrowedBy(input.status) !== undefined) return {};
  const listed = statusesOf(input);
  const statuses = campaignStatuses.filter((one) => !listed.includes(one));
  const filter = { ...filterOf(input), statuses };
  const { total } = await listCampaigns(ctx.db, ctx.scope, { filter, page: { skip: 0, take: 1 } });
  return leftOutByName(total, { word: 'campaign', statuses });
}

interface Filters {
  readonly advertiserId?: number | undefined;
  readonly name?: string | undefined;
  readonly mediaBuyStatus?: readonly MediaBuyStatus[] | undefined;
  readonly status?: readonly (CampaignStatus | 'ALL')[] | undefined;
  readonly includeArchived: boolean;
  readonly mode?: readonly (typeof documentedModes)[number][] | undefined;
  readonly management: 'tracked' | 'managed' | 'all';
}

/** The same filters are written the same way, whoever gives them in which order. */
function filterOf(input: Filters): CampaignFilter {
  return {
    advertiserId: input.advertiserId,
    name: input.name,
    statuses: statusesOf(input),
    modes: modesOf(input),
    buyStatuses: buyStatusesOf(input),
  };
}

/** Whether campaigns such as there are any of are asked for: all of them are placed from here. */
function isKept(filters: Filters): boolean {
  return filters.management !== 'tracked' && modesOf(filters)?.length !== 0;
}

function modesOf({ mode }: Filters): readonly CampaignMode[] | undefined {
  const asked = narrowedBy(mode);
  return asked && campaignModes.filter((one) => asked.includes(one));
}

function buyStatusesOf({ mediaBuyStatus }: Filters): readonly MediaBuyStatus[] | undefined {
  const asked = narrowedBy(mediaBuyStatus);
  return asked && mediaBuyStatuses.filter((one) => asked.includes(one));
}

function statusesOf({ status, includeArchived }: Filters): readonly CampaignStatus[] {
  const asked = narrowedBy(status) ?? ['ACTIVE', 'DRAFT', 'PAUSED', ...(includeArchived ? ARCHIVED : [])];
  return campaignStatuses.filter((one) => asked.includes(one) || asked.includes('ALL'));
}

const ARCHIVED = ['ARCHIVED'] as const;
