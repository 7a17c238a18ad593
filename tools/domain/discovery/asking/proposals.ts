import { z } from 'zod';
import type { DiscoveryProposalRow } from '../../../../store/discovery-proposals.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Seller } from '../../sellers/port.ts';
import type { AnswerSaid } from '../../sellers/product-query.ts';
import { boundedText, sellerText } from '../../text.ts';
import { momentTold } from '../../time.ts';
import { type Group, givenId } from './seller-products.ts';
import { withoutNulls } from './without-nulls.ts';

/** Plans that sellers propose beside their products (contract: Proposal; AdCP 3.0, core/proposal). */

const PROPOSALS_MAX = 10;
const ALLOCATIONS_MAX = 30;
const NAME_MAX = 255;
const TEXT_MAX = 1_000;
const RATIONALE_MAX = 300;
const TAGS_MAX = 10;
/** The largest proposal that is kept, in characters. */
const PROPOSAL_MAX = 16_384;
/** How far percentages may miss 100 for their rounding. */
const ROUNDING = 0.5;

const allocation = z.object({
  productId: z.string().describe('Id of the product.'),
  allocationPercentage: z.number().describe('Its part of the budget, in percent.'),
  pricingOptionId: z.string().optional().describe('How it is to be bought.'),
  rationale: z.string().optional().describe('Why, in the seller’s words.'),
  sequence: z.number().int().optional().describe('Its place in the order of flights.'),
  tags: z.array(z.string()).optional().describe('Words the seller sorts by.'),
});

export const proposal = z
  .object({
    proposalId: z.string().describe('Id of the proposal at its seller.'),
    name: z.string().describe('Its name.'),
    description: z.string().optional().describe('What it does.'),
    briefAlignment: z.string().optional().describe('Why it fits.'),
    proposalStatus: z.enum(['draft', 'committed']).optional().describe('draft: refine finalizes its prices.'),
    salesAgentId: z.string().describe('Id of the sales agent.'),
    salesAgentName: z.string().describe('Its name.'),
    storefrontId: z.string().describe('Id of the storefront.'),
    storefrontName: z.string().describe('Its name.'),
    allocations: z.array(allocation).describe('How it shares a budget out between products.'),
    expiresAt: z.string().optional().describe('Until when it can be taken up.'),
    totalBudgetGuidance: z
      .object({
        min: z.number().optional().describe('The least.'),
        recommended: z.number().optional().describe('What the seller advises.'),
        max: z.number().optional().describe('The most.'),
        currency: z.string().optional().describe('ISO 4217 code.'),
      })
      .optional()
      .describe('What it takes.'),
  })
  .meta({ id: 'Proposal' });

export type Proposal = z.output<typeof proposal>;

const amount = z.number().min(0).max(1e12).optional().catch(undefined);

const sellerProposal = z.looseObject({
  proposal_id: givenId,
  name: z.string().min(1),
  proposal_status: z.enum(['draft', 'committed']).optional().catch(undefined),
  expires_at: z.iso.datetime({ offset: true }).optional(),
  allocations: z
    .array(
      z.looseObject({
        product_id: givenId,
        allocation_percentage: z.number().min(0).max(100),
        pricing_option_id: givenId.optional(),
        sequence: z.number().int().min(1).max(1_000).optional().catch(undefined),
        tags: z.array(z.unknown()).optional().catch(undefined),
      }),
    )
    .min(1)
    .max(ALLOCATIONS_MAX),
  total_budget_guidance: z
    .looseObject({
      min: amount,
      recommended: amount,
      max: amount,
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type Raw = z.output<typeof sellerProposal>;

/** The proposals of an answer that can be taken up with the products found in it, and how many cannot. */
export function proposalsIn(
  seller: Seller,
  { proposals }: AnswerSaid,
  groups: readonly Group[],
): { proposals: Proposal[]; invalid: number } {
  if (!Array.isArray(proposals)) return { proposals: [], invalid: 0 };
  const known = new Map(groups.flatMap((group) => group.products).map((one) => [one.productId, one]));
  const isKnown = ({ product_id, pricing_option_id: option }: Raw['allocations'][number]) => {
    const options = known.get(product_id)?.pricingOptions;
    if (options === undefined) return false;
    return option === undefined || options.some(({ pricingOptionId }) => pricingOptionId === option);
  };
  const read = new Map<string, Proposal>();
  for (const entry of proposals.slice(0, PROPOSALS_MAX)) {
    const { data } = sellerProposal.safeParse(withoutNulls(entry));
    if (data === undefined || read.has(data.proposal_id)) continue;
    const sum = data.allocations.reduce((all, one) => all + one.allocation_percentage, 0);
    const made = asProposal(seller, data);
    const isWhole = Math.abs(sum - 100) <= ROUNDING && data.allocations.every(isKnown);
    if (isWhole && JSON.stringify(made).length <= PROPOSAL_MAX) read.set(data.proposal_id, made);
  }
  return { proposals: [...read.values()], invalid: proposals.length - read.size };
}

function asProposal(seller: Seller, raw: Raw): Proposal {
  return {
    proposalId: raw.proposal_id,
    name: boundedText(raw.name, NAME_MAX) || raw.proposal_id,
    description: sellerText(raw['description'], TEXT_MAX),
    briefAlignment: sellerText(raw['brief_alignment'], TEXT_MAX),
    proposalStatus: raw.proposal_status,
    salesAgentId: seller.agentId,
    salesAgentName: seller.agentName,
    storefrontId: String(seller.storefrontId),
    storefrontName: seller.storefrontName,
    allocations: raw.allocations.map((one) => ({
      productId: one.product_id,
      allocationPercentage: one.allocation_percentage,
      pricingOptionId: one.pricing_option_id,
      rationale: sellerText(one['rationale'], RATIONALE_MAX),
      sequence: one.sequence,
      tags: one.tags?.slice(0, TAGS_MAX).flatMap((tag) => sellerText(tag, 64) ?? []),
    })),
    expiresAt: raw.expires_at === undefined ? undefined : momentTold(raw.expires_at),
    totalBudgetGuidance: guidanceOf(raw),
  };
}

function guidanceOf({ total_budget_guidance: told }: Raw): Proposal['totalBudgetGuidance'] {
  if (told === undefined) return undefined;
  const { min, recommended, max, currency } = told;
  return { min, recommended, max, currency };
}

export function proposalRows(
  { organization_id, id }: Pick<DiscoverySessionRow, 'organization_id' | 'id'>,
  agentId: string,
  proposals: readonly Proposal[],
): DiscoveryProposalRow[] {
  return proposals.map((one, ordinal) => ({
    organization_id,
    session_id: id,
    agent_id: agentId,
    proposal_id: one.proposalId,
    ordinal,
    proposal: JSON.stringify(one),
    expires_at: one.expiresAt ?? null,
  }));
}

export function readProposal({ proposal: text }: Pick<DiscoveryProposalRow, 'proposal'>): Proposal {
  return fromJson<Proposal>(text);
}
