import { z } from 'zod';
import { constraints, oneOf } from '../campaigns/constraint-fields.ts';
import { furtherFields } from './overlay-fields.ts';

/** Whom a chosen product is to reach, as callers write it (contract: targetingOverlay; AdCP, core/targeting). */

const units = ['seconds', 'minutes', 'hours', 'days', 'campaign'] as const;
const reachUnits = ['individuals', 'households', 'devices', 'accounts', 'cookies', 'custom'] as const;

const duration = z.strictObject({
  interval: z.number().int().min(1).max(1e6).describe('How many.'),
  unit: oneOf(units).describe('Such as days.'),
});

const frequencyCap = z
  .strictObject({
    max_impressions: z.number().int().min(1).max(1e6).optional().describe('At most so many in a window.'),
    per: oneOf(reachUnits).optional().describe('For each of these, such as devices.'),
    window: duration.optional().describe('The window.'),
    suppress: duration.optional().describe('Pause between two.'),
  })
  .superRefine(({ max_impressions, per, window, suppress: pause }, problems) => {
    const require = (path: string, message: string) =>
      problems.addIssue({ code: 'custom', path: [path], message });
    if (max_impressions === undefined && pause === undefined) {
      require('max_impressions', 'Required: give it with per and window, or give suppress.');
    }
    if (max_impressions === undefined) return;
    if (per === undefined) require('per', 'Required with max_impressions.');
    if (window === undefined) require('window', 'Required with max_impressions.');
  });

export const targetingOverlay = constraints
  .omit({ channels: true })
  .extend({
    ...furtherFields,
    frequency_cap: frequencyCap.optional().describe('How often at the most.'),
  })
  .superRefine((overlay, problems) => {
    for (const { wanted, out } of PAIRS) {
      const left = wordsOf(overlay[out]);
      const both = wordsOf(overlay[wanted]).filter((one) => left.includes(one));
      if (both.length === 0) continue;
      const message = `Given in ${wanted} as well: ${both.slice(0, NAMED_MAX).join(', ')}.`;
      problems.addIssue({ code: 'custom', path: [out], message });
    }
  });

/** What is wanted and what is left out of the same: nobody can be both. */
const PAIRS = [
  { wanted: 'geo_countries', out: 'geo_countries_exclude' },
  { wanted: 'geo_regions', out: 'geo_regions_exclude' },
  { wanted: 'geo_metros', out: 'geo_metros_exclude' },
  { wanted: 'geo_postal_areas', out: 'geo_postal_areas_exclude' },
  { wanted: 'device_type', out: 'device_type_exclude' },
  { wanted: 'keyword_targets', out: 'negative_keywords' },
] as const;

const NAMED_MAX = 10;

type Entry =
  | string
  | { readonly country?: string | undefined; readonly system: string; readonly values: readonly string[] }
  | { readonly keyword: string; readonly match_type: string };

/** The entries of a list in one word each. */
function wordsOf(list: readonly Entry[] = []): string[] {
  return list.flatMap((entry) => {
    if (typeof entry === 'string') return [entry];
    if ('keyword' in entry) return [`${entry.keyword} (${entry.match_type})`];
    const { country = '', system, values } = entry;
    return values.map((code) => [country, system, code].filter((part) => part !== '').join(' '));
  });
}

/** What targeting has that is not built here. */
export const targetingNotBuilt = [
  'audience_include',
  'audience_exclude',
  'signal_targeting_groups',
  'signal_targeting',
  'property_list',
  'collection_list',
  'collection_list_exclude',
  'store_catchments',
  'axe_include_segment',
  'axe_exclude_segment',
  'frequency_cap.suppress_minutes',
] as const;
