import type { CampaignRow } from '../../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { AppError } from '../../core/errors/app-error.ts';
import {
  contradiction,
  contradicts,
  currencyMismatch,
  insufficientMediaBudget,
} from '../../core/errors/refusals.ts';
import { readMoney, toMajor } from '../money.ts';
import { planOf } from './allocation.ts';

/** What stands between a campaign and the products chosen for it. Pure: rows in, refusals or words out. */

/** What a campaign asks of the products it buys. */
export type Terms = Pick<CampaignRow, 'budget_minor' | 'currency' | 'constraints' | 'storefront_ids'>;
type Selection = Pick<DiscoverySelectionRow, 'product' | 'product_id' | 'pricing_option_id' | 'budget_minor'>;

const DROP = 'Drop the product with discovery_remove_products, and execute again.';

/** Every reason why these products cannot be ordered for the campaign, before any seller is asked. */
export function problemsOf(terms: Terms, selections: readonly Selection[]): AppError[] {
  const { budgets, problem } = planOf(terms, selections);
  const each = selections.flatMap((selection) => [
    ...storefrontProblem(selection, terms),
    ...constraintProblems(fromJson(selection.product), terms),
    ...currencyProblem(selection, terms),
  ]);
  // Sums of one currency say nothing of budgets in another.
  if (each.some(({ code }) => code === 'CURRENCY_MISMATCH')) return each;
  if (problem !== undefined) return [...each, problem];
  return [...each, ...selections.flatMap((one, index) => leastProblem(one, terms, budgets[index] ?? 0))];
}

/** The same and what stays over, in words for whoever can still correct it. */
export function warningsOf(terms: Terms, selections: readonly Selection[]): string[] {
  if (selections.length === 0) return [];
  const problems = problemsOf(terms, selections);
  const rest = terms.budget_minor - planOf(terms, selections).allocated;
  const said = problems.map(({ message }) => message);
  return rest > 0 && !problems.some(({ code }) => code === 'INSUFFICIENT_MEDIA_BUDGET')
    ? [...said, unallocated(terms, rest)]
    : said;
}

function unallocated({ budget_minor, currency }: Terms, rest: number): string {
  const [left, total] = [rest, budget_minor].map((minor) => readMoney(minor, currency));
  return `${left} of ${total} are given to no product: raise the budgets of the products, or choose more of them.`;
}

/** One refusal for all of them: the one there is, or a list that names each. */
export function asOne(problems: readonly AppError[]): AppError | undefined {
  const [first, another] = problems;
  if (first === undefined || another === undefined) return first;
  const issues = problems.map(({ field = '', message }) => ({ path: field, message }));
  const suggestion = [...new Set(problems.flatMap(({ suggestion: said }) => said ?? []))].join(' ');
  if (problems.some(({ code }) => code !== first.code)) return contradiction(issues, { suggestion });
  const message = problems.map((problem) => problem.message).join(' ');
  const { status, field } = first;
  const details = { ...first.details, issues };
  return new AppError(first.code, message, {
    status,
    suggestion,
    details,
    ...(field === undefined ? {} : { field }),
  });
}

/** A campaign that names its storefronts buys from no other. */
function storefrontProblem({ product }: Selection, { storefront_ids }: Terms): AppError[] {
  const { name, salesAgentName, storefrontId } = fromJson(product);
  if (storefront_ids === null || fromJson(storefront_ids).includes(Number(storefrontId))) return [];
  const message = `${name} is sold by ${salesAgentName}, which is none of the storefronts of this campaign.`;
  return [contradicts('storefrontIds', message, { suggestion: DROP })];
}

/** Where a product runs that a campaign must not. A product that says nothing of it passes. */
export function constraintProblems(
  product: Pick<ChosenProduct, 'name' | 'channels' | 'countries'>,
  { constraints }: Pick<CampaignRow, 'constraints'>,
): AppError[] {
  const { channels, geo_countries } = constraints === null ? {} : fromJson(constraints);
  return [
    ...outside(product.name, { field: 'channels', wanted: channels, told: product.channels, runs: 'on' }),
    ...outside(product.name, {
      field: 'geo_countries',
      wanted: geo_countries,
      told: product.countries,
      runs: 'in',
    }),
  ];
}

interface Bound {
  readonly field: 'channels' | 'geo_countries';
  readonly wanted: readonly string[] | undefined;
  readonly told: readonly string[] | undefined;
  readonly runs: 'on' | 'in';
}

function outside(name: string, { field, wanted = [], told = [], runs }: Bound): AppError[] {
  if (wanted.length === 0 || told.length === 0 || told.some((one) => wanted.includes(one))) return [];
  const [where, instead] = [told, wanted].map((list) => list.slice(0, 10).join(', '));
  const message = `${name} runs ${runs} ${where}; the campaign stays ${runs} ${instead}.`;
  return [contradicts(`constraints.${field}`, message, { suggestion: DROP })];
}

function currencyProblem(selection: Selection, { currency }: Terms): AppError[] {
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  if (option === undefined || option.currency === currency) return [];
  const message = `${product.name} is sold in ${option.currency}; the campaign pays in ${currency}.`;
  const suggestion = `Drop the product with discovery_remove_products, or run it for an advertiser in ${option.currency}.`;
  return [currencyMismatch('budget.currency', message, { suggestion })];
}

/** A share of the budget may be less than a seller sells for. */
function leastProblem(selection: Selection, { currency }: Terms, budgetMinor: number): AppError[] {
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  const budget = toMajor(budgetMinor, currency);
  if (option?.minSpend === undefined || option.currency !== currency || budget >= option.minSpend) return [];
  return [
    insufficientMediaBudget(
      `${product.name} starts at ${option.minSpend} ${currency}; ${budget} ${currency} of budget.total fall to it.`,
      { productId: selection.product_id, minSpend: option.minSpend, budget, currency },
    ),
  ];
}

function optionOf(
  { pricingOptions }: ChosenProduct,
  { pricing_option_id }: Selection,
): ChosenProduct['pricingOptions'][number] | undefined {
  return pricingOptions.find(({ pricingOptionId }) => pricingOptionId === pricing_option_id);
}
