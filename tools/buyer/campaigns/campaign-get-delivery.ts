import { z } from 'zod';
import { listMediaBuys, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import {
  type Refreshed,
  refreshBuy,
  refreshSources,
  settleByNews,
} from '../../domain/buying/buy-refreshing.ts';
import { currentCampaign } from '../../domain/buying/flight-ends.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import { timestamp } from '../../domain/time.ts';

const figures = {
  impressions: z.number().int().describe('Impressions so far.'),
  spend: z.number().describe('Spent so far, in units of the currency.'),
  clicks: z.number().int().describe('Clicks so far.'),
};

const delivery = z.object({
  currency: z.string().describe('ISO 4217 code.'),
  totals: z
    .object({
      ...figures,
      cpm: z.number().optional().describe('Spent for a thousand impressions.'),
      ctr: z.number().optional().describe('Clicks for an impression.'),
    })
    .describe('All media buys together.'),
  mediaBuys: z
    .array(
      z.object({
        mediaBuyId: z.string().describe('Id of the media buy.'),
        name: z.string().describe('Its name.'),
        status: z.enum(mediaBuyStatuses).describe('Where it stands.'),
        salesAgentId: z.string().describe('Its seller.'),
        salesAgentName: z.string().describe('Name of that seller.'),
        budget: z.number().describe('What it may spend.'),
        ...figures,
        lastUpdated: timestamp.optional().describe('When its seller last told of it; absent before.'),
        source: z.enum(refreshSources).describe('Where the figures come from.'),
        error: z.string().optional().describe('Why its seller did not answer; its last figures stand.'),
      }),
    )
    .describe('Each media buy.'),
});

export const campaignGetDelivery = defineTool({
  name: 'campaign_get_delivery',
  title: 'Get campaign delivery',
  example: { campaignId: 'cmp_example' },
  description:
    'Asks the sellers what a campaign has delivered so far, and gives it for each media buy and in all: impressions, ' +
    'spend, clicks. Where a seller does not answer its last figures stand, with the reason. Ask no more than every 30 s.',
  effect: 'read',
  unlisted: true,
  openWorld: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}/delivery' },
  input: z.strictObject({ campaignId: prefixedId('the campaign', 'cmp_') }),
  notBuilt: ['startDate', 'endDate', 'placementBreakdown=true', 'placementLimit', 'placementSortBy'],
  output: z.object({
    campaignId: z.string().describe('Id of the campaign.'),
    delivery: delivery.describe('What was delivered.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, { campaignId }) => currentCampaign(ctx, campaignId),
  handler: async (ctx, _input, campaign) => {
    const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
    const refreshed = await Promise.all(buys.map((buy) => refreshBuy(ctx, buy)));
    await settleByNews(
      ctx,
      campaign,
      refreshed.map(({ after }) => after),
    );
    return {
      campaignId: campaign.id,
      delivery: {
        currency: campaign.currency,
        totals: totalsOf(refreshed, campaign.currency),
        mediaBuys: refreshed.map(asDelivered),
      },
    };
  },
});

function asDelivered({ after, source, error }: Refreshed) {
  return {
    mediaBuyId: after.id,
    name: after.name,
    status: after.status,
    salesAgentId: after.agent_id,
    salesAgentName: after.agent_name,
    budget: toMajor(after.budget_minor, after.currency),
    impressions: after.impressions,
    spend: toMajor(after.spend_minor, after.currency),
    clicks: after.clicks,
    lastUpdated: after.performance_at ?? undefined,
    source,
    error,
  };
}

const PER_CPM = 1_000;
const CPM_DECIMALS = 2;
const CTR_DECIMALS = 6;

function totalsOf(refreshed: readonly Refreshed[], currency: string) {
  const sum = (figure: 'impressions' | 'spend_minor' | 'clicks') =>
    refreshed.reduce((total, { after }) => total + after[figure], 0);
  const [impressions, spendMinor, clicks] = [sum('impressions'), sum('spend_minor'), sum('clicks')];
  const spend = toMajor(spendMinor, currency);
  if (impressions === 0) return { impressions, spend, clicks };
  const cpm = Number(((spend / impressions) * PER_CPM).toFixed(CPM_DECIMALS));
  return { impressions, spend, clicks, cpm, ctr: Number((clicks / impressions).toFixed(CTR_DECIMALS)) };
}
