import { z } from 'zod';
import { type CampaignRow, listDraftsOf } from '../../../store/campaigns.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { namesApart } from '../../core/errors/names-apart.ts';
import { conflict, contradicts } from '../../core/errors/refusals.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { isSandboxMissing, noSandbox } from '../../domain/buying/changes/undeclared-sandbox.ts';
import { ahead } from '../../domain/buying/choice/allocation.ts';
import { warningsTold } from '../../domain/buying/choice/choice-warnings.ts';
import { closedOf, noOrders } from '../../domain/buying/choice/closed-sellers.ts';
import { feesOfCampaigns } from '../../domain/buying/choice/fees.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { candidatesIn, LOOKED_AT } from '../../domain/discovery/choosing/auto-candidates.ts';
import { choicesFor } from '../../domain/discovery/choosing/auto-selection.ts';
import { type Chosen, requireAll, tryChoices } from '../../domain/discovery/choosing/choose.ts';
import { targetableFor } from '../../domain/discovery/declared-targeting.ts';
import { reachSession } from '../../domain/discovery/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import type { Undeclared } from '../../domain/targeting/declared.ts';
import {
  asksIn,
  idsNamed,
  refinement,
  requireFoundProducts,
  requireIncluded,
  unreadAsks,
} from './auto-select-refine.ts';
import { minorOf } from './campaign-columns.ts';
import { selected } from './selecting.ts';

const input = z.strictObject({
  campaignId: prefixedId('the draft campaign', 'cmp_'),
  maxProducts: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('So many at the most; 5 unless said otherwise.'),
  minBudgetPerProduct: z.number().positive().max(1e12).optional().describe('What each gets at the least.'),
  refine: z
    .array(refinement)
    .min(1)
    .max(100)
    .optional()
    .describe(
      'What they are to be: products to have or not, and words, as “no gambling”, “only sports”, “CPM under 10 USD”.',
    ),
});

type Input = z.output<typeof input>;

export const campaignAutoSelectProducts = defineTool({
  name: 'campaign_auto_select_products',
  title: 'Select products automatically',
  example: { campaignId: 'cmp_example', maxProducts: 3 },
  description:
    'Chooses products for a draft campaign from its discovery session, in place of what was chosen there: those that ' +
    'keep its constraints, answer refine and take its goals, cheapest first, one publisher after the other, each with an equal share ' +
    'of the budget. Only what has a price of a thousand impressions (CPM, vCPM) takes part. Returns the choice; go on with campaign_execute.',
  effect: 'update',
  // Sellers are asked what they declare.
  inSteps: true,
  unlisted: true,
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns/{campaignId}/auto-select-products' },
  input,
  output: z.object({
    campaignId: z.string().describe('Id of the campaign.'),
    discoveryId: z.string().describe('The session that they are chosen in.'),
    selectedProducts: z
      .array(
        z.object({
          productId: z.string().describe('Id of the product.'),
          name: z.string().describe('Its name.'),
          salesAgentId: z.string().describe('Its seller.'),
          groupId: z.string().describe('The group it was found in.'),
          groupName: z.string().describe('Name of that group.'),
          cpm: z.number().optional().describe('Price of a thousand impressions.'),
          budget: z.number().describe('What it was given.'),
          pricingOptionId: z.string().optional().describe('How it is bought.'),
        }),
      )
      .describe('What is chosen now.'),
    budgetContext: z
      .object({
        campaignBudget: z.number().describe('What the campaign may spend.'),
        totalAllocated: z.number().describe('What the products were given.'),
        remainingBudget: z.number().describe('What is left.'),
        currency: z.string().describe('ISO 4217 code.'),
      })
      .describe('The budget.'),
    productCount: z.number().int().describe('How many are chosen.'),
    sandbox,
    warnings: z
      .array(z.string())
      .optional()
      .describe('Sellers whose products were left out, and why; words of refine that decided nothing.'),
    previouslySelectedCount: z.number().int().optional().describe('How many were chosen before.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { campaignId }) => {
    const campaign = await reachCurrentCampaign(ctx, campaignId);
    const { discovery_id: id } = campaign;
    return { campaign, session: id === null ? undefined : await reachSession(ctx, id) };
  },
  handler: async (ctx, input, { campaign, session }) => {
    const { row, choices, warnings } = await choicesIn(ctx, input, { campaign, session });
    const chosen = requireAll(await tryChoices(ctx, { session: row, choices }));
    const { from: before } = await selected(ctx, { campaign, session: row, chosen });
    return {
      ...chosenRecord(campaign, chosen),
      discoveryId: row.id,
      previouslySelectedCount: before,
      ...warningsTold(warnings),
    };
  },
});

interface Subject {
  readonly campaign: CampaignRow;
  readonly session: DiscoverySessionRow | undefined;
}

const DISCOVER = 'Call discover_products with this campaignId first.';
const WIDEN =
  'Raise the budget or widen the constraints with campaign_update, discover again, or choose what is sold otherwise with discovery_add_products.';
const UNTARGETABLE = 'Its seller does not declare the targeting that constraints of the campaign ask for.';

/** What fits the campaign best of what its session found, and what is to be said of it. */
async function choicesIn(ctx: Context, input: Input, { campaign, session }: Subject) {
  const { status, currency } = campaign;
  if (status !== 'DRAFT') {
    throw conflict(
      `The campaign is ${status}: products are selected for drafts.`,
      'Create another with campaign_create.',
    );
  }
  if (session === undefined) {
    throw contradicts('campaignId', 'It has no discovery session to choose from.', { suggestion: DISCOVER });
  }
  const { refine = [], maxProducts, minBudgetPerProduct: least } = input;
  const candidates = await candidatesIn(ctx, session, idsNamed(refine));
  requireFoundProducts(refine, candidates);
  const sellers = namesApart(
    candidates.map(({ product: { salesAgentId: id, salesAgentName: name, storefrontName: beside } }) => {
      return { id, name, beside };
    }),
  );
  const closed = await closedOf(ctx, sellers);
  const wishes = {
    maxProducts,
    minBudgetMinor: least === undefined ? undefined : minorOf('minBudgetPerProduct', least, currency),
    include: idsNamed(refine, 'include'),
    omit: idsNamed(refine, 'omit'),
    asks: asksIn(refine, { candidates, currency }),
    fees: (await feesOfCampaigns(ctx, [campaign]))(campaign),
  };
  const drafts = await listDraftsOf(ctx.db, ctx.scope, session.id);
  const bought = { drafts, sandbox: campaign.sandbox };
  const { choices, unfit, unable } = await targetableFor(ctx, bought, (unable) => ({
    ...choicesFor(ahead(campaign, ctx.now), candidates, { ...wishes, without: reasonsOf(closed, unable) }),
    unable,
  }));
  requireIncluded(refine, unfit);
  const live = new Map([...sellers].filter(([id]) => isSandboxMissing(unable.get(id))));
  const unread = unreadAsks(wishes.asks);
  const warnings = [...leftOutOf(closed, noOrders), ...leftOutOf(live, noSandbox), ...unread];
  if (choices.length === 0) throw nothingFits(candidates.length, warnings);
  return { row: session, choices, warnings };
}

/** Sellers of which nothing is chosen, each with the reason. */
function reasonsOf(
  closed: ReadonlyMap<string, string>,
  unable: ReadonlyMap<string, Undeclared>,
): ReadonlyMap<string, string> {
  return new Map([
    ...[...closed].map(([id, name]) => [id, noOrders([name])] as const),
    ...[...unable].map(([id, why]) => [id, isSandboxMissing(why) ? why.reason : UNTARGETABLE] as const),
  ]);
}

/** Sellers of which nothing is chosen are named with what is said of them. */
function leftOutOf(
  sellers: ReadonlyMap<string, string>,
  said: (names: readonly string[]) => string,
): string[] {
  if (sellers.size === 0) return [];
  return [`${said([...sellers.values()])} ${sellers.size === 1 ? 'Its' : 'Their'} products are left out.`];
}

function nothingFits(lookedAt: number, warnings: readonly string[]) {
  const none = lookedAt < LOOKED_AT ? 'No product' : `None of the ${LOOKED_AT} cheapest products`;
  const words = `${none} of its session with a price of a thousand impressions (CPM or vCPM) fits its constraints, storefronts, currency, budget and refine.`;
  return contradicts('campaignId', [words, ...warnings].join(' '), { suggestion: WIDEN });
}

function chosenRecord(campaign: CampaignRow, chosen: readonly Chosen[]) {
  const allocated = chosen.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
  const major = (minor: number) => toMajor(minor, campaign.currency);
  return {
    campaignId: campaign.id,
    selectedProducts: chosen.map((row) => ({
      productId: row.product_id,
      name: fromJson(row.product).name,
      salesAgentId: row.agent_id,
      groupId: row.group_id,
      groupName: row.group_name,
      cpm: fromJson(row.product).cpm,
      budget: major(row.budget_minor ?? 0),
      pricingOptionId: row.pricing_option_id,
    })),
    budgetContext: {
      campaignBudget: major(campaign.budget_minor),
      totalAllocated: major(allocated),
      remainingBudget: major(campaign.budget_minor - allocated),
      currency: campaign.currency,
    },
    productCount: chosen.length,
    sandbox: fromFlag(campaign.sandbox),
  };
}
