import type { CampaignRow } from '../../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { AppError, Issue } from '../../core/errors/app-error.ts';
import { fewIssues } from '../../core/errors/few-issues.ts';
import { currencyMismatch, insufficientMediaBudget } from '../../core/errors/money-refusals.ts';
import { contradiction, contradicts } from '../../core/errors/refusals.ts';
import { missedBy } from '../campaigns/constraints.ts';
import { grossBudgetOf, mediaBudgetOf } from '../ledger/pricing.ts';
import { readMoney, roundToMinor, toMajor } from '../money.ts';
import { leastSpend } from '../pricing.ts';
import { issuesOf } from '../renamed-problems.ts';
import { moreFor, planOf } from './allocation.ts';
import type { Fees } from './fees.ts';
import { linesOf } from './order-lines.ts';
import { nobodyProblems, targetingProblems } from './targeting.ts';
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
  Partial<Pick<DiscoverySelectionRow, 'pacing' | 'bid_price'>>;

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
  const each = [
    ...nobodyProblems(terms, stageOf(terms)),
    ...selections.flatMap((selection) => [
      ...storefrontProblem(selection, terms),
      ...constraintProblems(fromJson(selection.product), terms, stageOf(terms)),
      ...targetingProblems(selection, terms, stageOf(terms)),
      ...currencyProblem(selection, terms),
    ]),
  ];
  // Sums of one currency say nothing of budgets in another.
  if (each.some(({ code }) => code === 'CURRENCY_MISMATCH')) return each;
  if (problem !== undefined) return [...each, problem];
  const taken = allocated + committed;
  return [
    ...each,
    ...selections.flatMap((one, index) =>
      leastProblem(one, terms, { givenMinor: budgets[index] ?? 0, feeBps: fees(one.agent_id) ?? 0, taken }),
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
  readonly givenMinor: number;
  readonly feeBps: number;
  /** What everything that is chosen and ordered takes of the total. */
  readonly taken: number;
}

/** What a seller gets of a budget may be less than it sells for, or nothing. */
function leastProblem(selection: Selection, terms: Terms, { givenMinor, feeBps, taken }: Given): AppError[] {
  const { currency, budget_minor } = terms;
  const { product_id, budget_minor: own } = selection;
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  const budgetMinor = mediaBudgetOf(givenMinor, feeBps);
  const budget = toMajor(leastPart(terms, budgetMinor), currency);
  const minSpend = option?.currency === currency ? leastSpend(option, bidOf(selection)) : 0;
  if (budgetMinor > 0 && budget >= minSpend) return [];
  const sums = {
    requestedTotal: toMajor(budget_minor, currency),
    committedAllocation: toMajor(taken, currency),
    productId: product_id,
    budget,
    currency,
  };
  // Nothing but its own budget gives more to a product that has one.
  const suggestion =
    own === null ? moreFor(terms) : ownBudget(product.name, terms, { leastMajor: minSpend, feeBps });
  const facts = suggestion === undefined ? {} : { suggestion };
  const of = own === null ? 'budget.total' : 'its budget';
  if (budgetMinor <= 0) {
    const message = `Nothing of ${of} is left for ${product.name} once its fee is taken.`;
    return [insufficientMediaBudget(message, sums, facts)];
  }
  const message = tooLittle(product.name, { least: minSpend, budget, of, feeBps, currency });
  return [insufficientMediaBudget(message, { ...sums, minSpend }, facts)];
}

interface Falling {
  /** Both in units of the currency, and as the seller gets them. */
  readonly least: number;
  readonly budget: number;
  readonly of: 'budget.total' | 'its budget';
  readonly feeBps: number;
  readonly currency: string;
}

/** That less falls to a product than its seller sells it for. */
export function tooLittle(name: string, { least, budget, of, feeBps, currency }: Falling): string {
  const fee = feeBps === 0 ? '' : ' once its fee is taken';
  return `${name} starts at ${least} ${currency}; ${budget} ${currency} of ${of} fall to it${fee}.`;
}

function bidOf({ bid_price: bid = null }: Selection): number | null {
  return bid === null ? null : Number(bid);
}

function ownBudget(
  name: string,
  { currency, pacing_periods }: Terms,
  { leastMajor, feeBps }: { leastMajor: number; feeBps: number },
): string {
  const leastMinor = Math.max(roundToMinor(leastMajor, currency) ?? 0, 1);
  const least = readMoney(grossBudgetOf(leastMinor, feeBps), currency);
  const enough = pacing_periods === null ? `at least ${least}` : `enough for ${least} in each period`;
  return `Give ${name} ${enough} with discovery_add_products, or drop it with discovery_remove_products.`;
}

/** The smallest order line of a product: one for each period, where there are periods. */
export function leastPart(
  terms: Pick<Terms, 'pacing_periods' | 'start_at' | 'end_at' | 'currency'>,
  budgetMinor: number,
): number {
  return Math.min(...linesOf(terms, budgetMinor, terms.start_at).map((line) => line.budgetMinor));
}

function optionOf(
  { pricingOptions }: ChosenProduct,
  { pricing_option_id }: Selection,
): ChosenProduct['pricingOptions'][number] | undefined {
  return pricingOptions.find(({ pricingOptionId }) => pricingOptionId === pricing_option_id);
}
