import { z } from 'zod';
import { capUnits } from '../../../store/advertisers.ts';
import { type BuyGoal, goalMetrics } from '../../../store/media-buy-goals.ts';
import { besideOtherProblems, isNoMore } from '../../core/schemas/checks.ts';
import { oneOfCampaign } from '../durations.ts';
import { measurementVendor, vendorMetricId } from './vendor-goals.ts';

/** What sellers are asked to optimize for (contract: OptimizationGoal; AdCP, core/optimization-goal). */

/** In which reach is measured (AdCP, enums/reach-unit). */
export const reachUnits = ['individuals', 'households', 'devices', 'accounts', 'cookies', 'custom'] as const;

export const targetKinds = ['cost_per', 'threshold_rate'] as const;

const GOALS_MAX = 10;

const goal = z.strictObject({
  kind: z.enum(['metric']).describe('metric: a figure that sellers measure themselves.'),
  metric: z.enum(goalMetrics).describe('The figure.'),
  viewDurationSeconds: z.number().positive().max(3_600).optional().describe('From when on a view counts.'),
  target: z
    .strictObject({
      kind: z
        .enum(targetKinds)
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
        metric: z.enum(goalMetrics).describe('The figure.'),
        viewDurationSeconds: z.number().optional().describe('From when on a view counts.'),
        target: z
          .object({
            kind: z.enum(targetKinds).describe('Of what kind it is.'),
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

/** A goal as a seller is told it. */
export type SellerGoal = BuyGoal;

const frequencyWindow = z
  .strictObject({
    interval: z.number().int().min(1).max(1e9).describe('How many.'),
    unit: z.enum(capUnits).describe('Of what.'),
  })
  .refine(...oneOfCampaign);

const frequencyBand = z
  .strictObject({
    min: z.number().min(1).max(1e6).optional().describe('So often at the least.'),
    max: z.number().min(1).max(1e6).optional().describe('So often at the most.'),
    window: frequencyWindow.describe('Within which time.'),
  })
  .refine(({ min = 1, max }) => isNoMore(min, max), {
    message: 'Must not be less than min.',
    path: ['max'],
    ...besideOtherProblems,
  });

/** One shape for both kinds: hosts show no alternatives. */
const givenBuyGoal = z.strictObject({
  kind: z
    .enum(['metric', 'vendor_metric'])
    .describe('metric: a figure that sellers measure themselves. vendor_metric: one that a vendor measures.'),
  metric: z.enum(goalMetrics).optional().describe('metric: the figure.'),
  reach_unit: z.enum(reachUnits).optional().describe('reach: what is counted.'),
  target_frequency: frequencyBand.optional().describe('reach: how often each.'),
  view_duration_seconds: goal.shape.viewDurationSeconds,
  vendor: measurementVendor.optional().describe('vendor_metric: who measures it.'),
  metric_id: vendorMetricId.optional().describe('vendor_metric: the figure, as its vendor calls it.'),
  target: goal.shape.target,
  priority: goal.shape.priority,
});

const { metric, reach_unit, target_frequency, view_duration_seconds, target, priority } = givenBuyGoal.shape;

const buyGoal = givenBuyGoal.pipe(
  z.discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('metric'),
        metric: metric.unwrap(),
        ...{ reach_unit, target_frequency, view_duration_seconds, target, priority },
      })
      .refine((one) => one.metric === 'reach' || (one.reach_unit ?? one.target_frequency) === undefined, {
        message: 'Only reach has reach_unit and target_frequency.',
        path: ['metric'],
        ...besideOtherProblems,
      }),
    z.strictObject({
      kind: z.literal('vendor_metric'),
      vendor: measurementVendor,
      metric_id: vendorMetricId,
      ...{ target, priority },
    }),
  ]),
);

/** Goals of one media buy, in the words of AdCP (contract: UpdateMediaBuyRequest). */
export const buyGoals = z.array(buyGoal).max(GOALS_MAX);

/** What of those is documented, and needs event sources. */
export function buyGoalsNotBuilt(path: string): string[] {
  const fields = ['kind=event', 'event_sources', 'attribution_window'];
  return fields.map((field) => `${path}optimization_goals[].${field}`);
}

export const shownBuyGoals = z.array(
  z.looseObject({
    kind: z
      .enum(['metric', 'vendor_metric'])
      .describe('metric: a figure that the seller measures; vendor_metric: one of a vendor.'),
    metric: z.enum(goalMetrics).optional().describe('metric: the figure.'),
    vendor: z.looseObject({}).optional().describe('vendor_metric: who measures it.'),
    metric_id: z.string().optional().describe('vendor_metric: the figure.'),
  }),
);
