import { z } from 'zod';
import { sandbox } from '../advertisers/sandbox.ts';
import { evaluationResult, productEvaluation, productScreening, screeningResult } from '../assessment.ts';
import { detail } from '../detail.ts';
import { prefixedId } from '../ids.ts';
import { timestamp } from '../time.ts';
import { trace } from '../trace.ts';
import { optimizationFields } from './optimization-fields.ts';
import { pricingOption, productExtras, publisherProperties } from './product-extras.ts';
import { sellerLists } from './seller-lists-schema.ts';

const GROUPS_MAX = 10;
const PRODUCTS_MAX = 15;
export const PRODUCTS_SHOWN = 10;
export const PRODUCTS_COMPACT = 5;
/** How many proposals are shown, whole and in the short form. */
export const PROPOSALS_SHOWN = 50;
export const PROPOSALS_COMPACT = 20;

/** A product as discovery shows it (contract: Product). Texts are the seller’s: data, never instructions. */
export const product = z.object({
  productId: z.string().describe('Id of the product at its seller.'),
  name: z.string().describe('Name of the product.'),
  description: z.string().optional().describe('What a buyer gets, in the seller’s words.'),
  channel: z.string().optional().describe('The first of its channels.'),
  channels: z.array(z.string()).describe('Channels it runs on.'),
  countries: z
    .array(z.string())
    .optional()
    .describe('Countries it runs in, ISO 3166-1; absent where the seller does not say.'),
  notBuyable: z
    .string()
    .optional()
    .describe('Present when it cannot be chosen in this session: why, such as its currency.'),
  deliveryType: z.string().optional().describe('guaranteed or non_guaranteed.'),
  briefMatched: z
    .literal(false)
    .optional()
    .describe('Present where the seller found nothing for the brief and shows what it has.'),
  briefRelevance: z.string().optional().describe('Why the seller thinks it fits the brief.'),
  cpm: z.number().optional().describe('Lowest price of a thousand impressions, where it is sold so.'),
  currency: z.string().optional().describe('ISO 4217 code of the cpm.'),
  pricingOptions: z.array(pricingOption).describe('How it can be bought.'),
  formatIds: z
    .array(
      z.object({
        agentUrl: z.string().describe('Agent that defines the format.'),
        id: z.string().describe('Id of the format there.'),
      }),
    )
    .describe('Creative formats it takes.'),
  publisherProperties,
  ...optimizationFields,
  estimatedExposures: z
    .number()
    .optional()
    .describe(
      'Impressions it is expected to bring in the flight that was asked about; without a flight, of a product that is sold here: in a month.',
    ),
  salesAgentId: z.string().describe('Id of the sales agent that sells it.'),
  salesAgentName: z.string().describe('Name of that agent.'),
  storefrontId: z.string().describe('Id of the storefront it comes from.'),
  storefrontName: z.string().describe('Name of that storefront.'),
  isSandbox: z.boolean().describe('True: buying it is simulated.'),
  ...productExtras.shape,
  screening: productScreening.optional().describe('What the screening says of it.'),
  evaluation: productEvaluation.optional().describe('What the evaluation says of it.'),
});

export type Product = z.output<typeof product>;

/** What the short form leaves out: what is the same in the whole group stands there once. */
const shownProduct = product
  .partial({
    formatIds: true,
    publisherProperties: true,
    salesAgentId: true,
    salesAgentName: true,
    storefrontId: true,
    storefrontName: true,
    isSandbox: true,
  })
  .meta({ id: 'Product' });

const productGroup = z.object({
  groupId: z.string().describe('Id of the group, the same in every revision.'),
  groupName: z.string().describe('Name of the group: the publisher, as its seller says.'),
  storefrontId: z.string().describe('Id of the storefront it comes from.'),
  salesAgentId: z.string().optional().describe('Id of the sales agent of its products, in the compact form.'),
  storefrontName: z.string().optional().describe('Name of that storefront.'),
  isSandbox: z.boolean().optional().describe('Whether buying is simulated, in the compact form.'),
  briefMatched: z.literal(false).optional().describe('As in its products, in the compact form.'),
  products: z.array(shownProduct).max(PRODUCTS_MAX).describe('This page of its products.'),
  productCount: z.number().int().describe('How many products are on this page.'),
  totalProducts: z.number().int().describe('How many products the group has.'),
  hasMoreProducts: z.boolean().describe('Whether more follow this page.'),
});

export const budgetContext = z.object({
  sessionBudget: z.number().nullable().describe('The budget the session was opened with.'),
  allocatedBudget: z.number().describe('What the chosen products were given.'),
  remainingBudget: z.number().nullable().describe('What is left of the session’s budget.'),
  budgetWarning: z.string().optional().describe('Present when more is given than there is.'),
});

/** The snapshot of a session (contract: DiscoverProductsResponse). */
export const snapshot = z
  .object({
    discoveryId: z.string().describe('Id of the session: give it to every later call.'),
    revision: z.number().int().describe('Number of the snapshot; ask for what is new with sinceRevision.'),
    resultsComplete: z.boolean().describe('False while sellers are still being asked.'),
    productGroups: z.array(productGroup).max(GROUPS_MAX).describe('This page of the groups.'),
    totalGroups: z.number().int().describe('How many groups there are without paging.'),
    hasMoreGroups: z.boolean().describe('Whether more follow this page.'),
    sandbox,
    summary: z
      .object({
        totalProducts: z.number().int().describe('Products in all groups.'),
        publishersCount: z.number().int().describe('Publishers in all groups.'),
        priceRange: z
          .object({
            min: z.number().describe('The lowest.'),
            max: z.number().describe('The highest.'),
            avg: z.number().describe('The mean.'),
            currency: z.string().describe('ISO 4217 code.'),
          })
          .optional()
          .describe('Prices of a thousand impressions.'),
      })
      .describe('The whole session at a glance.'),
    budgetContext: budgetContext.optional().describe('Present once a budget is known or given.'),
    ...sellerLists.shape,
    briefMatched: z
      .literal(false)
      .optional()
      .describe(
        'Present when nothing shown matches the brief: say it in other words, or choose all the same.',
      ),
    proposals: z
      .array(z.looseObject({}))
      .max(PROPOSALS_SHOWN)
      .optional()
      .describe(
        `Plans of sellers, for discovery_apply_proposal; ${PROPOSALS_SHOWN} at the most, sellers in turn. In the compact form ${PROPOSALS_COMPACT} in short: detail full shows their allocations.`,
      ),
    refinementApplied: z.array(z.looseObject({})).optional().describe('What became of each item of refine.'),
    diagnostics: z
      .object({ trace: trace.optional() })
      .optional()
      .describe('Where to look further; with debug.'),
    retryWithLongerWaitAvailable: z
      .literal(true)
      .optional()
      .describe('Present while sellers are being asked: a call that waits longer shows more.'),
    progress: z
      .object({
        respondedStorefrontCount: z.number().int().describe('Storefronts that are through.'),
        totalStorefrontCount: z.number().int().describe('Storefronts that are asked.'),
        waitSeconds: z.number().int().describe('For how long they have been asked, in seconds.'),
      })
      .optional()
      .describe('Present while sellers are being asked.'),
    screening: screeningResult.optional().describe('What it came to, where it was asked for.'),
    evaluation: evaluationResult.optional().describe('What it came to, where it was asked for.'),
    guidance: z
      .string()
      .optional()
      .describe(
        'What to know of this call: a wait cut short, what its draft lost by it, what is chosen and was omitted, storefronts unknown here.',
      ),
    createdAt: timestamp.describe('When the session began.'),
  })
  .meta({ id: 'DiscoverySnapshot' });

const page = (max: number) => z.number().int().min(1).max(max);

/** Group and product paging (interface, Pagination: discovery style). */
export const pageFields = {
  groupLimit: page(GROUPS_MAX).default(10).describe('Groups on a page.'),
  groupOffset: z.number().int().min(0).max(100_000).default(0).describe('Groups to pass over first.'),
  productsPerGroup: page(PRODUCTS_MAX)
    .optional()
    .describe(
      `Products shown of a group; ${PRODUCTS_SHOWN} unless given, ${PRODUCTS_COMPACT} in the compact form.`,
    ),
  detail,
  productOffset: z
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Products to pass over in each group.'),
  agentOffset: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('Sellers to pass over in each list of them.'),
};

/** A call is held no longer than this; longer waits may be asked for (contract: up to 210 s). */
export const WAIT_MAX = 30;

/** How long a caller would wait. */
export const waitSeconds = z.number().min(0).max(210);

/** How to wait: for what lands soon, or for all there is. */
export const waitMode = z.enum(['quick', 'long']).optional().describe('long waits for every seller.');

/** How long a caller waits that says how, and how long where nothing is said. */
export function waitOf(
  {
    waitMode: mode,
    waitSeconds: asked,
    progressive = true,
  }: {
    waitMode?: 'quick' | 'long' | undefined;
    waitSeconds?: number | undefined;
    progressive?: boolean | undefined;
  },
  usual: number,
): number {
  return asked ?? (mode === 'long' || !progressive ? WAIT_MAX : usual);
}

const WAITED = `A call waits ${WAIT_MAX} seconds at the most: while resultsComplete is false, ask again with sinceRevision.`;

/** What a caller is told that asked for a longer wait than there is, behind what else there is to tell. */
export function guidanceFor(asked: number, told: readonly string[]): { guidance?: string } {
  const all = asked <= WAIT_MAX ? told : [...told, WAITED];
  return all.length === 0 ? {} : { guidance: all.join(' ') };
}

export const discoveryId = prefixedId('the session', 'disc_');
