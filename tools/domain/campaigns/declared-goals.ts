import type { MetricGoal } from '../../../store/campaigns.ts';
import type { VendorMetric } from '../../../store/discovery-selections.ts';
import type { BuyGoal, MeasuredGoal } from '../../../store/media-buy-goals.ts';
import { counted } from '../counted.ts';
import type { SellerGoal } from './goals.ts';
import { type GoalProblem, targetReason, vendorGoalProblem } from './vendor-goals.ts';

/** Goals held against what products declare that they are optimized for (AdCP, metric_optimization). Pure. */

/** What of a product says what it can be optimized for. */
export interface Optimizable {
  readonly optimizationMetrics?: readonly string[] | undefined;
  readonly reachUnits?: readonly string[] | undefined;
  /** Kinds of targets of these figures; absent in what was found before products told it. */
  readonly optimizationTargets?: readonly string[] | undefined;
  readonly viewDurations?: readonly number[] | undefined;
  readonly maxOptimizationGoals?: number | undefined;
  readonly optimizationVendorMetrics?: readonly VendorMetric[] | undefined;
}

/** Where each goal of a buy is not what a product says it takes, in their order; undefined where it is. */
export function buyGoalProblems(
  goals: readonly BuyGoal[],
  product: Optimizable,
): readonly (GoalProblem | undefined)[] {
  const problems = goals.map((goal) => buyGoalProblem(goal, product));
  const taken = firstTaken(
    goals.filter((_, index) => problems[index] === undefined),
    product,
  );
  return goals.map((goal, index) => problems[index] ?? (taken.has(goal) ? undefined : tooMany(product)));
}

function tooMany({ maxOptimizationGoals: most = 0 }: Optimizable): GoalProblem {
  return { reason: `takes ${counted(most, 'goal')} of a package at the most, and others come before this.` };
}

/**
 * The goals that a product takes of those that it can be optimized for. Where these are more than it takes, a seller
 * would use the first by their priority, which is their place where they have none.
 */
function firstTaken<G extends Pick<BuyGoal, 'priority'>>(
  goals: readonly G[],
  { maxOptimizationGoals: most = goals.length }: Optimizable,
): ReadonlySet<G> {
  const ranked = goals.map((goal, index) => ({ goal, rank: goal.priority ?? index + 1 }));
  return new Set(
    ranked
      .sort((one, other) => one.rank - other.rank)
      .slice(0, most)
      .map(({ goal }) => goal),
  );
}

/** Where a goal of a buy is not what a product says it can be optimized for. */
function buyGoalProblem(goal: BuyGoal, product: Optimizable): GoalProblem | undefined {
  if (goal.kind === 'vendor_metric') return vendorGoalProblem(goal, product);
  const { metric, reach_unit: unit } = goal;
  const problem = figureProblem({ ...goal, viewDurationSeconds: goal.view_duration_seconds }, product);
  if (problem !== undefined) return problem;
  const { reachUnits: units = [] } = product;
  if (metric === 'reach' && unit === undefined && units.length === 0) {
    return { field: 'reach_unit', reason: 'declares no unit that reach is counted in: name one.' };
  }
  if (unit === undefined || units.length === 0 || units.includes(unit)) return undefined;
  return { field: 'reach_unit', reason: `declares reach in ${units.join(' or ')}, and not in ${unit}.` };
}

/** Where a figure, its target or its length is not what a product declares (AdCP, metric_optimization). */
function figureProblem(
  {
    metric,
    target,
    viewDurationSeconds: seconds,
  }: Pick<MetricGoal, 'metric' | 'target' | 'viewDurationSeconds'>,
  { optimizationMetrics: offered = [], optimizationTargets: kinds, viewDurations: lengths = [] }: Optimizable,
): GoalProblem | undefined {
  if (!offered.includes(metric)) return { reason: `does not declare ${metric} as what it is optimized for.` };
  if (target !== undefined && kinds?.includes(target.kind) === false) {
    return { field: 'target', reason: targetReason(metric, kinds, target.kind) };
  }
  // Where no targets are told, it was found before its lengths were read.
  const isUntold = lengths.length === 0 && kinds === undefined;
  if (metric !== 'completed_views' || seconds === undefined || isUntold) return undefined;
  return lengths.includes(seconds)
    ? undefined
    : { field: 'view_duration_seconds', reason: lengthReason(lengths, seconds) };
}

/** Without a length that is declared, views count from one of the seller's own on: it refuses every other. */
function lengthReason(lengths: readonly number[], seconds: number): string {
  return lengths.length === 0
    ? `declares completed_views of its own length, and not of ${seconds} seconds.`
    : `declares completed_views of ${lengths.join(' or ')} seconds, and not of ${seconds}.`;
}

/** The goals of a buy that a product says it can be optimized for. */
export function buyGoalsFor(goals: readonly BuyGoal[], product: Optimizable): SellerGoal[] {
  const [unit] = product.reachUnits ?? [];
  const problems = buyGoalProblems(goals, product);
  return goals.flatMap((one, index): SellerGoal[] => {
    if (problems[index] !== undefined) return [];
    if (one.kind === 'vendor_metric') return [one];
    const isCounted = one.metric !== 'reach' || one.reach_unit !== undefined || unit === undefined;
    return [isCounted ? one : { ...one, reach_unit: unit }];
  });
}

/** The goals that a product says it takes; a seller refuses orders with others. */
export function goalsFor(goals: readonly MetricGoal[], product: Optimizable): MeasuredGoal[] {
  const [unit] = product.reachUnits ?? [];
  const taken = goalsTaken(goals, product);
  return goals.filter((goal) => taken.has(goal)).map((goal) => asSellersKnow(goal, unit));
}

function goalsTaken(goals: readonly MetricGoal[], product: Optimizable): ReadonlySet<MetricGoal> {
  return firstTaken(
    goals.filter((goal) => isOffered(goal, product)),
    product,
  );
}

function isOffered(goal: MetricGoal, product: Optimizable): boolean {
  const isCounted = goal.metric !== 'reach' || product.reachUnits?.[0] !== undefined;
  return isCounted && figureProblem(goal, product) === undefined;
}

function asSellersKnow(goal: MetricGoal, unit: string | undefined): MeasuredGoal {
  const { metric, viewDurationSeconds, target, priority } = goal;
  return {
    kind: 'metric',
    metric,
    ...(metric === 'reach' && unit !== undefined ? { reach_unit: unit } : {}),
    ...(viewDurationSeconds === undefined ? {} : { view_duration_seconds: viewDurationSeconds }),
    ...(target === undefined ? {} : { target }),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** What is wanted of a product that it does not take: a figure, one with what it is given, or one too many. */
export function goalsBeyond(goals: readonly MetricGoal[], product: Optimizable): string[] {
  const taken = goalsTaken(goals, product);
  const beyond = goals.filter((goal) => !taken.has(goal));
  return [...new Set(beyond.map((goal) => `${goal.metric}${detailOf(goal, product)}`))];
}

function detailOf(goal: MetricGoal, product: Optimizable): string {
  if (isOffered(goal, product)) return ' beside what comes before it';
  const { field } = figureProblem(goal, product) ?? {};
  if (field === 'target') return ` with ${goal.target?.kind}`;
  return field === 'view_duration_seconds' ? ` of ${goal.viewDurationSeconds} seconds` : '';
}
