import { z } from 'zod';
import { isFields } from '../../core/schemas/checks.ts';
import { targetKinds } from '../campaigns/goals.ts';
import { isSame } from '../campaigns/vendor-goals.ts';
import { domainName, sellerId } from '../text.ts';

/** What a product can be optimized for of what others measure (AdCP, core/vendor-metric-optimization). */

const METRICS_MAX = 20;
/** Entries that are looked at: those that cannot be read leave room for others, and no seller is read for ever. */
const LOOKED_AT = 100;

export const vendorMetrics = z
  .array(
    z.object({
      vendor: z
        .object({
          domain: z.string().describe('Its domain.'),
          brand_id: z.string().optional().describe('Which of its brands.'),
        })
        .describe('Who measures it.'),
      metric_id: z.string().describe('The figure, as its vendor calls it.'),
      supported_targets: z
        .array(z.enum(targetKinds))
        .optional()
        .describe('Kinds of targets it takes; absent: none.'),
    }),
  )
  .optional()
  .describe('Figures of measurement vendors it can be optimized for, as optimization_goals name them.');

type Read = NonNullable<z.output<typeof vendorMetrics>>[number];

/** Those that can be read, each once; undefined where there are none. */
export function vendorMetricsOf(given: unknown): z.output<typeof vendorMetrics> {
  const told = isFields(given) ? given['supported_metrics'] : undefined;
  const read: Read[] = [];
  for (const entry of Array.isArray(told) ? told.slice(0, LOOKED_AT) : []) {
    const one = metricOf(entry);
    if (one !== undefined && !read.some((before) => isSame(before, one))) read.push(one);
    if (read.length === METRICS_MAX) break;
  }
  return read.length === 0 ? undefined : read;
}

/** An id that cannot be used leaves nothing of its entry: without it, it would be another figure. */
function metricOf(entry: unknown): Read | undefined {
  if (!isFields(entry) || !isFields(entry['vendor'])) return undefined;
  const { domain, brand_id: given } = entry['vendor'];
  const { data: known } = domainName.safeParse(domain);
  const [metric_id, brand_id] = [sellerId(entry['metric_id']), sellerId(given)];
  if (known === undefined || metric_id === undefined) return undefined;
  if (given !== undefined && brand_id === undefined) return undefined;
  const told = entry['supported_targets'];
  const targets = targetKinds.filter((kind) => Array.isArray(told) && told.includes(kind));
  return {
    vendor: { domain: known, ...(brand_id === undefined ? {} : { brand_id }) },
    metric_id,
    ...(targets.length === 0 ? {} : { supported_targets: targets }),
  };
}
