import { z } from 'zod';
import { campaignStatuses } from '../../../store/campaigns.ts';
import { mediaBuyStatuses } from '../../../store/media-buys.ts';
import type { Spellings } from '../../core/schemas/spellings.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { pendingPlaces } from '../../domain/buying/standing/buy-standing.ts';
import { MARKET_ID_MAX } from '../../domain/discovery/market-ids.ts';
import { prefixedId } from '../../domain/ids.ts';
import { targetingNotBuilt, targetingOverlay } from '../../domain/targeting/overlay.ts';
import { shortText } from '../../domain/text.ts';
import { failure } from './failed-orders.ts';
import { newCampaignFields } from './new-campaign.ts';
import { campaignNotBuilt, campaignSpellings } from './schema.ts';

/** Products and proposals of a query bought together (contract: CreateMediaBuysBatchBody). */

const ONE_OF_A_KIND = {
  product: { wants: 'productId', others: ['proposalId', 'totalBudget'] },
  proposal: {
    wants: 'proposalId',
    others: ['productId', 'budget', 'bidPrice', 'pricingOptionId', 'targetingOverlay'],
  },
} as const;

const selection = z
  .strictObject({
    kind: z.enum(['product', 'proposal']).describe('Which of the two it is.'),
    productId: z.string().max(MARKET_ID_MAX).optional().describe('sf1:…, of a product.'),
    budget: z.number().positive().max(1e12).optional().describe('What it gets; else a share of the rest.'),
    bidPrice: z.number().positive().max(1e9).optional().describe('What to bid; needed in an auction.'),
    pricingOptionId: shortText(255).optional().describe('How to buy it; the first unless given.'),
    targetingOverlay: targetingOverlay.optional().describe('Whom it is to reach.'),
    proposalId: z.string().max(MARKET_ID_MAX).optional().describe('sfp1:…, of a proposal.'),
    totalBudget: z.number().positive().max(1e12).optional().describe('What its products share.'),
  })
  .superRefine((one, problems) => {
    const { wants, others } = ONE_OF_A_KIND[one.kind];
    const say = (path: string, message: string) =>
      problems.addIssue({ code: 'custom', path: [path], message });
    if (one[wants] === undefined) say(wants, `Required with kind ${one.kind}.`);
    for (const field of others) {
      if (one[field] !== undefined) say(field, `Does not belong to kind ${one.kind}: leave it out.`);
    }
  });

const campaign = z
  .strictObject({
    campaignId: prefixedId('a draft campaign', 'cmp_').optional(),
    create: z.strictObject(newCampaignFields).optional().describe('A campaign that is made for it.'),
  })
  .refine(({ campaignId, create }) => (campaignId === undefined) !== (create === undefined), {
    message: 'Give either campaignId or create.',
  });

export const input = z.strictObject({
  productQueryId: prefixedId('the query', 'disc_', 'productQuery').describe('execution_id of product_query.'),
  campaign: campaign.describe('A draft of the same advertiser, or one that is made.'),
  mode: z.enum(['stage', 'execute']).describe('stage keeps the choice in the draft; execute buys it.'),
  selections: z.array(selection).min(1).max(100).describe('What to buy.'),
  replace: z.boolean().default(false).describe('True drops what was chosen of this query before.'),
  rebuy: z
    .boolean()
    .default(false)
    .describe('True buys again what another campaign has bought of this query; only with mode execute.'),
  debug: z.boolean().default(false).describe('True tells what went to the sellers that failed.'),
});

export type Input = z.output<typeof input>;
export type Selection = Input['selections'][number];

export const notBuilt = [
  ...['mode=directed', 'discoveryId', 'productIds', ...campaignNotBuilt].map(
    (field) => `campaign.create.${field}`,
  ),
  ...targetingNotBuilt.map((field) => `selections[].targetingOverlay.${field}`),
  'selections[].pageId',
  'selections[].pixelId',
];

/** A campaign has the other names of its fields here too. */
export const spellings: Spellings = Object.fromEntries(
  Object.entries(campaignSpellings).map(([name, others]) => [
    `campaign.create.${name}`,
    others.map((other) => `campaign.create.${other}`),
  ]),
);

export const output = z.object({
  productQueryId: z.string().describe('As it was given.'),
  campaignId: z.string().describe('The campaign: new, or as it was given.'),
  campaignCreated: z.boolean().describe('Whether this call made it.'),
  mode: z.enum(['stage', 'execute']).describe('As it was given.'),
  campaignStatus: z.enum(campaignStatuses).describe('Its status now; DRAFT where nothing was bought.'),
  sandbox,
  queryProductsSelected: z.number().int().describe('Products of the query that the campaign buys by now.'),
  proposalsApplied: z.number().int().describe('Proposals that were taken up.'),
  mediaBuysStaged: z.number().int().describe('Media buys that campaign_execute would place: one a seller.'),
  mediaBuysExecuted: z.number().int().describe('How many sellers took the order.'),
  mediaBuyRefs: z
    .array(
      z.object({
        mediaBuyId: z.string().describe('Id of the media buy: read it with media_buy_get.'),
        status: z.enum(mediaBuyStatuses).describe('Where it stands.'),
        pendingAt: z.enum(pendingPlaces).optional().describe('Who has to act.'),
      }),
    )
    .describe('What was ordered, 100 at the most; none where it was staged.'),
  mediaBuyRefsTruncated: z.boolean().describe('Whether there are more.'),
  success: z.boolean().describe('False when a media buy failed, or another person has to allow it first.'),
  noOp: z.boolean().describe('True when everything was chosen so before.'),
  errors: z.array(failure).optional().describe('The media buys that failed.'),
  warnings: z.array(z.string()).optional().describe('What is worth knowing.'),
  nextStep: z.string().describe('What to call next.'),
});
