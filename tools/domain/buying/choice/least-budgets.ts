import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { capitalised } from '../../../core/schemas/sentences.ts';
import { grossBudgetOf, mediaBudgetOf } from '../../ledger/pricing.ts';
import { readMoney } from '../../money.ts';
import { type Naming, PLACES, stageOf } from '../ways-out.ts';
import { boundOf, wayOn } from './allocation.ts';
import { linesOf, type Ordering } from './order-lines.ts';

/** The least that a product is to be given, so that its seller gets what it sells for. Pure. */

type Flight = Pick<CampaignRow, 'pacing_periods' | 'start_at' | 'end_at' | 'currency'> & Ordering;
type Terms = Flight &
  Pick<CampaignRow, 'budget_minor'> &
  Partial<Pick<CampaignRow, 'daily_cap_minor' | 'status'>>;

/**
 * What its seller gets of the smallest order line of a product: one for each period, where there are periods. The fee
 * is taken of each, as the order has it.
 */
export function leastPart(terms: Flight, budgetMinor: number, feeBps: number): number {
  const lines = linesOf(terms, budgetMinor, terms.start_at);
  return Math.min(...lines.map((line) => mediaBudgetOf(line.budgetMinor, feeBps)));
}

interface Least {
  /** What its seller sells for at the least, in minor units. */
  readonly leastMinor: number;
  readonly feeBps: number;
}

/** Beyond this nothing is a budget. */
const BUDGET_MAX = 1e15;

/** The least budget of which every order line is enough; undefined where none up to `most` is. */
export function leastBudget(
  terms: Flight,
  { leastMinor, feeBps }: Least,
  most = BUDGET_MAX,
): number | undefined {
  // No package is ordered for nothing.
  const partMinor = Math.max(leastMinor, 1);
  const least = grossBudgetOf(partMinor, feeBps);
  if (terms.pacing_periods === null) return least <= most ? least : undefined;
  const isEnough = (budget: number) => leastPart(terms, budget, feeBps) >= partMinor;
  if (least > most || !isEnough(most)) return undefined;
  let [tooLittle, enough] = [least - 1, most];
  while (enough - tooLittle > 1) {
    const middle = Math.floor((tooLittle + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooLittle = middle;
  }
  return enough;
}

interface Own extends Least {
  readonly name: string;
  /** What the campaign can give it in all. */
  readonly mostMinor: number;
  readonly naming: Naming;
}

/**
 * What to do where the own budget of a product is too little: more of it, and of what the campaign has where that
 * lacks.
 */
export function ownBudget(terms: Terms, { name, mostMinor, naming, ...least }: Own): string {
  const { currency, pacing_periods: pacing } = terms;
  const { budgets, drop } = PLACES[naming];
  const enough = leastBudget(terms, least, mostMinor);
  if (enough !== undefined) {
    return `Give ${name} at least ${readMoney(enough, currency)} ${budgets}, or ${drop('it')}.`;
  }
  const each = readMoney(grossBudgetOf(Math.max(least.leastMinor, 1), least.feeBps), currency);
  const way = moreOfCampaign(terms, naming, each);
  if (way === undefined) return capitalised(`${drop('it')}.`);
  const own = pacing === null ? `at least ${each}` : `enough for ${each} in each period`;
  return capitalised(`${way}, and give ${name} ${own} ${budgets}, or ${drop('it')}.`);
}

/** How a campaign comes to have so much for one product, in each period where there are periods. */
function moreOfCampaign(terms: Terms, naming: Naming, each: string): string | undefined {
  const { terms: where } = PLACES[naming];
  const [bound, stage] = [boundOf(terms), stageOf(terms)];
  if (bound.field === 'budget.dailyCap') return wayOn(bound, stage, naming);
  const isByBudget = terms.pacing_periods !== null && fromJson(terms.pacing_periods).mode === 'budget';
  if (!isByBudget) return `raise budget.total ${where}`;
  // Periods that orders were made with stay as they are.
  return stage === 'running' ? undefined : `give each of pacingPeriods at least ${each} ${where}`;
}
