import { z } from 'zod';
import { sandbox } from '../../advertisers/sandbox.ts';
import { pageCounters } from '../../paging.ts';
import { timestamp } from '../../time.ts';
import { budgetContext } from '../schema.ts';

/** How much of a choice is shown where it was changed. */
export const SELECTION_SHOWN = 200;

/** A chosen product (contract: SelectedProduct). */
const selectedProduct = z.object({
  productId: z.string().describe('Id of the product.'),
  name: z.string().describe('Name of the product.'),
  storefrontId: z.string().describe('Id of the storefront that sells it.'),
  salesAgentId: z.string().describe('Id of the sales agent.'),
  groupId: z.string().describe('Group it was found in.'),
  groupName: z.string().describe('Name of that group.'),
  pricingOptionId: z.string().describe('How it is bought.'),
  cpm: z.number().optional().describe('Price of a thousand impressions.'),
  bidPrice: z.number().optional().describe('What is bid for a unit.'),
  budget: z.number().optional().describe('What it was given; without it the rest is shared.'),
  targetingOverlay: z.looseObject({}).optional().describe('Whom it is to reach.'),
  selectedAt: timestamp.describe('When it was chosen.'),
});

/** What was chosen in a session. */
export const selection = z
  .object({
    discoveryId: z.string().describe('Id of the session.'),
    products: z.array(selectedProduct).max(SELECTION_SHOWN).describe('What was chosen, in that order.'),
    totalProducts: z.number().int().describe('How many were chosen.'),
    hasMoreProducts: z
      .literal(true)
      .optional()
      .describe('Present where more follow: discovery_list_products shows them.'),
    sandbox,
    budgetContext: budgetContext.optional().describe('Present once a budget is known or given.'),
    campaignBound: z.boolean().describe('Whether a draft campaign is to buy this choice.'),
    campaignWarning: z
      .string()
      .optional()
      .describe('Present when no campaign is to buy it, or something stands in the way of one.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('What would stop or curtail a draft campaign that buys this choice; correct it before.'),
  })
  .meta({ id: 'DiscoverySelection' });

/** The same as a list of its own, of which the short form leaves out where and when things were chosen. */
export const listedSelection = selection.omit({ hasMoreProducts: true }).extend({
  products: z
    .array(selectedProduct.partial({ groupId: true, groupName: true, selectedAt: true }))
    .max(SELECTION_SHOWN)
    .describe('This page of what was chosen, in that order.'),
  ...pageCounters,
});
