import type { DiscoveryAgentRow } from '../../../store/discovery-sessions.ts';
import { asFields, asList } from '../../core/schemas/checks.ts';
import { onlyFields } from '../../domain/chosen-fields.ts';
import { toldBy } from '../../domain/discovery/asking/agent-results.ts';
import type { Proposal } from '../../domain/discovery/asking/proposals.ts';
import { marketId } from '../../domain/discovery/market-ids.ts';
import type { Product } from '../../domain/discovery/schema.ts';
import type { Shown } from './product-query-page.ts';
import { GAPS_MAX } from './product-query-reply-schema.ts';

/** Products and proposals in the words of AdCP (contract: InterchangeProduct, InterchangeProposal). Pure. */

type Members = Readonly<Record<string, unknown>>;

export function adcpProduct(sessionId: string, { product, source }: Shown, fields?: readonly string[]) {
  const { productId, salesAgentId, storefrontId, storefrontName, name } = product;
  const id = marketId('product', { storefrontId, sessionId, agentId: salesAgentId, sourceId: productId });
  const whole = {
    ...known(product),
    ...ofSource(source),
    product_id: id,
    name,
    ext: {
      interchange: {
        storefront_id: storefrontId,
        storefront_name: storefrontName,
        source_product_id: productId,
        sales_agent_id: salesAgentId,
        ...withoutAbsent({
          not_buyable: product.notBuyable,
          evaluation: product.evaluation,
          screening: product.screening,
        }),
      },
    },
  };
  // So much is always told: what a product is known by, and whose it is.
  return { ...onlyFields(whole, fields), product_id: id, name, ext: whole.ext };
}

/**
 * What its seller told besides. Of a price with more members than are kept, those by which it is bought may be among
 * what went: then what every session keeps of the prices is told.
 */
function ofSource(source: Shown['source']): Members {
  const { pricing_options: told, ...others } = source;
  const isWhole =
    told !== undefined && asList(told).every((one) => BOUGHT_BY.every((name) => name in asFields(one)));
  return isWhole ? { ...others, pricing_options: told } : others;
}

const BOUGHT_BY = ['pricing_option_id', 'pricing_model', 'currency'] as const;

/** What every session keeps of a product; what its seller told besides is in its source. */
function known(product: Product): Members {
  return withoutAbsent({
    description: product.description,
    publisher_properties: product.publisherProperties.map(({ publisherDomain, selectionType }) =>
      withoutAbsent({ publisher_domain: publisherDomain, selection_type: selectionType }),
    ),
    channels: product.channels,
    countries: product.countries,
    format_ids: product.formatIds.map(({ agentUrl, id }) => ({ agent_url: agentUrl, id })),
    delivery_type: product.deliveryType,
    pricing_options: product.pricingOptions.map((option) =>
      withoutAbsent({
        pricing_option_id: option.pricingOptionId,
        pricing_model: option.pricingModel,
        currency: option.currency,
        fixed_price: option.fixedPrice,
        floor_price: option.floorPrice,
        min_spend_per_package: option.minSpend,
      }),
    ),
    brief_relevance: product.briefRelevance,
    estimated_exposures: product.estimatedExposures,
  });
}

export function adcpProposal(sessionId: string, proposal: Proposal) {
  const { proposalId, salesAgentId: agentId, storefrontId } = proposal;
  const at = { storefrontId, sessionId, agentId };
  return withoutAbsent({
    proposal_id: marketId('proposal', { ...at, sourceId: proposalId }),
    name: proposal.name,
    description: proposal.description,
    allocations: proposal.allocations.map((one) =>
      withoutAbsent({
        product_id: marketId('product', { ...at, sourceId: one.productId }),
        allocation_percentage: one.allocationPercentage,
        pricing_option_id: one.pricingOptionId,
        rationale: one.rationale,
        sequence: one.sequence,
        tags: one.tags,
      }),
    ),
    proposal_status: proposal.proposalStatus,
    expires_at: proposal.expiresAt,
    total_budget_guidance: proposal.totalBudgetGuidance,
    brief_alignment: proposal.briefAlignment,
    ext: {
      interchange: {
        storefront_id: storefrontId,
        storefront_name: proposal.storefrontName,
        source_proposal_id: proposalId,
        sales_agent_id: agentId,
      },
    },
  });
}

/** What a storefront did, by its agent. */
export function storefrontResult(agent: DiscoveryAgentRow) {
  return {
    storefront_id: String(agent.storefront_id),
    storefront_name: agent.storefront_name,
    sales_agent_id: agent.agent_id,
    status: standingOf(agent),
    product_count: agent.products,
    ...withoutAbsent({
      response_time_ms: agent.response_ms ?? undefined,
      error: agent.state === 'incomplete' ? (agent.reason ?? undefined) : undefined,
      message: agent.message || undefined,
    }),
  };
}

type Standing = 'pending' | 'completed' | 'failed' | 'incomplete';

function standingOf(agent: DiscoveryAgentRow): Standing {
  if (agent.state === 'pending') return 'pending';
  if (agent.state === 'incomplete') return agent.reason === 'timeout' ? 'incomplete' : 'failed';
  return toldBy(agent).incomplete === undefined ? 'completed' : 'incomplete';
}

/** What sellers have not given: those that are still asked in one entry, the others as they say it. */
export function gapsOf(pending: number, agents: readonly DiscoveryAgentRow[]) {
  const told = agents.flatMap((agent) =>
    (toldBy(agent).incomplete ?? []).map((gap) => ({
      ...gap,
      description: `${agent.storefront_name}: ${gap.description}`,
    })),
  );
  const asked = pending === 1 ? '1 seller has' : `${pending} sellers have`;
  const waits = pending === 0 ? [] : [{ scope: 'products', description: `${asked} not answered yet.` }];
  return [...waits, ...told].slice(0, GAPS_MAX);
}

export function withoutAbsent(members: Members): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
