import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { calledOtherwise, placesOf } from '../../../core/errors/called-otherwise.ts';
import { fewIssues } from '../../../core/errors/few-issues.ts';
import { currencyMismatch, insufficientMediaBudget } from '../../../core/errors/money-refusals.ts';
import { contradiction, contradicts } from '../../../core/errors/refusals.ts';
import { missedBy } from '../../campaigns/constraints.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { leastMinorOf, toMajor, toMinor } from '../../money.ts';
import { leastSpend } from '../../pricing.ts';
import { type Naming, otherTermsOrDrop, PLACES, type Stage, stageOf } from '../ways-out.ts';
import { moreFor, planOf, spendableOf } from './allocation.ts';
import type { Fees } from './fees.ts';
import { leastBudget, leastPart, ownBudget } from './least-budgets.ts';
import { type Ordering, pacedBy, placedBy } from './order-lines.ts';
import { nobodyProblems, targetingProblems } from './targeting.ts';

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
  Partial<Pick<CampaignRow, 'daily_cap_minor' | 'pacing' | 'status'>> &
  Ordering;
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
  /** Periods that a seller is ordered from with in place of those of the campaign. */
  readonly ownPeriods?: (agentId: string) => CampaignRow['pacing_periods'];
  /** Where the caller named it, which is where it is corrected. */
  readonly naming?: Naming;
}

/** Every reason why these products cannot be ordered for the campaign, before any seller is asked. */
export function problemsOf(terms: Terms, selections: readonly Selection[], beside: Beside = {}): AppError[] {
  const problems = problemsBeside(terms, selections, beside);
  // A campaign that is yet to be made has its terms in the call.
  if (beside.naming !== 'new batch') return problems;
  return problems.map((problem) => calledOtherwise(problem, (path) => `campaign.create.${path}`));
}

function problemsBeside(
  terms: Terms,
  selections: readonly Selection[],
  { committed = 0, fees = () => undefined, ownPeriods = () => null, naming = 'kept' }: Beside,
): AppError[] {
  const { budgets, allocated, problem } = planOf(terms, selections, committed);
  const stage = stageOf(terms, naming);
  const each = [
    ...nobodyProblems(terms, stage),
    ...selections.flatMap((selection) => [
      ...storefrontProblem(selection, terms, stage),
      ...constraintProblems(fromJson(selection.product), terms, stage),
      ...targetingProblems(selection, terms, stage),
      ...currencyProblem(selection, terms, naming),
    ]),
  ];
  // Sums of one currency say nothing of budgets in another.
  if (each.some(({ code }) => code === 'CURRENCY_MISMATCH')) return each;
  if (problem !== undefined) return [...each, beyondTotal(problem, terms, { selections, fees, naming })];
  const taken = allocated + committed;
  const sellers = selections.map(({ agent_id }) => agent_id);
  const placed = placedBy(terms, { sellers, budgets, ownPeriods, now: terms.start_at });
  return [
    ...each,
    ...selections.flatMap((one, index) =>
      leastProblem(one, pacedBy(placed[index] ?? terms, ownPeriods(one.agent_id)), {
        givenMinor: budgets[index] ?? 0,
        feeBps: fees(one.agent_id) ?? 0,
        taken,
        mostMinor: spendableOf(terms) - committed,
        naming,
      }),
    ),
  ];
}

/** That there is less than they take, with the total that they all fit into: shares of it have to be enough as well. */
function beyondTotal(
  problem: AppError,
  terms: Terms,
  {
    selections,
    fees,
    naming,
  }: Required<Pick<Beside, 'fees' | 'naming'>> & { selections: readonly Selection[] },
): AppError {
  const { suggestion = '', details = {} } = problem;
  const told = problem.telling({ suggestion: moreFor(terms, naming) ?? suggestion });
  if (details['minimumAllowedBudget'] === undefined) return told;
  const sharing = selections.filter(({ budget_minor }) => budget_minor === null);
  const leasts = sharing.map((one) => {
    const leastMinor = leastMinorOf(leastOf(one, terms), terms.currency) ?? 0;
    return leastBudget(terms, { leastMinor, feeBps: fees(one.agent_id) ?? 0 }) ?? 1;
  });
  const given = Number(toMinor(Number(details['committedAllocation']), terms.currency) ?? 0);
  const least = given + sharing.length * Math.max(0, ...leasts);
  return told.with({ minimumAllowedBudget: toMajor(least, terms.currency) });
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
  return first.telling({ message: text, suggestion }).with(details);
}

/** A campaign that names its storefronts buys from no other. */
function storefrontProblem({ product }: Selection, terms: Terms, stage: Stage): AppError[] {
  const { storefront_ids } = terms;
  const { name, salesAgentName, storefrontId } = fromJson(product);
  if (storefront_ids === null || fromJson(storefront_ids).includes(Number(storefrontId))) return [];
  const message = `${name} is sold by ${salesAgentName}, which is none of the storefronts of this campaign.`;
  const suggestion = otherTermsOrDrop(stage, 'storefrontIds');
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

function currencyProblem(selection: Selection, { currency }: Terms, naming: Naming): AppError[] {
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  if (option === undefined || option.currency === currency) return [];
  const message = `${product.name} is sold in ${option.currency}; the campaign pays in ${currency}.`;
  const suggestion = `Run it for an advertiser in ${option.currency}, or ${PLACES[naming].drop('the product')}.`;
  return [currencyMismatch('budget.currency', message, { suggestion })];
}

interface Given {
  readonly givenMinor: number;
  readonly feeBps: number;
  /** What everything that is chosen and ordered takes of the total. */
  readonly taken: number;
  /** What the campaign can give it in all. */
  readonly mostMinor: number;
  readonly naming: Naming;
}

/** What a seller gets of a budget may be less than it sells for, or nothing. */
function leastProblem(
  selection: Selection,
  terms: Terms,
  { givenMinor, feeBps, taken, mostMinor, naming }: Given,
): AppError[] {
  const { currency, budget_minor } = terms;
  const { product_id, budget_minor: own } = selection;
  const product = fromJson(selection.product);
  const partMinor = leastPart(terms, givenMinor, feeBps);
  const budget = toMajor(partMinor, currency);
  const minSpend = leastOf(selection, terms);
  const leastMinor = Math.max(leastMinorOf(minSpend, currency) ?? 0, 1);
  if (partMinor > 0 && budget >= minSpend) return [];
  const sums = {
    requestedTotal: toMajor(budget_minor, currency),
    committedAllocation: toMajor(taken, currency),
    productId: product_id,
    budget,
    currency,
  };
  // Nothing but its own budget gives more to a product that has one.
  const suggestion =
    own === null
      ? moreFor(terms, naming)
      : ownBudget(terms, { name: product.name, leastMinor, feeBps, mostMinor, naming });
  const facts = suggestion === undefined ? {} : { suggestion };
  const of = own === null ? 'budget.total' : 'its budget';
  if (partMinor <= 0) {
    const where = mediaBudgetOf(givenMinor, feeBps) > 0 ? ' in one of pacingPeriods' : '';
    const message = `Nothing of ${of} is left for ${product.name}${where} once its fee is taken.`;
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

/** What its seller sells it for at the least, in units of the currency. */
function leastOf(selection: Selection, { currency }: Pick<Terms, 'currency'>): number {
  const option = optionOf(fromJson(selection.product), selection);
  return option?.currency === currency ? leastSpend(option, bidOf(selection)) : 0;
}

function optionOf(
  { pricingOptions }: ChosenProduct,
  { pricing_option_id }: Selection,
): ChosenProduct['pricingOptions'][number] | undefined {
  return pricingOptions.find(({ pricingOptionId }) => pricingOptionId === pricing_option_id);
}
