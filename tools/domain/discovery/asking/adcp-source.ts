import { isFields } from '../../../core/schemas/checks.ts';
import { boundedText } from '../../text.ts';

/** What a seller says of a product in AdCP, kept for those who ask in its words (AdCP 3, core/product). Pure. */

/** The members that a caller may choose (contract: GetProductsBody, fields). */
export const projectable = [
  'product_id',
  'name',
  'description',
  'publisher_properties',
  'channels',
  'video_placement_types',
  'audio_distribution_types',
  'sponsored_placement_types',
  'social_placement_surfaces',
  'format_ids',
  'format_options',
  'placements',
  'delivery_type',
  'exclusivity',
  'pricing_options',
  'forecast',
  'outcome_measurement',
  'delivery_measurement',
  'reporting_capabilities',
  'creative_policy',
  'catalog_types',
  'metric_optimization',
  'conversion_tracking',
  'data_provider_signals',
  'included_signals',
  'signal_targeting_allowed',
  'signal_targeting_options',
  'signal_targeting_rules',
  'max_optimization_goals',
  'catalog_match',
  'collections',
  'collection_targeting_allowed',
  'installments',
  'brief_relevance',
  'expires_at',
  'product_card',
  'product_card_detailed',
  'enforced_policies',
  'trusted_match',
] as const;

/** Of every product, whatever is chosen. The texts and ids that are checked elsewhere are not kept twice. */
const others = [
  'measurement_terms',
  'performance_standards',
  'cancellation_policy',
  'allowed_actions',
  'is_custom',
  'property_targeting_allowed',
  'vendor_metric_optimization',
  'measurement_readiness',
  'material_submission',
  'estimated_exposures',
  'countries',
] as const;

const CHECKED: ReadonlySet<string> = new Set(['product_id', 'name', 'description']);
const MEMBERS = [...projectable, ...others].filter((name) => !CHECKED.has(name));

/** What is kept of a product, in characters of JSON; what a buyer cannot do without comes first. */
const SOURCE_MAX = 16_384;
const FIRST: readonly string[] = ['pricing_options', 'publisher_properties', 'reporting_capabilities'];
const ORDER = [...FIRST, ...MEMBERS.filter((name) => !FIRST.includes(name))];

const TEXT_MAX = 2_048;
const LIST_MAX = 50;
const KEYS_MAX = 50;
const KEY = /^[\w.:-]{1,64}$/;
const DEPTH_MAX = 8;

export type AdcpSource = Readonly<Record<string, unknown>>;

/** The known members of a product, each within its bounds: one that takes too much room is left out whole. */
export function sourceOf(raw: Readonly<Record<string, unknown>>): AdcpSource {
  const kept: Record<string, unknown> = {};
  let left = SOURCE_MAX;
  for (const name of ORDER) {
    const value = bounded(raw[name], DEPTH_MAX);
    if (value === undefined) continue;
    const size = JSON.stringify(value).length + name.length;
    if (size > left) continue;
    left -= size;
    kept[name] = value;
  }
  return kept;
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value, TEXT_MAX);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    return value.slice(0, LIST_MAX).flatMap((one) => bounded(one, depth - 1) ?? []);
  }
  return isFields(value) ? boundedFields(value, depth) : undefined;
}

function boundedFields(value: Readonly<Record<string, unknown>>, depth: number) {
  const read = Object.entries(value)
    .filter(([key]) => KEY.test(key) && key !== '__proto__')
    .slice(0, KEYS_MAX)
    .map(([key, one]) => [key, bounded(one, depth - 1)] as const);
  return Object.fromEntries(read.filter(([, one]) => one !== undefined));
}
