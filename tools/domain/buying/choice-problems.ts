import type { CampaignRow } from '../../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { AppError, Issue } from '../../core/errors/app-error.ts';
import { fewIssues } from '../../core/errors/few-issues.ts';
import { currencyMismatch, insufficientMediaBudget } from '../../core/errors/money-refusals.ts';
import { contradiction, contradicts } from '../../core/errors/refusals.ts';
import { missedBy } from '../campaigns/constraints.ts';
import { mediaBudgetOf } from '../ledger/pricing.ts';
import { toMajor } from '../money.ts';
import { issuesOf } from '../renamed-problems.ts';
import { planOf } from './allocation.ts';
import type { Fees } from './fees.ts';
import { linesOf } from './order-lines.ts';
import { targetingProblems } from './targeting.ts';
import { otherTermsOrDrop, type Stage, stageOf } from './ways-out.ts';

/** What stands between a campaign and the products chosen for it. Pure: rows in, refusals or words out. */

/** What a campaign asks of the products it buys. */
export type Terms = Pick<
  CampaignRow,
  | 'budget_minor'
  | 'currency'
  | 'constraints'
  | 'storefront_ids'
  | 'pacing_periods'
  | 'optimization_goals'
  | 'start_at'
  | 'end_at'
> &
  Partial<Pick<CampaignRow, 'daily_cap_minor' | 'pacing' | 'status'>>;
export type Selection = Pick<
  DiscoverySelectionRow,
  'product' | 'product_id' | 'agent_id' | 'pricing_option_id' | 'budget_minor' | 'targeting_overlay'
> &
  Partial<Pick<DiscoverySelectionRow, 'pacing'>>;

/** What a choice is seen beside. */
export interface Beside {
  /** What other buys of the campaign have of its budget already. */
  readonly committed?: number;
  readonly fees?: Fees;
}

/** Every reason why these products cannot be ordered for the campaign, before any seller is asked. */
export function problemsOf(
  terms: Terms,
  selections: readonly Selection[],
  { committed = 0, fees = () => undefined }: Beside = {},
): AppError[] {
  const { budgets, allocated, problem } = planOf(terms, selections, committed);
  const each = selections.flatMap((selection) => [
    ...storefrontProblem(selection, terms),
    ...constraintProblems(fromJson(selection.product), terms, stageOf(terms)),
    ...targetingProblems(selection, terms, stageOf(terms)),
    ...currencyProblem(selection, terms),
  ]);
  // Sums of one currency say nothing of budgets in another.
  if (each.some(({ code }) => code === 'CURRENCY_MISMATCH')) return each;
  if (problem !== undefined) return [...each, problem];
  const taken = allocated + committed;
  return [
    ...each,
    ...selections.flatMap((one, index) =>
      leastProblem(one, terms, {
        budgetMinor: mediaBudgetOf(budgets[index] ?? 0, fees(one.agent_id) ?? 0),
        taken,
      }),
    ),
  ];
}

/**
 * One refusal for all of them: the one there is, or a list that names each, as far as refusals do. Sums and ids that
 * only one of them has are told with it.
 */
export function asOne(problems: readonly AppError[]): AppError | undefined {
  const [first, another] = problems;
  if (first === undefined || another === undefined) return first;
  const issues = problems.flatMap(placesOf);
  const suggestion = [...new Set(problems.flatMap(({ suggestion: said }) => said ?? []))].join(' ');
  if (problems.some(({ code }) => code !== first.code)) {
    const facts = problems.toReversed().flatMap(({ details = {} }) => Object.entries(details));
    const { issues: _, moreIssues: __, ...details } = Object.fromEntries(facts);
    return contradiction(issues, { suggestion, details });
  }
  const { text, details } = fewIssues(issues);
  return first.restated(text, suggestion).with(details);
}

/** What a refusal names, place by place. */
export function placesOf(problem: AppError): Issue[] {
  const { field = '', message } = problem;
  return issuesOf(problem) ?? [{ path: field, message }];
}

/** A campaign that names its storefronts buys from no other. */
function storefrontProblem({ product }: Selection, terms: Terms): AppError[] {
  const { storefront_ids } = terms;
  const { name, salesAgentName, storefrontId } = fromJson(product);
  if (storefront_ids === null || fromJson(storefront_ids).includes(Number(storefrontId))) return [];
  const message = `${name} is sold by ${salesAgentName}, which is none of the storefronts of this campaign.`;
  const suggestion = otherTermsOrDrop(stageOf(terms), 'storefrontIds');
  return [contradicts('storefrontIds', message, { suggestion })];
}

/** Where a product runs that a campaign must not. A product that says nothing of it passes. */
export function constraintProblems(
  product: Pick<ChosenProduct, 'name' | 'channels' | 'countries'>,
  { constraints }: Pick<CampaignRow, 'constraints'>,
  stage: Stage,
): AppError[] {
  const suggestion = otherTermsOrDrop(stage, 'constraints');
  const missed = constraints === null ? [] : missedBy(product, fromJson(constraints));
  return missed.map(({ field, message }) => contradicts(`constraints.${field}`, message, { suggestion }));
}

function currencyProblem(selection: Selection, { currency }: Terms): AppError[] {
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  if (option === undefined || option.currency === currency) return [];
  const message = `${product.name} is sold in ${option.currency}; the campaign pays in ${currency}.`;
  const suggestion = `Drop the product with discovery_remove_products, or run it for an advertiser in ${option.currency}.`;
  return [currencyMismatch('budget.currency', message, { suggestion })];
}

interface Given {
  /** What its seller is to get. */
  readonly budgetMinor: number;
  /** What everything that is chosen and ordered takes of the total. */
  readonly taken: number;
}

/** A share of the budget may be less than a seller sells for, or all fee. */
function leastProblem(selection: Selection, terms: Terms, { budgetMinor, taken }: Given): AppError[] {
  const { currency, budget_minor } = terms;
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  const budget = toMajor(leastPart(terms, budgetMinor), currency);
  const sums = {
    requestedTotal: toMajor(budget_minor, currency),
    committedAllocation: toMajor(taken, currency),
    productId: selection.product_id,
    budget,
    currency,
  };
  if (budgetMinor <= 0) {
    const message = `Nothing of budget.total is left for ${product.name} once its fee is taken.`;
    return [insufficientMediaBudget(message, sums)];
  }
  if (option?.minSpend === undefined || option.currency !== currency || budget >= option.minSpend) return [];
  return [
    insufficientMediaBudget(
      `${product.name} starts at ${option.minSpend} ${currency}; ${budget} ${currency} of budget.total fall to it.`,
      { ...sums, minSpend: option.minSpend },
    ),
  ];
}

/** The smallest order line of a product: one for each period, where there are periods. */
function leastPart(terms: Terms, budgetMinor: number): number {
  return Math.min(...linesOf(terms, budgetMinor, terms.start_at).map((line) => line.budgetMinor));
}

function optionOf(
  { pricingOptions }: ChosenProduct,
  { pricing_option_id }: Selection,
): ChosenProduct['pricingOptions'][number] | undefined {
  return pricingOptions.find(({ pricingOptionId }) => pricingOptionId === pricing_option_id);
}
