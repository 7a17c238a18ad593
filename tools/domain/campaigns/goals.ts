import { z } from 'zod';
import { capUnits } from '../../../store/advertisers.ts';
import type { MetricGoal } from '../../../store/campaigns.ts';
import type { BuyGoal } from '../../../store/media-buys.ts';
import { besideOtherProblems } from '../../core/checks.ts';

/** What sellers are asked to optimize for (contract: OptimizationGoal; AdCP, core/optimization-goal). */

export const goalMetrics = [
  'clicks',
  'views',
  'completed_views',
  'viewed_seconds',
  'attention_seconds',
  'attention_score',
  'engagements',
  'follows',
  'saves',
  'profile_visits',
  'reach',
] as const;

/** In which reach is measured (AdCP, enums/reach-unit). */
export const reachUnits = ['individuals', 'households', 'devices', 'accounts', 'cookies', 'custom'] as const;

const GOALS_MAX = 10;

const goal = z.strictObject({
  kind: z.enum(['metric']).describe('metric: a figure that sellers measure themselves.'),
  metric: z.enum(goalMetrics).describe('The figure.'),
  viewDurationSeconds: z.number().positive().max(3_600).optional().describe('From when on a view counts.'),
  target: z
    .strictObject({
      kind: z
        .enum(['cost_per', 'threshold_rate'])
        .describe('cost_per: at most this a unit. threshold_rate: at least this rate.'),
      value: z.number().positive().max(1e9).describe('The figure to reach.'),
    })
    .optional()
    .describe('What to reach; as much as possible without it.'),
  priority: z.number().int().min(1).max(GOALS_MAX).optional().describe('1 comes first.'),
});

export const performanceConfig = z.strictObject({
  optimizationGoals: z.array(goal).min(1).max(GOALS_MAX).describe('Goals, the most important first.'),
});

export const shownPerformanceConfig = z.object({
  optimizationGoals: z
    .array(
      z.object({
        kind: z.literal('metric').describe('A figure that sellers measure themselves.'),
        metric: z.string().describe('The figure.'),
        viewDurationSeconds: z.number().optional().describe('From when on a view counts.'),
        target: z
          .object({
            kind: z.enum(['cost_per', 'threshold_rate']).describe('Of what kind it is.'),
            value: z.number().describe('The figure to reach.'),
          })
          .optional()
          .describe('What to reach.'),
        priority: z.number().int().optional().describe('1 comes first.'),
      }),
    )
    .describe('The goals.'),
});

/** What of the goals is documented and needs event sources, which do not exist yet. */
export const goalsNotBuilt = [
  'performanceConfig.optimizationGoals[].kind=event',
  'performanceConfig.optimizationGoals[].eventSources',
  'performanceConfig.optimizationGoals[].attributionWindow',
];

/** What of a product says what it can be optimized for. */
export interface Optimizable {
  readonly optimizationMetrics?: readonly string[] | undefined;
  readonly reachUnits?: readonly string[] | undefined;
}

/** A goal as a seller is told it. */
export type SellerGoal = BuyGoal;

const frequencyWindow = z.strictObject({
  interval: z.number().min(1).max(1e9).describe('How many.'),
  unit: z.enum(capUnits).describe('Of what.'),
});

const frequencyBand = z
  .strictObject({
    min: z.number().min(1).max(1e6).optional().describe('So often at the least.'),
    max: z.number().min(1).max(1e6).optional().describe('So often at the most.'),
    window: frequencyWindow.describe('Within which time.'),
  })
  .refine(({ min = 1, max = Number.MAX_SAFE_INTEGER }) => min <= max, {
    message: 'Must not be less than min.',
    path: ['max'],
    ...besideOtherProblems,
  });

const buyGoal = z
  .strictObject({
    kind: z.enum(['metric']).describe('metric: a figure that sellers measure themselves.'),
    metric: z.enum(goalMetrics).describe('The figure.'),
    reach_unit: z.enum(reachUnits).optional().describe('reach: what is counted.'),
    target_frequency: frequencyBand.optional().describe('reach: how often each.'),
    view_duration_seconds: goal.shape.viewDurationSeconds,
    target: goal.shape.target,
    priority: goal.shape.priority,
  })
  .refine((one) => one.metric === 'reach' || (one.reach_unit ?? one.target_frequency) === undefined, {
    message: 'Only reach has reach_unit and target_frequency.',
    path: ['metric'],
    ...besideOtherProblems,
  });

/** Goals of one media buy, in the words of AdCP (contract: UpdateMediaBuyRequest). */
export const buyGoals = z.array(buyGoal).max(GOALS_MAX);

/** What of those is documented, and needs event sources and measurement vendors. */
export function buyGoalsNotBuilt(path: string): string[] {
  const fields = ['kind=event', 'kind=vendor_metric', 'event_sources', 'attribution_window'];
  return [...fields, 'vendor', 'metric_id'].map((field) => `${path}optimization_goals[].${field}`);
}

export const shownBuyGoals = z.array(
  z.looseObject({
    kind: z.string().describe('metric: a figure that the seller measures.'),
    metric: z.string().describe('The figure.'),
  }),
);

/** The goals of a buy that a product says it can be optimized for. */
export function buyGoalsFor(goals: readonly BuyGoal[], product: Optimizable): SellerGoal[] {
  const [unit] = product.reachUnits ?? [];
  const offered = new Set(product.optimizationMetrics);
  return goals
    .filter(({ metric }) => offered.has(metric))
    .map((one) =>
      one.metric !== 'reach' || one.reach_unit !== undefined || unit === undefined
        ? one
        : { ...one, reach_unit: unit },
    );
}

/** The goals that a product says it can be optimized for; a seller refuses orders with others. */
export function goalsFor(goals: readonly MetricGoal[], product: Optimizable): SellerGoal[] {
  const [unit] = product.reachUnits ?? [];
  const offered = new Set(product.optimizationMetrics);
  if (unit === undefined) offered.delete('reach');
  return goals.filter(({ metric }) => offered.has(metric)).map((goal) => asSellersKnow(goal, unit));
}

function asSellersKnow(goal: MetricGoal, unit: string | undefined): SellerGoal {
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

/** The figures that are wanted of a product and that it does not offer to be optimized for. */
export function goalsBeyond(goals: readonly MetricGoal[], product: Optimizable): string[] {
  const taken = goalsFor(goals, product).map(({ metric }) => metric);
  return [...new Set(goals.flatMap(({ metric }) => (taken.includes(metric) ? [] : [metric])))];
}
