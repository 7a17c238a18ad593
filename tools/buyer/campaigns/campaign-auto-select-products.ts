import { z } from 'zod';
import { type CampaignRow, listDraftsOf } from '../../../store/campaigns.ts';
import { listCheapest } from '../../../store/discovery-products.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, contradicts, invalidInput } from '../../core/errors/refusals.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { ahead } from '../../domain/buying/allocation.ts';
import { feesOfCampaigns } from '../../domain/buying/fees.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import type { Asks, Candidate } from '../../domain/discovery/asks.ts';
import { choicesFor } from '../../domain/discovery/auto-selection.ts';
import { type Chosen, requireAll, tryChoices } from '../../domain/discovery/choose.ts';
import { targetableFor } from '../../domain/discovery/declared-targeting.ts';
import { reachSession } from '../../domain/discovery/reach.ts';
import type { Product } from '../../domain/discovery/schema.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import { longText, shortText } from '../../domain/text.ts';
import { minorOf } from './columns.ts';
import { selected } from './selecting.ts';

/** Products that are looked at: the cheapest of the session. */
const LOOKED_AT = 500;

const ask = longText(2_000).min(1);

/** One object for both scopes: hosts take no entries of several kinds. */
const refinement = z
  .strictObject({
    scope: z.enum(['request', 'product']).describe('request: about all; product: about one of the session.'),
    id: shortText(255).optional().describe('product: its id.'),
    action: z
      .enum(['include', 'omit', 'moreLikeThis'])
      .optional()
      .describe('product: whether it is to be chosen, or others are to be like it.'),
    ask: ask.optional().describe('What is wanted, in words; with omit, what is not.'),
  })
  .superRefine((one, problems) => {
    const needed = one.scope === 'request' ? (['ask'] as const) : (['id', 'action'] as const);
    const other = one.scope === 'request' ? (['id', 'action'] as const) : [];
    for (const field of needed) {
      if (one[field] === undefined) {
        problems.addIssue({
          code: 'custom',
          path: [field],
          message: `Required where scope is ${one.scope}.`,
        });
      }
    }
    for (const field of other) {
      if (one[field] !== undefined) {
        problems.addIssue({ code: 'custom', path: [field], message: 'Leave it out where scope is request.' });
      }
    }
  });

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
    .describe('What they are to be: products to have or not, and words that they answer.'),
});

type Input = z.output<typeof input>;

export const campaignAutoSelectProducts = defineTool({
  name: 'campaign_auto_select_products',
  title: 'Select products automatically',
  example: { campaignId: 'cmp_example', maxProducts: 3 },
  description:
    'Chooses products for a draft campaign from its discovery session, in place of what was chosen there: those that ' +
    'keep its constraints, answer refine and take its goals, cheapest first, one publisher after the other, each with an equal share ' +
    'of the budget. Returns the choice; go on with campaign_execute.',
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
    previouslySelectedCount: z.number().int().optional().describe('How many were chosen before.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, { campaignId }) => {
    const campaign = await reachCurrentCampaign(ctx, campaignId);
    const { discovery_id: id } = campaign;
    return { campaign, session: id === null ? undefined : await reachSession(ctx, id) };
  },
  handler: async (ctx, input, { campaign, session }) => {
    const { row, choices } = await choicesIn(ctx, input, { campaign, session });
    const chosen = requireAll(await tryChoices(ctx, { session: row, choices }));
    const { from: before } = await selected(ctx, { campaign, session: row, chosen });
    return { ...chosenRecord(campaign, chosen), discoveryId: row.id, previouslySelectedCount: before };
  },
});

interface Subject {
  readonly campaign: CampaignRow;
  readonly session: DiscoverySessionRow | undefined;
}

const DISCOVER = 'Call discover_products with this campaignId first.';
const NOTHING_FITS = 'No product of its session fits its constraints, storefronts, currency and budget.';
const WIDEN = 'Raise the budget or widen the constraints with campaign_update, or discover again.';

/** What fits the campaign best of what its session found. */
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
  const rows = await listCheapest(ctx.db, ctx.scope, { id: session.id, limit: LOOKED_AT });
  const candidates = rows.map((row) => ({ product: fromJson<Product>(row.product), groupId: row.group_id }));
  const { refine = [], maxProducts, minBudgetPerProduct: least } = input;
  requireKnown(refine, candidates);
  const named = (wanted: string) =>
    refine.flatMap((one) => (one.action === wanted && one.id !== undefined ? [one.id] : []));
  const wishes = {
    maxProducts,
    minBudgetMinor: least === undefined ? undefined : minorOf('minBudgetPerProduct', least, currency),
    include: named('include'),
    omit: named('omit'),
    asks: asksIn(refine, candidates),
    fees: (await feesOfCampaigns(ctx, [campaign]))(campaign),
  };
  const drafts = await listDraftsOf(ctx.db, ctx.scope, session.id);
  const choices = await targetableFor(ctx, drafts, (unable) =>
    choicesFor(
      ahead(campaign, ctx.now),
      candidates.filter(({ product }) => !unable.has(product.salesAgentId)),
      wishes,
    ),
  );
  if (choices.length === 0) throw contradicts('campaignId', NOTHING_FITS, { suggestion: WIDEN });
  return { row: session, choices };
}

type Refinement = z.output<typeof refinement>;

/** A product that is named and was not found would be passed over in silence. */
function requireKnown(refine: readonly Refinement[], candidates: readonly Candidate[]): void {
  const issues = refine.flatMap((one, index) =>
    one.scope === 'product' && !candidates.some(({ product }) => product.productId === one.id)
      ? [{ path: `refine.${index}.id`, message: `None of the ${LOOKED_AT} cheapest of the session.` }]
      : [],
  );
  if (issues.length > 0) throw invalidInput(issues, { suggestion: 'Find products with browse_products.' });
}

function asksIn(refine: readonly Refinement[], candidates: readonly Candidate[]): Asks {
  const isAgainst = (one: Refinement) => one.scope === 'product' && one.action === 'omit';
  const words = (of: readonly Refinement[]) => of.flatMap(({ ask: said }) => said ?? []);
  const like = refine.flatMap((one) =>
    one.scope === 'product' && one.action === 'moreLikeThis'
      ? candidates.filter(({ product }) => product.productId === one.id)
      : [],
  );
  return {
    wanted: words(refine.filter((one) => !isAgainst(one))),
    unwanted: words(refine.filter(isAgainst)),
    like,
  };
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
