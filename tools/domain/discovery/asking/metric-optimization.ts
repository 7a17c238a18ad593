import { z } from 'zod';
import { goalMetrics } from '../../../../store/media-buy-goals.ts';
import { reachUnits, targetKinds } from '../../campaigns/goals.ts';

/** What a product says it can be optimized for, of the figures that AdCP knows (AdCP, metric_optimization). */

const LENGTHS_MAX = 20;

const seconds = z.number().positive();
const few = z.array(z.unknown()).default([]).catch([]);

export const metricOptimization = z
  .looseObject({
    supported_metrics: z.array(z.string()).default([]),
    supported_reach_units: z.array(z.string()).default([]),
    supported_targets: few,
    supported_view_durations: few,
  })
  .optional()
  .catch(undefined);

/** How many goals a package of a product takes (AdCP, max_optimization_goals). */
export const goalsAtMost = z.number().int().min(1).optional().catch(undefined);

/** Without a word of targets it takes none, which is kept as an empty list: products of before have no list. */
export function optimizationOf(told: z.output<typeof metricOptimization>) {
  const metrics = goalMetrics.filter((metric) => told?.supported_metrics.includes(metric));
  const units = reachUnits.filter((unit) => told?.supported_reach_units.includes(unit));
  const targets = targetKinds.filter((kind) => told?.supported_targets.includes(kind));
  const lengths = told?.supported_view_durations.flatMap((one) => seconds.safeParse(one).data ?? []) ?? [];
  return {
    ...(metrics.length === 0 ? {} : { optimizationMetrics: metrics, optimizationTargets: targets }),
    ...(units.length === 0 ? {} : { reachUnits: units }),
    ...(lengths.length === 0 ? {} : { viewDurations: lengths.slice(0, LENGTHS_MAX) }),
  };
}
