import { z } from 'zod';
import { evaluation, screening } from '../../domain/assessment.ts';
import { fieldsOf } from '../../domain/chosen-fields.ts';
import { projectable } from '../../domain/discovery/asking/adcp-source.ts';
import { MARKET_ID_MAX } from '../../domain/discovery/market-ids.ts';
import { numericId, prefixedId } from '../../domain/ids.ts';
import { deliveryTypes } from '../../domain/sale-terms.ts';
import { longText, shortText } from '../../domain/text.ts';
import { filters } from './product-query-filters.ts';
import { pins } from './product-query-version.ts';

/** What product_query is asked, in the words of AdCP (contract: GetProductsBody). */

const CURSOR_MAX = 512;
const RESULTS_USUAL = 25;

const refineItem = z
  .strictObject({
    scope: z.enum(['request', 'product', 'proposal']).describe('All, or one.'),
    product_id: z.string().max(MARKET_ID_MAX).optional().describe('sf1:…, of a product.'),
    proposal_id: z.string().max(MARKET_ID_MAX).optional().describe('sfp1:…, of a proposal.'),
    action: z
      .enum(['include', 'omit', 'more_like_this', 'finalize'])
      .optional()
      .describe('include unless given; finalize: proposals alone; more_like_this: products alone.'),
    ask: longText(2_000).min(1).optional().describe('What to change.'),
  })
  .superRefine((item, problems) => {
    const { wants, others, notAction } = RULES[item.scope];
    const say = (path: string, message: string) =>
      problems.addIssue({ code: 'custom', path: [path], message });
    for (const field of others) {
      if (item[field] !== undefined) say(field, `Does not belong to scope ${item.scope}: leave it out.`);
    }
    if (item[wants] === undefined) say(wants, `Required with scope ${item.scope}.`);
    if (item.action !== undefined && item.action === notAction) say('action', `Not of a ${item.scope}.`);
  });

/** What an item of each scope needs, and what it cannot have. */
const RULES = {
  request: { wants: 'ask', others: ['product_id', 'proposal_id', 'action'], notAction: undefined },
  product: { wants: 'product_id', others: ['proposal_id'], notAction: 'finalize' },
  proposal: { wants: 'proposal_id', others: ['product_id'], notAction: 'more_like_this' },
} as const;

/** As many as the contract lets be named. */
const STOREFRONTS_MAX = 100;

const own = z.strictObject({
  advertiser_id: numericId('the advertiser').optional().describe('Required without execution_id.'),
  storefronts: z.enum(['all_connected']).optional().describe('All that you may use, as unless given.'),
  storefront_ids: z
    .array(numericId('a storefront'))
    .max(STOREFRONTS_MAX)
    .optional()
    .describe('Only these storefronts.'),
  storefront_names: z
    .array(shortText(255))
    .max(STOREFRONTS_MAX)
    .optional()
    .describe('Only storefronts with one of these in the name.'),
  execution_id: prefixedId('the query to go on with', 'disc_', 'productQuery').optional(),
  since_revision: z.number().int().min(0).max(1e9).default(0).describe('Only what landed after it.'),
  wait_mode: z.enum(['quick', 'long']).optional().describe('long waits for every seller.'),
  wait_seconds: z
    .number()
    .int()
    .min(1)
    .max(210)
    .optional()
    .describe('Seconds to wait, 2 unless given, 30 at most.'),
  screening: screening.optional().describe('Leaves out products that break these instructions.'),
  evaluation: evaluation.optional().describe('Judges the others, and says why.'),
  debug: z.boolean().default(false).describe('Adds agent_results.'),
});

export const input = z.strictObject({
  ...pins,
  buying_mode: z
    .enum(['brief', 'wholesale', 'refine'])
    .describe('brief: what fits a brief. wholesale: all there is. refine: changes what execution_id found.'),
  brief: longText(5_000).min(1).optional().describe('What you want to reach; with buying_mode brief.'),
  refine: z.array(refineItem).min(1).max(100).optional().describe('With buying_mode refine.'),
  filters: filters.optional().describe('What narrows the products.'),
  preferred_delivery_types: z
    .array(z.enum(deliveryTypes))
    .min(1)
    .max(deliveryTypes.length)
    .optional()
    .describe('Come first, in this order; leaves out nothing.'),
  fields: fieldsOf(z.enum(projectable)).describe(
    'Only these members of products, beside product_id, name and ext.',
  ),
  time_budget: z
    .strictObject({
      interval: z.number().int().min(1).max(1e6).describe('How many.'),
      unit: z.enum(['seconds', 'minutes', 'hours', 'days']).describe('Such as seconds.'),
    })
    .optional()
    .describe('How long to wait; ext.interchange.wait_seconds comes first.'),
  pagination: z
    .strictObject({
      max_results: z.number().int().min(1).max(100).default(RESULTS_USUAL).describe('Products on a page.'),
      cursor: z.string().min(1).max(CURSOR_MAX).optional().describe('Of the page before.'),
    })
    .default({ max_results: RESULTS_USUAL })
    .describe('Which page of the products.'),
  ext: z
    .strictObject({ interchange: own.prefault({}).describe('What AdCP has no words for.') })
    .prefault({})
    .describe('Holds interchange.'),
});

export type Input = z.output<typeof input>;

/** What the contract documents of AdCP's get_products beyond this. */
export const notBuilt = [
  'brand',
  'catalog',
  'context',
  'account',
  'property_list',
  'push_notification_config',
  'if_wholesale_feed_version',
  'if_pricing_version',
  'required_policies',
  'time_budget.unit=campaign',
  ...[
    'pricing_currencies',
    'format_ids',
    'standard_formats_only',
    'regions',
    'metros',
    'video_placement_types',
    'audio_distribution_types',
    'sponsored_placement_types',
    'social_placement_surfaces',
    'required_axe_integrations',
    'trusted_match',
    'required_features',
    'required_geo_targeting',
    'signal_targeting',
    'postal_areas',
    'geo_proximity',
    'required_performance_standards',
    'required_metrics',
    'required_vendor_metrics',
    'keywords',
    'ext',
  ].map((field) => `filters.${field}`),
];
