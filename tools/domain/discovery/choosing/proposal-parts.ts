import { findProposals } from '../../../../store/discovery-proposals.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Context } from '../../../core/context.ts';
import { conflict, invalid } from '../../../core/errors/refusals.ts';
import { openedWith } from '../../discovery-opening.ts';
import { noSuchAmount, roundToMinor, toMajor, toMinor } from '../../money.ts';
import { productNameOf } from '../../product-name.ts';
import { type Proposal, readProposal } from '../asking/proposals.ts';
import type { Product } from '../schema.ts';
import type { Choice } from './choose.ts';
import { productsFound } from './found-products.ts';
import { choicesIn } from './proposal-choices.ts';

/** A proposal that is taken up: which one, and what each of its products gets. */

const ASK_AGAIN = 'Ask for it again with discover_products and refine, or take up another one.';

/** The one proposal that is meant, while it can be taken up. */
export async function proposalOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { proposalId, salesAgentId }: { proposalId: string; salesAgentId?: string | undefined },
): Promise<Proposal> {
  const found = await findProposals(ctx.db, ctx.scope, { id: session.id, proposalIds: [proposalId] });
  const own = found.filter(({ agent_id }) => salesAgentId === undefined || agent_id === salesAgentId);
  const [row, another] = own;
  if (row === undefined) {
    throw invalid('proposalId', 'This session has no such proposal: find ids with browse_products.');
  }
  if (another !== undefined) {
    const agents = own.map(({ agent_id }) => agent_id).join(', ');
    throw invalid('salesAgentId', `Several sellers use this id. Give one of: ${agents}.`);
  }
  if (row.expires_at !== null && row.expires_at <= ctx.now) {
    throw conflict(`The proposal could be taken up until ${row.expires_at}.`, ASK_AGAIN);
  }
  return readProposal(row);
}

interface Taking {
  readonly plan: Proposal;
  /** What its products are to share; without it what the session or the seller names. */
  readonly totalBudget: number | undefined;
  /** What they share where nobody names anything. */
  readonly otherwiseMinor?: number | undefined;
}

/** What each product is to get, and those for which nothing is left. */
export async function partsOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { plan, totalBudget, otherwiseMinor }: Taking,
): Promise<{ choices: Choice[]; idle: { productId: string; name: string }[] }> {
  const { currency, budgetMinor } = openedWith(session);
  const guidance = plan.totalBudgetGuidance;
  const advised = guidance?.currency === undefined || guidance.currency === currency ? guidance : undefined;
  const totalMinor =
    inMinor(totalBudget, currency) ??
    budgetMinor ??
    rounded(advised?.recommended, currency) ??
    otherwiseMinor;
  if (totalMinor === undefined) {
    throw invalid('totalBudget', 'Required: neither the session nor the seller names a budget.');
  }
  const least = rounded(advised?.min, currency) ?? 0;
  if (totalMinor < least) {
    throw invalid('totalBudget', `The seller’s least is ${toMajor(least, currency)} ${currency}.`);
  }
  const wanted = plan.allocations.map(({ productId }) => ({ productId, salesAgentId: plan.salesAgentId }));
  const products = await productsFound(ctx, session, wanted);
  const choices = choicesIn(plan, { totalMinor, currency }, (id) => products.get(id));
  const chosen = new Set(choices.map(({ productId }) => productId));
  const idle = [...new Set(wanted.map(({ productId }) => productId))].filter((id) => !chosen.has(id));
  return {
    choices,
    idle: idle.map((productId) => ({ productId, name: nameOf(products.get(productId), productId) })),
  };
}

function nameOf(product: Product | undefined, id: string): string {
  return product === undefined ? id : productNameOf(product);
}

function inMinor(totalBudget: number | undefined, currency: string): number | undefined {
  if (totalBudget === undefined) return undefined;
  const minor = toMinor(totalBudget, currency);
  if (minor !== undefined) return minor;
  throw invalid('totalBudget', noSuchAmount(currency));
}

function rounded(amount: number | undefined, currency: string): number | undefined {
  return amount === undefined ? undefined : roundToMinor(amount, currency);
}
