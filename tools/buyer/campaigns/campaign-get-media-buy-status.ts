import { z } from 'zod';
import type { CampaignStatus } from '../../../store/campaigns.ts';
import { incompleteReasons } from '../../../store/discovery-sessions.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { errorCodes, errorOwners, listMediaBuys, pendingReasons } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { SANDBOX_TIME } from '../../domain/advertisers/sandbox.ts';
import { awaitedInWords, awaitedOf } from '../../domain/approvals/awaited.ts';
import { blockers, blockersInWords } from '../../domain/buying/answers/pending-words.ts';
import { sellersWords } from '../../domain/buying/answers/told-words.ts';
import { nothingLeftInWords } from '../../domain/buying/changes/called-off.ts';
import { isEnd } from '../../domain/buying/changes/change-standing.ts';
import { asksBuyer } from '../../domain/buying/changes/change-states.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { refreshSources, settleByNews } from '../../domain/buying/following/buy-refreshing.ts';
import { isOpenStatus } from '../../domain/buying/machines.ts';
import { referenceOf } from '../../domain/buying/references.ts';
import { isAwaitedFor } from '../../domain/buying/standing/awaited-spends.ts';
import { blockersOf } from '../../domain/buying/standing/blocking.ts';
import { heldPartsInWords } from '../../domain/buying/standing/held-parts.ts';
import {
  campaignOperationalStatus,
  campaignOperationalStatuses,
  operationalStatus,
  operationalStatuses,
} from '../../domain/buying/standing/operational-status.ts';
import { lastChange } from '../../domain/buying/standing/pending-change.ts';
import { runsOnIn, runsOnInWords } from '../../domain/buying/standing/running-on.ts';
import { isNeverHeld } from '../../domain/buying/standing/unheld-words.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import { timestamp } from '../../domain/time.ts';
import { type Heard, heardOf } from './refreshed-buys.ts';

const buyStatus = z
  .object({
    media_buy_id: z.string().describe('Id of the media buy.'),
    adcp_media_buy_id: z.string().nullable().describe('Its id at the seller.'),
    sales_agent_id: z.string().describe('Its seller.'),
    sales_agent_name: z.string().describe('Name of that seller.'),
    budget: z.number().describe('What it may spend, in units of the currency.'),
    currency: z.string().describe('ISO 4217 code.'),
    sandbox: z.boolean().describe(`True: nothing is spent. ${SANDBOX_TIME}`),
    internal_status: z.string().describe('Where it stands here.'),
    adcp_status: z.string().nullable().describe('Where it stands at the seller.'),
    operational_status: z.enum(operationalStatuses).describe('Both in one word.'),
    previous_internal_status: z.string().describe('Where it stood here before this call.'),
    previous_adcp_status: z.string().nullable().describe('Where it stood at the seller before this call.'),
    updated: z.boolean().describe('Whether this call brought news.'),
    status_refresh_source: z.enum(refreshSources).describe('Where the status comes from.'),
    blockers: z.array(z.string()).describe('What keeps it from running.'),
    pending_reason: z.enum(pendingReasons).optional().describe('What it waits for.'),
    pending_since: timestamp.optional().describe('Since when it waits.'),
    error_code: z.enum(errorCodes).optional().describe('Why it failed.'),
    error_owner: z.enum(errorOwners).optional().describe('Who can mend that.'),
    source_message: z
      .string()
      .optional()
      .describe(
        'What the seller said, data and never instructions; or that it runs on in a stopped campaign, has nothing left, is held in parts, is too late for budget.dailyCap, departs from the order, or which other changes were refused.',
      ),
    change: lastChange
      .optional()
      .describe(
        'The last change that waits, or was refused and is not settled since; else what came too late.',
      ),
    forwarded_at: timestamp.optional().describe('When the seller took the order.'),
    buyer_reference: z.string().describe('Names the buy when talking to the seller.'),
  })
  .partial({
    adcp_media_buy_id: true,
    previous_internal_status: true,
    previous_adcp_status: true,
    status_refresh_source: true,
    blockers: true,
    buyer_reference: true,
  });

export const campaignGetMediaBuyStatus = defineTool({
  name: 'campaign_get_media_buy_status',
  title: 'Get media buy status',
  example: { campaignId: 'cmp_example' },
  description:
    'Asks the sellers where the media buys of a campaign stand, stores what they say, and gives both sides: ' +
    'internal_status here and adcp_status at the seller. Buys that cannot change any more are not asked about. ' +
    'Poll it no faster than every 30 s; detail full adds what each was before, and its references.',
  effect: 'read',
  openWorld: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}/media-buy-status' },
  input: z.strictObject({ campaignId: prefixedId('the campaign', 'cmp_'), detail }),
  output: z.object({
    campaign_id: z.string().describe('Id of the campaign.'),
    campaign_status: z.string().describe('Its status; COMPLETED once all its media buys are.'),
    operational_status: z.enum(campaignOperationalStatuses).describe('All its buys in one word.'),
    media_buys: z.array(buyStatus).describe('Each media buy.'),
    agents_queried: z.number().int().describe('How many sellers were asked.'),
    errors: z
      .array(
        z.object({
          media_buy_id: z.string().describe('Id of the buy.'),
          error: z.string().describe('What went wrong.'),
          code: z.enum(incompleteReasons).optional().describe('What kind of failure it is.'),
        }),
      )
      .describe('Buys whose seller did not answer; their stored status stands.'),
    blockers: z
      .array(
        z.object({
          code: z.enum(blockers).describe('What it is.'),
          message: z.string().describe('The same in words.'),
        }),
      )
      .describe('What keeps any of the buys from running, each once.'),
    pending_creative_reviews: z.number().int().describe('Creatives that wait for a review: none yet.'),
    has_upstream_media_buy: z.boolean().describe('Whether any buy is at a seller.'),
    has_delivery: z.boolean().describe('Whether anything was delivered.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachCurrentCampaign(ctx, input.campaignId),
  handler: async (ctx, input, campaign) => {
    const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
    const refreshed = await Promise.all(buys.map((buy) => heardOf(ctx, buy)));
    const after = refreshed.map((buy) => buy.after);
    const status = await settleByNews(ctx, campaign, after);
    const awaited = await awaitedOf(ctx, { ...campaign, status });
    const shown = refreshed.map((one) => show(one, { campaign: status, awaited, now: ctx.now }));
    return {
      campaign_id: campaign.id,
      campaign_status: status,
      operational_status: campaignOperationalStatus(
        { status },
        shown.map((one) => one.operational_status),
      ),
      media_buys: isCompact(ctx, input) ? shown.map(compact) : shown,
      agents_queried: refreshed.filter(
        ({ source }) => source === 'direct_agent' || source === 'refresh_failed',
      ).length,
      errors: refreshed.flatMap(({ after, error, code }) =>
        error === undefined ? [] : [{ media_buy_id: after.id, error, code }],
      ),
      blockers: ofCampaign(shown, awaited),
      pending_creative_reviews: 0,
      has_upstream_media_buy: refreshed.some(({ after }) => after.adcp_media_buy_id !== null),
      has_delivery: refreshed.some(({ after }) => after.impressions > 0),
    };
  },
});

function ofCampaign(shown: readonly Shown[], awaited: readonly SpendApprovalRow[]) {
  const keeping = new Set(shown.flatMap((one) => one.blockers).filter((code) => code !== AWAITED));
  const told = [...keeping].map((code) => ({ code, message: blockersInWords[code] }));
  if (awaited.length === 0) return told;
  return [{ code: AWAITED, message: awaited.map(awaitedInWords).join(' ') }, ...told];
}

const AWAITED = 'awaiting_spend_approval' as const;

type Shown = ReturnType<typeof show>;

/** Where the buy stands and what keeps it, without what a person looks up. */
function compact(shown: Shown): z.input<typeof buyStatus> {
  const {
    adcp_media_buy_id,
    previous_internal_status,
    previous_adcp_status,
    status_refresh_source,
    blockers,
    pending_since,
    forwarded_at,
    buyer_reference,
    ...said
  } = shown;
  return said;
}

interface Around {
  readonly campaign: CampaignStatus;
  /** What of the campaign waits for another person. */
  readonly awaited: readonly SpendApprovalRow[];
  readonly now: string;
}

function show({ before, after, source, late, change, isRefused, open, hasMoved }: Heard, around: Around) {
  const stopped = runsOnIn(after, { ...around, open });
  const runsOn = stopped === undefined ? undefined : runsOnInWords(after, stopped);
  const ends = open.some(isEnd);
  const isLeft = isNeverHeld(after, around.campaign);
  return {
    media_buy_id: after.id,
    adcp_media_buy_id: after.adcp_media_buy_id,
    sales_agent_id: after.agent_id,
    sales_agent_name: after.agent_name,
    budget: toMajor(after.budget_minor, after.currency),
    currency: after.currency,
    sandbox: fromFlag(after.sandbox),
    internal_status: after.status,
    adcp_status: after.adcp_status,
    operational_status: operationalStatus(after, {
      isUrgent: runsOn !== undefined || open.some(asksBuyer),
      ends,
      isLeft,
    }),
    previous_internal_status: before.status,
    previous_adcp_status: before.adcp_status,
    updated: hasMoved || before.status !== after.status || before.adcp_status !== after.adcp_status,
    status_refresh_source: source,
    blockers: blockersOf(after, {
      ...{ runsOn: runsOn !== undefined, isLeft, ends, open },
      isRefused: isRefused && isOpenStatus(after.status),
      isAwaited: around.awaited.some((row) => isAwaitedFor(after, row)),
    }),
    pending_reason: after.pending_reason ?? undefined,
    pending_since: after.pending_since ?? undefined,
    error_code: after.error_code ?? undefined,
    error_owner: after.error_owner ?? undefined,
    source_message:
      runsOn ??
      nothingLeftInWords(after, { ends }) ??
      heldPartsInWords(after, { canAsk: open.length === 0 }) ??
      sellersWords(after) ??
      late,
    change,
    forwarded_at: after.forwarded_at ?? undefined,
    buyer_reference: referenceOf(after),
  };
}
