import { z } from 'zod';
import { type CampaignRow, campaignStatuses } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { errorCodes, type MediaBuyRow, mediaBuyStatuses } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { WAITS, waitingApproval, waitingRecord } from '../../domain/approvals/record.ts';
import { orWait } from '../../domain/approvals/waiting.ts';
import { remarksTold, remarkTypes } from '../../domain/buying/choice/choice-warnings.ts';
import { claimOrders } from '../../domain/buying/orders/order-claiming.ts';
import { spendingQuestion } from '../../domain/buying/orders/spending-question.ts';
import { campaignKind, reachCampaign } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import { failure, followUp, sendAll } from './executing.ts';

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
  ],
  find: (ctx, input) => reachCampaign(ctx, input.campaignId),
  question: (ctx, _input, campaign) => spendingQuestion(ctx, campaign),
  handler: async (ctx, { rebuy, debug }, campaign) => {
    const { done, waits, withdrawn } = await orWait(ctx, campaign.id, () =>
      claimOrders(ctx, campaign, { rebuy }),
    );
    if (done === undefined) return asWaiting(campaign, waits, withdrawn);
    const { row, sending, warnings } = done;

    const { sent, failed, errors, newStatus } = await sendAll(ctx, { row, sending, debug });
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
      ...remarksTold(warnings(newStatus)),
      nextStep: [followUp({ newStatus, sent, failed }), ...withdrawn].join(' '),
    };
  },
});

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

function isUnresolved({ submission }: MediaBuyRow): boolean {
  return submission === 'unknown' || submission === 'sending';
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
