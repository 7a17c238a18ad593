import { z } from 'zod';
import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { listMediaBuys, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { invalid } from '../../core/errors/refusals.ts';
import { SANDBOX_TIME } from '../../domain/advertisers/sandbox.ts';
import { doubtOf } from '../../domain/buying/answers/doubted-reports.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import {
  type Refreshed,
  refreshBuy,
  refreshSources,
  settleByNews,
} from '../../domain/buying/following/buy-refreshing.ts';
import { prefixedId } from '../../domain/ids.ts';
import { decimalsOf, toMajor } from '../../domain/money.ts';
import type { DeliveryAsked } from '../../domain/sellers/delivery.ts';
import { day, timestamp } from '../../domain/time.ts';
import { type Counted, deliveredTo, placementSorts, type Told } from './delivery-figures.ts';

const figures = {
  impressions: z.number().int().describe('Impressions so far.'),
  spend: z.number().describe('Spent so far, in units of the currency.'),
  clicks: z.number().int().describe('Clicks so far.'),
};

/** Absent where a seller says nothing of the days that are asked about. */
const optionalFigures = {
  impressions: figures.impressions.optional(),
  spend: figures.spend.optional(),
  clicks: figures.clicks.optional(),
};

const delivery = z.object({
  currency: z.string().describe('ISO 4217 code.'),
  totals: z
    .object({
      ...figures,
      incomplete: z
        .literal(true)
        .optional()
        .describe('A media buy is not counted in it, because its seller did not tell: its error says why.'),
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
        sandbox: z.boolean().describe(`True: nothing is spent. ${SANDBOX_TIME}`),
        salesAgentId: z.string().describe('Its seller.'),
        salesAgentName: z.string().describe('Name of that seller.'),
        budget: z.number().describe('What it may spend.'),
        ...optionalFigures,
        placements: z
          .array(
            z.object({
              placementId: z.string().describe('Id of the placement at the seller.'),
              packageId: z.string().nullable().describe('The package that ran there.'),
              ...figures,
              conversions: z.number().int().describe('Conversions.'),
            }),
          )
          .optional()
          .describe('Where it ran, as far as its seller says.'),
        windowStart: z
          .string()
          .optional()
          .describe(
            'First day of what its seller reports, YYYY-MM-DD in UTC; absent where it does not say, or all days were asked for.',
          ),
        windowEnd: z
          .string()
          .optional()
          .describe('Last day of that: it may be before the one that was asked for.'),
        lastUpdated: timestamp.optional().describe('When its seller last told of it; absent before.'),
        source: z.enum(refreshSources).describe('Where the figures come from.'),
        error: z
          .string()
          .optional()
          .describe(
            'Why its seller did not answer or report, or its report was not taken: figures so far stay, and of days there are none.',
          ),
      }),
    )
    .describe('Each media buy.'),
});

const PLACEMENTS = 25;
const PLACEMENTS_MAX = 250;
const DAY_LENGTH = '2030-03-01'.length;

const input = z.strictObject({
  campaignId: prefixedId('the campaign', 'cmp_'),
  startDate: day.optional().describe('The first day; the flight’s unless said otherwise.'),
  endDate: day.optional().describe('The last day; today unless said otherwise.'),
  placementBreakdown: z.boolean().default(false).describe('True tells placements apart.'),
  placementLimit: z.number().int().min(1).max(PLACEMENTS_MAX).optional().describe('So many of each buy; 25.'),
  placementSortBy: z.enum(placementSorts).optional().describe('The most of this first; spend.'),
});

type Input = z.output<typeof input>;

export const campaignGetDelivery = defineTool({
  name: 'campaign_get_delivery',
  title: 'Get delivery and spend',
  example: { campaignId: 'cmp_example' },
  description:
    'Asks the sellers what a campaign has delivered so far, and gives it for each media buy and in all: impressions, ' +
    'spend, clicks; of some days where they are named, and by placement where that is asked. Where a seller does not answer, or its report is not taken, its last figures stand, with the reason. Ask no more than every 30 s.',
  effect: 'read',
  unlisted: true,
  openWorld: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}/delivery' },
  input,
  output: z.object({
    campaignId: z.string().describe('Id of the campaign.'),
    delivery: delivery.describe('What was delivered.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, { campaignId }) => reachCurrentCampaign(ctx, campaignId),
  handler: async (ctx, input, campaign) => {
    const asked = askedIn(input, campaign, ctx.now);
    const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
    const refreshed = await Promise.all(buys.map((buy) => refreshBuy(ctx, buy)));
    await settleByNews(
      ctx,
      campaign,
      refreshed.map(({ after }) => after),
    );
    const delivered = await Promise.all(refreshed.map((one) => deliveredTo(ctx, one, asked)));
    return {
      campaignId: campaign.id,
      delivery: {
        currency: campaign.currency,
        totals: totalsOf(delivered, campaign.currency),
        mediaBuys: refreshed.map((one, index) => asDelivered(one, delivered[index])),
      },
    };
  },
});

/** What is asked beyond the figures so far. */
function askedIn(asked: Input, campaign: CampaignRow, now: string): DeliveryAsked | undefined {
  const [days, placements] = [daysIn(asked, campaign, now), placementsIn(asked)];
  if (days === undefined && placements === undefined) return undefined;
  return { ...(days === undefined ? {} : { days }), ...(placements === undefined ? {} : { placements }) };
}

/** A day that is not named is the first of the flight, or today. */
function daysIn(
  { startDate, endDate }: Input,
  { start_at }: CampaignRow,
  now: string,
): DeliveryAsked['days'] {
  if (startDate === undefined && endDate === undefined) return undefined;
  const days = {
    startDate: startDate ?? start_at.slice(0, DAY_LENGTH),
    endDate: endDate ?? now.slice(0, DAY_LENGTH),
  };
  if (days.startDate <= days.endDate) return days;
  if (endDate === undefined) throw invalid('startDate', `It is still to come: today is ${days.endDate}.`);
  const first =
    startDate === undefined ? `The flight begins on ${days.startDate}` : 'The end is before the start';
  throw invalid('endDate', `${first}.`);
}

function placementsIn({
  placementBreakdown,
  placementLimit,
  placementSortBy,
}: Input): DeliveryAsked['placements'] {
  if (placementBreakdown) return { limit: placementLimit ?? PLACEMENTS, sortBy: placementSortBy ?? 'spend' };
  if (placementLimit === undefined && placementSortBy === undefined) return undefined;
  throw invalid('placementBreakdown', 'Give true: placements are told by no other way.');
}

function asDelivered(
  { after, source, error }: Refreshed,
  { figures, toldAt, placements, window, error: untold }: Told = { figures: undefined },
) {
  return {
    mediaBuyId: after.id,
    name: after.name,
    status: after.status,
    sandbox: fromFlag(after.sandbox),
    salesAgentId: after.agent_id,
    salesAgentName: after.agent_name,
    budget: toMajor(after.budget_minor, after.currency),
    impressions: figures?.impressions,
    spend: figures === undefined ? undefined : toMajor(figures.spendMinor, after.currency),
    clicks: figures?.clicks,
    placements: placements === undefined ? undefined : [...placements],
    windowStart: window?.start,
    windowEnd: window?.end,
    lastUpdated: toldAt ?? after.performance_at ?? undefined,
    source: toldAt === undefined ? source : ('direct_agent' as const),
    error: error ?? untold ?? doubtOf(after),
  };
}

const PER_CPM = 1_000;
/** Or more, where its currency has more. */
const CPM_DECIMALS = 2;
const CTR_DECIMALS = 6;

/** Sums stay whole numbers that are exact, whatever stands in the rows that they are made of. */
function totalsOf(delivered: readonly Told[], currency: string) {
  const sum = (figure: keyof Counted) =>
    Math.min(
      delivered.reduce((total, { figures: told }) => total + (told?.[figure] ?? 0), 0),
      Number.MAX_SAFE_INTEGER,
    );
  const [impressions, spendMinor, clicks] = [sum('impressions'), sum('spendMinor'), sum('clicks')];
  const isIncomplete = delivered.some(({ figures: told, isUntold }) => told === undefined || isUntold);
  const counted = {
    impressions,
    spend: toMajor(spendMinor, currency),
    clicks,
    ...(isIncomplete ? { incomplete: true as const } : {}),
  };
  if (impressions === 0) return counted;
  const { spend } = counted;
  const decimals = Math.max(CPM_DECIMALS, decimalsOf(currency));
  const cpm = Number(((spend / impressions) * PER_CPM).toFixed(decimals));
  return { ...counted, cpm, ctr: Number((clicks / impressions).toFixed(CTR_DECIMALS)) };
}
