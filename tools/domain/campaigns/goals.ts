import { z } from 'zod';
import type { MetricGoal } from '../../../store/campaigns.ts';

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
export interface SellerGoal {
  readonly kind: 'metric';
  readonly metric: string;
  readonly reach_unit?: string;
  readonly view_duration_seconds?: number;
  readonly target?: { readonly kind: 'cost_per' | 'threshold_rate'; readonly value: number };
  readonly priority?: number;
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
