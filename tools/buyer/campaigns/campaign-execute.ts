import { z } from 'zod';
import { type CampaignRow, type CampaignStatus, campaignStatuses } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { errorCodes, type MediaBuyRow, mediaBuyStatuses } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { WAITS, waitingApproval, waitingRecord } from '../../domain/approvals/record.ts';
import { orWait } from '../../domain/approvals/waiting.ts';
import { isTaken } from '../../domain/buying/answers/taken-orders.ts';
import {
  type Left,
  type Remark,
  remarksTold,
  remarkTypes,
} from '../../domain/buying/choice/choice-warnings.ts';
import { followAfterAsking } from '../../domain/buying/following/campaign-following.ts';
import { followOrder } from '../../domain/buying/following/change-refreshing.ts';
import { isLive, isUnresolved } from '../../domain/buying/machines.ts';
import { type Claim, claimOrders } from '../../domain/buying/orders/order-claiming.ts';
import { type Heard, type OrderTry, sendOrder } from '../../domain/buying/orders/order-sending.ts';
import type { Sending } from '../../domain/buying/orders/order-storing.ts';
import { spendingQuestion } from '../../domain/buying/orders/spending-question.ts';
import { campaignKind, reachCampaign } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import { answerRoom } from '../../domain/shown-answer.ts';
import { failure, failureRecord, followUp } from './failed-orders.ts';

const placed = z.object({
  mediaBuyId: z.string().describe('Id of the media buy: read it with media_buy_get.'),
  salesAgentId: z.string().describe('Its seller.'),
  salesAgentName: z.string().describe('Name of that seller.'),
  budget: z.number().describe('What it may spend, in units of the currency.'),
  budgetCurrency: z.string().describe('ISO 4217 code.'),
  status: z.enum(mediaBuyStatuses).describe('Where it stands.'),
  sandbox,
  errorCode: z.enum(errorCodes).optional().describe('Why it failed or was rejected.'),
  unresolved: z
    .literal(true)
    .optional()
    .describe(
      'Present when the seller may hold the order all the same: it is repeated under the same key only.',
    ),
});

/** Contract: ExecuteWarning. Drafts are made anew when they are executed: none is stale, and no creative is dropped. */
const warning = z.object({
  type: z
    .enum(remarkTypes)
    .describe(
      'goal_left_out: a product is bought without a goal; even_pace: a daily cap keeps all to it; ' +
        'unallocated_budget: some is given to no product; ended_at_seller: nothing more is ordered there; ' +
        'not_ordered: its seller has an order of the campaign already; ' +
        'runs_on: what was ordered runs, and the campaign is paused; ' +
        'more_warnings: there are more than are told.',
    ),
  hint: z.string().describe('The same in words, and what to do.'),
  mediaBuyIds: z.array(z.string()).optional().describe('The media buys that it is about.'),
});

export const campaignExecute = defineTool({
  name: 'campaign_execute',
  title: 'Execute campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Buys: places one media buy with each seller of the chosen products, and makes the campaign ACTIVE when any ' +
    'seller took its order; failed ones are in errors. Executed again it retries the failed ones only and never ' +
    'buys twice. Everything that is wrong with the choice is told before any seller is asked. This spends money ' +
    'unless the advertiser is a sandbox. Go on with campaign_get_media_buy_status.',
  effect: 'act',
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  buys: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns/{campaignId}/execute' },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    rebuy: z
      .boolean()
      .default(false)
      .describe('True buys again what another campaign has bought from the same discovery session.'),
    debug: z.boolean().default(false).describe('True tells what went to the sellers that failed.'),
  }),
  output: z.object({
    campaignId: z.string().describe('Id of the campaign.'),
    previousStatus: z.enum(campaignStatuses).describe('Its status before.'),
    newStatus: z
      .enum(campaignStatuses)
      .describe('Its status now; DRAFT when every seller refused: choose other products and execute again.'),
    success: z.boolean().describe('False when a media buy failed, or nothing was done yet.'),
    sandbox,
    mediaBuysExecuted: z.number().int().describe('How many sellers took the order.'),
    mediaBuys: z.array(placed).describe('What was ordered by this call, a media buy a seller.'),
    reason: z
      .enum(['no_media_buys_to_execute', 'approval_needed'])
      .optional()
      .describe(
        'Present when nothing was done: there was nothing to do, or approval says who is waited for.',
      ),
    approval: waitingApproval,
    errors: z.array(failure).optional().describe('The media buys that failed.'),
    warnings: z.array(warning).optional().describe('What is worth knowing, such as budget that is left.'),
    nextStep: z.string().describe('What to call next.'),
  }),
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'CURRENCY_MISMATCH',
    'INSUFFICIENT_MEDIA_BUDGET',
    'CREDIT_LIMIT_EXCEEDED',
    'PRICING_NOT_CONFIGURED',
    'CAPABILITY_NOT_SUPPORTED',
    'VERSION_UNSUPPORTED',
  ],
  find: (ctx, input) => reachCampaign(ctx, input.campaignId),
  question: (ctx, _input, campaign) => spendingQuestion(ctx, campaign),
  handler: async (ctx, { rebuy, debug }, campaign) => {
    const { done, waits, withdrawn } = await orWait(ctx, campaign.id, () =>
      claimOrders(ctx, campaign, { rebuy }),
    );
    if (done === undefined) return asWaiting(campaign, waits, withdrawn);
    const { row, sending, warnings } = done;

    const { sent, failed, errors, newStatus, left } = await sendAll(ctx, { row, sending, debug });
    return {
      campaignId: campaign.id,
      previousStatus: campaign.status,
      newStatus,
      success: failed.length === 0,
      sandbox: fromFlag(campaign.sandbox),
      mediaBuysExecuted: sent.length - failed.length,
      mediaBuys: sent.map(asPlaced),
      ...(sent.length === 0 ? { reason: 'no_media_buys_to_execute' as const } : {}),
      ...(failed.length === 0 ? {} : { errors }),
      ...remarksTold([...runningOn(newStatus, sent), ...warnings(left)]),
      nextStep: [followUp({ newStatus, sent, failed }), ...withdrawn].join(' '),
    };
  },
});

/** What is ordered is not held because its campaign is: sellers begin what they take. */
function runningOn(newStatus: CampaignStatus, sent: readonly MediaBuyRow[]): Remark[] {
  const running = newStatus === 'PAUSED' ? sent.filter(({ status }) => status === 'ACTIVE') : [];
  return running.map(({ id, name }) => ({
    type: 'runs_on',
    text: `${name} runs, and the campaign is PAUSED. Call campaign_pause again to have it held, or campaign_reactivate if all is to go on.`,
    mediaBuyIds: [id],
  }));
}

interface Claimed extends Pick<Claim, 'row' | 'sending'> {
  /** True where it is told what went to the sellers that failed. */
  readonly debug: boolean;
}

/** Where orders left their campaign, and what no seller holds of them. */
function leftBy(newStatus: CampaignStatus, failed: readonly MediaBuyRow[]): Left {
  const free = failed.filter((buy) => !isLive(buy));
  return { status: newStatus, failedMinor: free.reduce((sum, { budget_minor }) => sum + budget_minor, 0) };
}

/** Sends each order that was claimed to its seller; one that fails hides nothing of the others. */
export async function sendAll(ctx: Context, { row, sending, debug }: Claimed) {
  // Neither a caller who leaves nor a graceful stop takes an order back that is on its way.
  const tries = new Map(sending.map(({ buy }): [string, OrderTry[]] => [buy.id, []]));
  const heard = (id: string) => (one: OrderTry) => void tries.get(id)?.push(one);
  const sent = await Promise.all(sending.map((order) => send(ctx, order, heard(order.buy.id))));
  const newStatus = (await followAfterAsking(ctx, row.id)) ?? row.status;
  const failed = sent.filter(({ status }) => !isTaken(status));
  const max = answerRoom(failed.length);
  const errors = failed.map((buy) =>
    failureRecord(buy, debug ? { tries: tries.get(buy.id) ?? [], max } : undefined),
  );
  return { sent, failed, errors, newStatus, left: leftBy(newStatus, failed) };
}

/** One seller is settled by itself: what cannot be stored of its answer hides nothing of the others. */
async function send(ctx: Context, { buy, repeat, unheard }: Sending, heard: Heard): Promise<MediaBuyRow> {
  try {
    const write: Context['write'] = (work, subject) => ctx.write(work, subject);
    const sent = await sendOrder(ctx.services, buy, { repeat, isNew: !repeat, unheard, heard, write });
    return repeat ? await followOrder(ctx, sent, write) : sent;
  } catch (err) {
    const { services, requestId } = ctx;
    services.log.error({ err, mediaBuyId: buy.id, requestId }, 'storing what came of an order failed');
    // It stands there as on its way: the service sends it again by itself, under the same key.
    return { ...buy, source_message: NOT_STORED };
  }
}

const NOT_STORED =
  'The order was sent, and what came of it could not be stored. It is asked for again by itself, under the same key.';

/** Nothing went out: it waits until another person allows it. */
function asWaiting(
  { id, status, sandbox: ofSandbox }: CampaignRow,
  waits: SpendApprovalRow,
  withdrawn: readonly string[],
) {
  return {
    campaignId: id,
    previousStatus: status,
    newStatus: status,
    success: false,
    sandbox: fromFlag(ofSandbox),
    mediaBuysExecuted: 0,
    mediaBuys: [],
    reason: 'approval_needed' as const,
    approval: waitingRecord(waits),
    nextStep: [WAITS, ...withdrawn].join(' '),
  };
}

function asPlaced(buy: MediaBuyRow) {
  return {
    mediaBuyId: buy.id,
    salesAgentId: buy.agent_id,
    salesAgentName: buy.agent_name,
    budget: toMajor(buy.budget_minor, buy.currency),
    budgetCurrency: buy.currency,
    status: buy.status,
    sandbox: fromFlag(buy.sandbox),
    errorCode: buy.error_code ?? undefined,
    ...(isUnresolved(buy) ? { unresolved: true as const } : {}),
  };
}
