import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { sayingWithdrawn } from '../../domain/approvals/saying-withdrawn.ts';
import { needsApproval } from '../../domain/approvals/waiting.ts';
import { undeclaredWarnings } from '../../domain/buying/changes/undeclared-targeting.ts';
import { ahead } from '../../domain/buying/choice/allocation.ts';
import { textsOf, warningsOf, warningsTold } from '../../domain/buying/choice/choice-warnings.ts';
import { feesOfCampaigns } from '../../domain/buying/choice/fees.ts';
import { stopsOf } from '../../domain/buying/orders/draft-stops.ts';
import { executedBuyers } from '../../domain/buying/orders/executed-buyers.ts';
import { claimOrders } from '../../domain/buying/orders/order-claiming.ts';
import { questionOf } from '../../domain/buying/orders/spending-question.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { pendingOf } from '../../domain/buying/standing/buy-standing.ts';
import { omittedAmong } from '../../domain/discovery/choosing/omitted-still.ts';
import { exampleFlight } from '../../domain/time.ts';
import { asQueried } from './batch-ids.ts';
import { type Plan, planned, reachBatch, store } from './batch-planning.ts';
import { type Input, input, notBuilt, output, spellings } from './batch-schema.ts';
import { sendAll } from './campaign-execute.ts';
import { followUp } from './failed-orders.ts';
import { fixesCurrency } from './new-campaign.ts';

const REFS_MAX = 100;

export const mediaBuyCreateBatch = defineTool({
  name: 'media_buy_create_batch',
  title: 'Create media buys together',
  example: {
    productQueryId: 'disc_example',
    campaign: {
      create: {
        advertiserId: 1,
        name: 'Spring launch',
        budget: { total: 1_000 },
        flightDates: exampleFlight,
      },
    },
    mode: 'stage',
    selections: [{ kind: 'product', productId: 'sf1:1:example', budget: 100 }],
  },
  description:
    'Buys products and proposals that product_query found, for a draft campaign or a new one. mode stage keeps them in ' +
    'the draft, for campaign_execute; execute places one media buy with each seller, and keeps nothing at all where ' +
    'a product, the budget, the credit or a price stands against it. They join what was chosen of the query before, unless ' +
    'replace is true. Above the spend limit it stages, and campaign_execute asks another person. Execute spends ' +
    'money unless the advertiser is a sandbox.',
  effect: 'act',
  unlisted: true,
  audit: {
    kind: campaignKind,
    ofInput: ({ campaign }) => campaign.campaignId,
    ofResult: ({ campaignId }) => campaignId,
  },
  openWorld: true,
  buys: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/media-buys/batch' },
  input,
  spellings,
  notBuilt,
  output,
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'CURRENCY_MISMATCH',
    'CAPABILITY_NOT_SUPPORTED',
    'VERSION_UNSUPPORTED',
    'INSUFFICIENT_MEDIA_BUDGET',
    'CREDIT_LIMIT_EXCEEDED',
    'PRICING_NOT_CONFIGURED',
  ],
  find: reachBatch,
  question: async (ctx, request, found) => {
    if (request.mode === 'stage') return undefined;
    try {
      const { campaign, selections } = await planned(ctx, request, found);
      return await questionOf(ctx, found.draft ?? { ...campaign, id: undefined }, selections);
    } catch (thrown) {
      // What is wrong with it is told by the call itself, and nobody is asked.
      if (thrown instanceof AppError) return undefined;
      throw thrown;
    }
  },
  handler: async (ctx, request, found) => {
    const plan = await planned(ctx, request, found);
    if (request.mode === 'stage') return staged(ctx, request, { row: await stage(ctx, plan), plan });
    try {
      return await asQueried(plan.selections, () => execute(ctx, request, plan));
    } catch (thrown) {
      if (!needsApproval(thrown)) throw thrown;
      const row = await stage(ctx, plan);
      return { ...(await staged(ctx, request, { row, plan, warning: thrown.message })), success: false };
    }
  },
});

/** Nothing is bought by it: the log has it as what it does to the campaign, and not at all where that is nothing. */
async function stage(ctx: Context, plan: Plan): Promise<CampaignRow> {
  const { draft, noOp } = plan;
  if (draft !== undefined && noOp) return draft;
  return ctx.write((tx) => store(ctx, tx, plan), kept(plan));
}

function kept({ draft, campaign, advertiser, session }: Plan): AuditSubject {
  const before = draft?.discovery_id ?? null;
  return {
    ...(before === session.id ? {} : { changes: { discoveryId: { from: before, to: session.id } } }),
    action: draft === undefined ? 'CREATE' : 'UPDATE',
    resourceId: campaign.id,
    resourceName: campaign.name,
    advertiserId: advertiser.id,
  };
}

/** A campaign that is made to be executed at once is logged as made, and another query of a draft like any other. */
function storeToExecute(ctx: Context, tx: Db, plan: Plan): Promise<CampaignRow> {
  const work = () => store(ctx, tx, plan);
  return plan.draft?.discovery_id !== plan.session.id ? ctx.writeIn(tx, work, kept(plan)) : work();
}

function base(request: Input, row: CampaignRow, { draft, selections }: Plan) {
  const { productQueryId, mode } = request;
  return {
    productQueryId,
    campaignId: row.id,
    campaignCreated: draft === undefined,
    mode,
    sandbox: fromFlag(row.sandbox),
    queryProductsSelected: selections.length,
    proposalsApplied: request.selections.filter(({ kind }) => kind === 'proposal').length,
  };
}

interface Staged {
  readonly row: CampaignRow;
  readonly plan: Plan;
  readonly warning?: string;
}

async function staged(ctx: Context, request: Input, { row, plan, warning }: Staged) {
  const { selections } = plan;
  const undeclared = await undeclaredWarnings(ctx.db, selections, [row]);
  const fees = (await feesOfCampaigns(ctx, [row]))(row);
  const before = await listMediaBuys(ctx.db, ctx.scope, row.id);
  const stops = await stopsOf(ctx, row, { selections, fees, before });
  const { ordering } = await executedBuyers(ctx.db, ctx.scope, {
    sessionId: plan.session.id,
    known: [row],
    chosen: async () => selections,
  });
  const found = [
    ...omittedAmong(selections, plan.session),
    ...stops,
    ...undeclared,
    ...warningsOf(ahead(row, ctx.now), selections, fees),
    ...ordering,
  ];
  return {
    ...base(request, row, plan),
    campaignStatus: row.status,
    mediaBuysStaged: new Set(selections.map(({ agent_id }) => agent_id)).size,
    mediaBuysExecuted: 0,
    mediaBuyRefs: [],
    mediaBuyRefsTruncated: false,
    success: true,
    noOp: plan.noOp,
    ...warningsTold(found, [...(warning === undefined ? [] : [warning]), ...plan.left]),
    nextStep: 'Look at the draft with campaign_get, and buy with campaign_execute.',
  };
}

function asReference(buy: MediaBuyRow) {
  const { pendingAt } = pendingOf(buy, []);
  return { mediaBuyId: buy.id, status: buy.status, pendingAt };
}

async function execute(ctx: Context, request: Input, plan: Plan) {
  const { campaign } = plan;
  const attached = { ...campaign, discovery_id: plan.session.id };
  const { done, withdrawn } = await sayingWithdrawn(ctx, campaign.id, () =>
    claimOrders(ctx, attached, {
      rebuy: request.rebuy,
      unstored: {
        isNew: plan.draft === undefined,
        changesAdvertiser: plan.draft === undefined && fixesCurrency(plan.advertiser),
        chosen: plan.selections,
        store: (tx) => storeToExecute(ctx, tx, plan),
      },
    }),
  );
  const { row, sending, warnings } = done;
  const { debug } = request;
  const { sent, failed, errors, newStatus, left } = await sendAll(ctx, { row, sending, debug });
  return {
    ...base(request, row, plan),
    campaignStatus: newStatus,
    mediaBuysStaged: 0,
    mediaBuysExecuted: sent.length - failed.length,
    mediaBuyRefs: sent.slice(0, REFS_MAX).map(asReference),
    mediaBuyRefsTruncated: sent.length > REFS_MAX,
    success: failed.length === 0,
    noOp: false,
    ...(failed.length === 0 ? {} : { errors }),
    ...warningsTold(textsOf(warnings(left)), [...plan.left, ...withdrawn]),
    nextStep: followUp({ newStatus, sent, failed }),
  };
}
