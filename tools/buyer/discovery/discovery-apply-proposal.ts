import { z } from 'zod';
import { findProposals } from '../../../store/discovery-proposals.ts';
import { deleteSelections, putSelections } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, contradicts, invalid } from '../../core/errors/refusals.ts';
import { type Choice, type Skipped, tryChoices } from '../../domain/discovery/choose.ts';
import { productsFound } from '../../domain/discovery/found-products.ts';
import { choicesIn } from '../../domain/discovery/proposal-choices.ts';
import { type Proposal, readProposal } from '../../domain/discovery/proposals.ts';
import { roomForChoices } from '../../domain/discovery/quotas.ts';
import { reachSession, sessionKind } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';
import { readSelection } from '../../domain/discovery/selection.ts';
import { selection } from '../../domain/discovery/selection-schema.ts';
import { decimalsOf, roundToMinor, toMajor, toMinor } from '../../domain/money.ts';
import { openedWith } from '../../domain/opening.ts';
import { SELLER_ID_MAX, shortText } from '../../domain/text.ts';

const input = z.strictObject({
  discoveryId,
  proposalId: shortText(SELLER_ID_MAX).describe('Id of the proposal.'),
  salesAgentId: shortText(128).optional().describe('Its sales agent; needed when two use the same id.'),
  totalBudget: z
    .number()
    .positive()
    .max(1e12)
    .optional()
    .describe('What to share out; the session’s budget, or what the seller advises, unless given.'),
  replace: z.boolean().default(false).describe('True drops the choices made before.'),
});

type Input = z.output<typeof input>;

export const discoveryApplyProposal = defineTool({
  name: 'discovery_apply_proposal',
  title: 'Choose by proposal',
  example: { discoveryId: 'disc_example', proposalId: 'plan_example', totalBudget: 1_000 },
  description:
    'Chooses the products of a proposal that discover_products showed, each with its part of a budget. Products ' +
    'that cannot be chosen are in productsSkipped, their parts unspent. Returns the whole choice.',
  effect: 'update',
  unlisted: true,
  audit: { kind: sessionKind, ofInput: ({ discoveryId }) => discoveryId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/discovery/{discoveryId}/apply-proposal' },
  input,
  output: selection.extend({
    proposal: z
      .object({
        proposalId: z.string().describe('Id of the proposal.'),
        name: z.string().describe('Its name.'),
        salesAgentName: z.string().describe('Whose it is.'),
      })
      .describe('What was taken up.'),
    totalBudgetUsed: z.number().describe('What its products were given.'),
    productsApplied: z.number().int().describe('How many of its products are chosen now.'),
    productsSkipped: z.array(z.string()).describe('Ids of those that could not be chosen; warnings say why.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { discoveryId }) => reachSession(ctx, discoveryId),
  handler: async (ctx, input, session) => {
    const plan = await proposalOf(ctx, session, input);
    const choices = await partsOf(ctx, session, { input, plan });
    const { chosen, skipped } = await tryChoices(ctx, { session, choices });
    if (chosen.length === 0) throw nothingLeft(skipped);
    const { currency } = openedWith(session);
    return ctx.write(
      async (tx) => {
        if (input.replace) await deleteSelections(tx, ctx.scope, { id: session.id, productIds: null });
        await putSelections(tx, ctx.scope, chosen);
        await roomForChoices(ctx, tx, session.id);
        const read = await readSelection(ctx, tx, session);
        const warnings = [...(read.warnings ?? []), ...skipped.map(asWarning)];
        const used = chosen.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
        return {
          ...read,
          ...(warnings.length === 0 ? {} : { warnings }),
          proposal: { proposalId: plan.proposalId, name: plan.name, salesAgentName: plan.salesAgentName },
          totalBudgetUsed: toMajor(used, currency),
          productsApplied: chosen.length,
          productsSkipped: skipped.map(({ choice }) => choice.productId),
        };
      },
      { resourceId: session.id, advertiserId: session.advertiser_id },
    );
  },
});

function asWarning({ choice, problem }: Skipped): string {
  return `${choice.productId} is left out: ${problem}`;
}

function nothingLeft(skipped: readonly Skipped[]) {
  const [first] = skipped.map(asWarning);
  return contradicts('proposalId', `None of its products can be chosen. ${first ?? ''}`.trim(), {
    suggestion: 'Give another totalBudget, or choose products one by one with discovery_add_products.',
  });
}

const ASK_AGAIN = 'Ask for it again with discover_products and refine, or take up another one.';

async function proposalOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { proposalId, salesAgentId }: Input,
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

/** What each product is to get. */
async function partsOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { input, plan }: { input: Input; plan: Proposal },
): Promise<Choice[]> {
  const { currency, budgetMinor } = openedWith(session);
  const guidance = plan.totalBudgetGuidance;
  const advised = guidance?.currency === undefined || guidance.currency === currency ? guidance : undefined;
  const totalMinor = inMinor(input, currency) ?? budgetMinor ?? rounded(advised?.recommended, currency);
  if (totalMinor === undefined) {
    throw invalid('totalBudget', 'Required: neither the session nor the seller names a budget.');
  }
  const least = rounded(advised?.min, currency) ?? 0;
  if (totalMinor < least) {
    throw invalid('totalBudget', `The seller’s least is ${toMajor(least, currency)} ${currency}.`);
  }
  const wanted = plan.allocations.map(({ productId }) => ({ productId, salesAgentId: plan.salesAgentId }));
  const products = await productsFound(ctx, session, wanted);
  return choicesIn(plan, { totalMinor, currency }, (id) => products.get(id));
}

function inMinor({ totalBudget }: Input, currency: string): number | undefined {
  if (totalBudget === undefined) return undefined;
  const minor = toMinor(totalBudget, currency);
  if (minor !== undefined) return minor;
  throw invalid('totalBudget', `${currency} has ${decimalsOf(currency)} decimals at the most.`);
}

function rounded(amount: number | undefined, currency: string): number | undefined {
  return amount === undefined ? undefined : roundToMinor(amount, currency);
}
