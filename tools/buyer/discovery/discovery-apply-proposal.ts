import { z } from 'zod';
import { fromJson } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { requireOpenSellers } from '../../domain/buying/choice/closed-sellers.ts';
import { writeChoice } from '../../domain/discovery/choosing/choice-writing.ts';
import { tryChoices } from '../../domain/discovery/choosing/choose.ts';
import { partsOf, proposalOf } from '../../domain/discovery/choosing/proposal-parts.ts';
import { undeclaredChoices } from '../../domain/discovery/declared-targeting.ts';
import { reachSession, requireInCurrency, sessionKind } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';
import { readSelection } from '../../domain/discovery/showing/selection.ts';
import { selection } from '../../domain/discovery/showing/selection-schema.ts';
import { openedWith } from '../../domain/discovery-opening.ts';
import { toMajor } from '../../domain/money.ts';
import { productNameOf } from '../../domain/product-name.ts';
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

export const discoveryApplyProposal = defineTool({
  name: 'discovery_apply_proposal',
  title: 'Choose by proposal',
  example: { discoveryId: 'disc_example', proposalId: 'plan_example', totalBudget: 1_000 },
  description:
    'Chooses the products of a proposal that discover_products showed, each with its part of a budget. Products ' +
    'that cannot be chosen are in productsSkipped, their parts unspent. Returns the whole choice.',
  effect: 'update',
  // Sellers are asked what they declare.
  inSteps: true,
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
  errors: ['NOT_FOUND', 'CONFLICT', 'CURRENCY_MISMATCH'],
  find: (ctx, { discoveryId }) => reachSession(ctx, discoveryId),
  handler: async (ctx, input, session) => {
    await requireInCurrency(ctx, session);
    const plan = await proposalOf(ctx, session, input);
    const { choices, idle } = await partsOf(ctx, session, { plan, totalBudget: input.totalBudget });
    const tried = await tryChoices(ctx, { session, choices });
    await requireOpenSellers(ctx, tried.chosen);
    const undeclared = await undeclaredChoices(ctx, tried);
    const chosen = tried.chosen.filter((row) => !undeclared.has(row));
    const skipped = [
      ...tried.skipped.map(({ choice: { productId }, name, problem }) => ({ productId, name, problem })),
      ...tried.chosen.flatMap((row): LeftOut[] => {
        const why = undeclared.get(row);
        if (why === undefined) return [];
        const problem = `${why.field}: ${why.reason}`;
        return [{ productId: row.product_id, name: productNameOf(fromJson(row.product)), problem }];
      }),
      ...idle.map((one) => ({ ...one, problem: NO_PART })),
    ];
    if (chosen.length === 0) throw nothingLeft(skipped);
    const { currency } = openedWith(session);
    const { applied } = await ctx.write(
      async (tx) => {
        const choice = await writeChoice(ctx, tx, {
          session,
          put: chosen,
          drop: input.replace ? null : undefined,
        });
        const read = await readSelection(ctx, tx, { session, always: skipped.map(asWarning) });
        const used = chosen.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
        const applied = {
          ...read,
          proposal: { proposalId: plan.proposalId, name: plan.name, salesAgentName: plan.salesAgentName },
          totalBudgetUsed: toMajor(used, currency),
          productsApplied: chosen.length,
          productsSkipped: skipped.map(({ productId }) => productId),
        };
        return { choice, applied };
      },
      ({ choice }) => ({
        resourceId: session.id,
        advertiserId: session.advertiser_id,
        changes: choice.changes,
      }),
    );
    return applied;
  },
});

const NO_PART = 'Nothing of the budget falls to it.';

interface LeftOut {
  readonly productId: string;
  readonly name: string;
  readonly problem: string;
}

function asWarning({ name, problem }: LeftOut): string {
  return `${name} is left out: ${problem}`;
}

function nothingLeft(skipped: readonly LeftOut[]) {
  const [first] = skipped.map(asWarning);
  return contradicts('proposalId', `None of its products can be chosen. ${first ?? ''}`.trim(), {
    suggestion: 'Give another totalBudget, or choose products one by one with discovery_add_products.',
  });
}
