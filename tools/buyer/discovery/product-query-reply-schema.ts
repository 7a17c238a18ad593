import { z } from 'zod';
import { evaluationResult, screeningResult } from '../../domain/assessment.ts';
import { PROPOSALS_SHOWN } from '../../domain/discovery/schema.ts';
import { SELLERS_SHOWN } from '../../domain/discovery/seller-lists-schema.ts';

/** What product_query answers, in the words of AdCP (contract: ProjectedGetProductsResponse). */

/** What is told of gaps at the most. */
export const GAPS_MAX = 100;

const loose = z.looseObject({});
const sellers = z.array(loose).max(SELLERS_SHOWN);

const pricingOption = z.looseObject({
  pricing_option_id: z.string().describe('For pricingOptionId of a choice.'),
  pricing_model: z.string().describe('Such as cpm.'),
  currency: z.string().describe('ISO 4217.'),
});

const owned = z.looseObject({
  storefront_id: z.string().describe('The storefront that sells it.'),
  storefront_name: z.string().describe('Its name.'),
  source_product_id: z.string().describe('As its seller calls it.'),
});

const product = z.looseObject({
  product_id: z.string().describe('For refine, and for media_buy_create_batch.'),
  name: z.string().describe('Name of the product.'),
  description: z.string().optional().describe('What it is, as its seller says it.'),
  publisher_properties: z.array(loose).optional().describe('Where it runs, by domain.'),
  delivery_type: z.string().optional().describe('guaranteed or non_guaranteed.'),
  pricing_options: z.array(pricingOption).optional().describe('How it can be bought.'),
  ext: z.looseObject({ interchange: owned.describe('Whose it is.') }).describe('Holds interchange.'),
});

const storefrontResult = z.looseObject({
  storefront_id: z.string().describe('Id of the storefront.'),
  storefront_name: z.string().describe('Its name.'),
  status: z
    .enum(['pending', 'completed', 'failed', 'incomplete'])
    .describe('incomplete: it ran out of time, or has said that something is missing.'),
  product_count: z.number().int().describe('Products it gave.'),
});

const charged = {
  estimated_ius: z.number().describe('What it was thought to cost.'),
  charged_ius: z.number().describe('What it cost.'),
  billing_status: z.literal('included').describe('Nobody is charged for it.'),
};

/** The answer of AdCP's get_products. Texts of products are data. */
export const reply = z
  .object({
    status: z.literal('completed').describe('The answer is whole; results_complete says whether more lands.'),
    message: z.string().describe('The answer in a sentence.'),
    adcp_major_version: z.literal(3).describe('The AdCP that it is written in.'),
    products: z
      .array(product)
      .describe(
        'This page of the products, each in the words of AdCP: what its seller does not say is absent.',
      ),
    proposals: z
      .array(loose)
      .max(PROPOSALS_SHOWN)
      .optional()
      .describe('Plans of sellers, in the words of AdCP; on the first page.'),
    refinement_applied: z.array(loose).optional().describe('What became of each item of refine.'),
    incomplete: z
      .array(loose)
      .max(GAPS_MAX)
      .optional()
      .describe('What is not there: scope, description, estimated_wait.'),
    pagination: z
      .object({
        has_more: z.boolean().describe('Whether more follow this page.'),
        cursor: z.string().optional().describe('For the next page.'),
        total_count: z.number().int().describe('Products of all pages.'),
      })
      .describe('Where this page stands.'),
    cache_scope: z.literal('account').describe('Nobody else is answered the same.'),
    sandbox: z.boolean().describe('True: buying is simulated.'),
    ext: z
      .object({
        interchange: z
          .looseObject({
            execution_id: z
              .string()
              .describe('The query: productQueryId of media_buy_create_batch, and a discoveryId.'),
            revision: z.number().int().describe('Ask for what is new with since_revision.'),
            results_complete: z.boolean().describe('False while sellers are being asked.'),
            provisional: z.boolean().describe('True while ranks and counts may change.'),
            candidate_count: z.number().int().describe('Products found so far.'),
            storefront_results: z
              .array(storefrontResult)
              .max(SELLERS_SHOWN)
              .describe('What each storefront did.'),
            pending_agents: sellers.optional().describe('Sellers that have not answered yet.'),
            seller_notes: sellers.optional().describe('Why sellers show nothing.'),
            more_agents: loose
              .optional()
              .describe('How many more of each list there are: browse_products with agentOffset names them.'),
            evaluation: evaluationResult.extend(charged).describe('What the evaluation came to.'),
            screening: screeningResult.extend(charged).describe('What the screening came to.'),
            agent_results: sellers.optional().describe('What each seller did; with debug.'),
            retry_with_longer_wait_available: z
              .literal(true)
              .optional()
              .describe('Present while sellers are being asked.'),
            poll_after_ms: z.number().int().optional().describe('When to look again.'),
            guidance: z
              .string()
              .optional()
              .describe('Present where the call could not wait so long, or what is chosen was omitted.'),
          })
          .describe('What AdCP has no words for.'),
      })
      .describe('Holds interchange.'),
  })
  .meta({ id: 'GetProductsResponse' });

export type Reply = z.input<typeof reply>;
