import type { CampaignStatus } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { goalsBeyond } from '../../campaigns/declared-goals.ts';
import { readMoney } from '../../money.ts';
import { boundOf, planOf } from './allocation.ts';
import { problemsOf, type Selection, type Terms } from './choice-problems.ts';
import type { Fees } from './fees.ts';

/** What does not stand between a campaign and its products, and is worth knowing. Pure: rows in, words out. */

export const remarkTypes = [
  'goal_left_out',
  'even_pace',
  'unallocated_budget',
  'ended_at_seller',
  'not_ordered',
  'runs_on',
  'more_warnings',
] as const;

/** A remark in words, with what a program goes by. */
export interface Remark {
  readonly type: (typeof remarkTypes)[number];
  readonly text: string;
  /** The media buys that it is about. */
  readonly mediaBuyIds?: string[];
}

/** What orders left of their campaign once they went out. */
export interface Left {
  readonly status: CampaignStatus;
  /** The budgets of those that no seller took. */
  readonly failedMinor: number;
}

/**
 * What is worth knowing of orders once they went out, by where that left their campaign: where every seller refused it
 * is a draft again, for which more is chosen.
 */
export function remarksOf(
  terms: Terms,
  selections: readonly Selection[],
  { status, failedMinor, committed = 0 }: Left & { readonly committed?: number },
): Remark[] {
  const onward = status === 'DRAFT' ? WHILE_CHOSEN : ONCE_ORDERED;
  // For a draft they are chosen still.
  const failed = status === 'DRAFT' ? 0 : failedMinor;
  return remarksLeading(onward, { terms, selections, committed, failed });
}

/** What is to be done with a budget that is given to no product. */
const WHILE_CHOSEN = 'raise the budgets of the products, or choose more of them';
/** Nothing more is chosen for a campaign that was executed. */
const ONCE_ORDERED =
  'raise budgets of its packages with media_buy_update, lower budget.total with campaign_update, or buy more in another campaign';

/** What of a budget no product can be given, whatever is chosen. */
const NEVER_SPENT = {
  'budget.dailyCap':
    'budget.dailyCap keeps them from being spent; raise it, give more days or lower budget.total with campaign_update',
  pacingPeriods:
    'pacingPeriods have no more together; lower budget.total with campaign_update where it is not wanted',
} as const;

interface Planned {
  readonly terms: Terms;
  readonly selections: readonly Selection[];
  /** What orders that went out before take. */
  readonly committed: number;
  /** What was given to products whose orders came to nothing. */
  readonly failed?: number;
}

function remarksLeading(onward: string, { terms, selections, committed, failed = 0 }: Planned): Remark[] {
  if (selections.length === 0) return [];
  const { field, spendable } = boundOf(terms);
  const unchosen = spendable - committed - planOf(terms, selections, committed).allocated;
  const beyond = terms.budget_minor - spendable;
  return [
    ...goalRemarks(terms, selections),
    ...paceRemarks(terms, selections),
    ...(unchosen + failed > 0 ? [unallocated(terms, unchosen + failed, { onward, failed })] : []),
    ...(beyond > 0 && field !== 'budget.total'
      ? [unallocated(terms, beyond, { onward: NEVER_SPENT[field] })]
      : []),
  ];
}

export function textsOf(remarks: readonly Remark[]): string[] {
  return remarks.map(({ text }) => text);
}

/**
 * The same behind everything that stands against the orders, in words for whoever can still correct it: all of it, to
 * be cut where it is told.
 */
export function warningsOf(terms: Terms, selections: readonly Selection[], fees: Fees): string[] {
  if (selections.length === 0) return [];
  const problems = problemsOf(terms, selections, { fees });
  const isShort = problems.some(({ code }) => code === 'INSUFFICIENT_MEDIA_BUDGET');
  const remarks = remarksLeading(WHILE_CHOSEN, { terms, selections, committed: 0 }).filter(
    ({ type }) => !(isShort && type === 'unallocated_budget'),
  );
  return [...problems.map(({ message }) => message), ...textsOf(remarks)];
}

/** Warnings that are told at once: who has put them right is told of the others. */
export const WARNINGS_MAX = 20;

/** As many as are told at once, the last of which says how many there are beside. */
function few<One>(all: readonly One[], asLast: (text: string) => One): One[] {
  if (all.length <= WARNINGS_MAX) return [...all];
  const told = all.slice(0, WARNINGS_MAX - 1);
  return [...told, asLast(`There are ${all.length - told.length} more warnings.`)];
}

/**
 * As many warnings as are told at once behind those that are told whatever else there is: why something that was asked
 * for was not done. To be called once, where an answer is made: who cuts what was cut counts wrong. Pure.
 */
export function fewWarnings(all: readonly string[], always: readonly string[] = []): string[] {
  return [...always, ...few(all, (text) => text)];
}

/** The same as a field of an answer; none where nothing is to be told. Pure. */
export function warningsTold(
  all: readonly string[],
  always: readonly string[] = [],
): { warnings?: string[] } {
  const warnings = fewWarnings(all, always);
  return warnings.length === 0 ? {} : { warnings };
}

/** A remark as an execute tells it (contract: ExecuteWarning). */
type Told = Omit<Remark, 'text'> & { readonly hint: string };

/** The same of remarks, each with what a program goes by. Pure. */
export function remarksTold(all: readonly Remark[]): { warnings?: Told[] } {
  const remarks = few(all, (text): Remark => ({ type: 'more_warnings', text }));
  if (remarks.length === 0) return {};
  return { warnings: remarks.map(({ text: hint, ...about }) => ({ ...about, hint })) };
}

/** A product that cannot be optimized for a goal is bought without it. */
function goalRemarks({ optimization_goals: goals }: Terms, selections: readonly Selection[]): Remark[] {
  if (goals === null) return [];
  return selections.flatMap(({ product }): Remark[] => {
    const beyond = goalsBeyond(fromJson(goals), fromJson(product));
    if (beyond.length === 0) return [];
    const { name, salesAgentName } = fromJson(product);
    const text = `${salesAgentName} does not optimize ${name} for ${beyond.join(', ')}: it is bought without that goal.`;
    return [{ type: 'goal_left_out', text }];
  });
}

/** Sellers are told no daily cap: it is kept by what is ordered, and by an even pace. */
function paceRemarks(
  { daily_cap_minor: cap = null, pacing = null, currency }: Terms,
  selections: readonly Selection[],
): Remark[] {
  const isOther = (pace: string | null) => pace !== null && pace.toLowerCase() !== 'even';
  if (cap === null || !(isOther(pacing) || selections.some((one) => isOther(one.pacing ?? null)))) return [];
  const text = `Everything is ordered at an even pace, which keeps a day to ${readMoney(cap, currency)} (budget.dailyCap).`;
  return [{ type: 'even_pace', text }];
}

interface Onward {
  readonly onward: string;
  readonly failed?: number;
}

function unallocated(
  { budget_minor, currency }: Terms,
  rest: number,
  { onward, failed = 0 }: Onward,
): Remark {
  const [left, total] = [rest, budget_minor].map((minor) => readMoney(minor, currency));
  const ofWhom = failed > 0 ? ' that a seller took' : '';
  const text = `${left} of ${total} are given to no product${ofWhom}: ${onward}.`;
  return { type: 'unallocated_budget', text };
}
