import { z } from 'zod';
import { oneOf } from '../campaigns/constraint-fields.ts';
import { shortText } from '../text.ts';

/**
 * Fields of targeting that few choices need (AdCP 3.0, core/targeting). Lists of tools name them without their
 * parts: a model that uses one is told by the refusal what is wrong with it.
 */

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const matchTypes = ['broad', 'phrase', 'exact'] as const;
const modes = ['walking', 'cycling', 'driving', 'public_transport'] as const;
const methods = ['facial_age_estimation', 'id_document', 'digital_id', 'credit_card', 'world_id'] as const;

const LIST_MAX = 250;
const POSITIONS_MAX = 2_000;

/** Checked as this schema has it, and shown as anything. */
export function unfolded<T extends z.ZodType>(schema: T) {
  return z.unknown().pipe(schema);
}

const daypart = z
  .strictObject({
    days: z.array(oneOf(days)).min(1).max(7),
    start_hour: z.number().int().min(0).max(23),
    end_hour: z.number().int().min(1).max(24),
    label: shortText(64).optional(),
  })
  .refine(({ start_hour, end_hour }) => end_hour > start_hour, {
    message: 'It has to be later than start_hour.',
    path: ['end_hour'],
  });

const keyword = z.strictObject({ keyword: shortText(255), match_type: oneOf(matchTypes) });

function distinct<T extends z.ZodType<{ keyword: string; match_type: string }>>(entry: T) {
  return z
    .array(entry)
    .max(LIST_MAX)
    .refine(
      (list) => new Set(list.map((one) => `${one.match_type} ${one.keyword}`)).size === list.length,
      'Name each keyword once for a match_type.',
    );
}

const point = { lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) };
const label = shortText(64).optional();

/** The positions of a boundary, however deep they stand. */
const coordinates = z
  .array(z.unknown())
  .min(1)
  .refine(
    (given) => isBoundary(given, 0) && JSON.stringify(given).split(',').length <= POSITIONS_MAX,
    `Give lists of positions of GeoJSON, ${POSITIONS_MAX} numbers at the most.`,
  );

function isBoundary(given: unknown, depth: number): boolean {
  if (!Array.isArray(given) || given.length === 0 || depth > 4) return false;
  if (given.every((one) => typeof one === 'number')) return given.length >= 2 && depth >= 2;
  return given.every((one) => isBoundary(one, depth + 1));
}

const proximity = z.union(
  [
    z.strictObject({
      ...point,
      label,
      radius: z.strictObject({ value: z.number().positive().max(1e5), unit: oneOf(['km', 'mi', 'm']) }),
    }),
    z.strictObject({
      ...point,
      label,
      travel_time: z.strictObject({ value: z.number().min(1).max(1e4), unit: oneOf(['min', 'hr']) }),
      transport_mode: oneOf(modes),
    }),
    z.strictObject({
      label,
      geometry: z.strictObject({ type: oneOf(['Polygon', 'MultiPolygon']), coordinates }),
    }),
  ],
  'Give lat and lng with a radius, or with travel_time and transport_mode; or a geometry alone.',
);

export const furtherFields = {
  daypart_targets: unfolded(z.array(daypart).max(50)).optional().describe('Days and hours (AdCP).'),
  keyword_targets: unfolded(distinct(keyword.extend({ bid_price: z.number().min(0).max(1e6).optional() })))
    .optional()
    .describe('Keywords with match_type.'),
  negative_keywords: unfolded(distinct(keyword)).optional().describe('Left out.'),
  geo_proximity: unfolded(z.array(proximity).max(50)).optional().describe('Around points (AdCP).'),
  age_restriction: unfolded(
    z.strictObject({
      min: z.number().int().min(13).max(99),
      verification_required: z.boolean().optional(),
      accepted_methods: z.array(oneOf(methods)).min(1).max(10).optional(),
    }),
  )
    .optional()
    .describe('Lowest age as min.'),
};
