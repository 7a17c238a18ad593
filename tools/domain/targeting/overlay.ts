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

const { device_platform } = constraints.shape;

export const targetingOverlay = constraints
  .omit({ channels: true, geo_metros_exclude: true, geo_postal_areas_exclude: true })
  .extend({
    ...furtherFields,
    // Checked as in campaigns; its words are not in every list of tools.
    device_platform: z.array(z.string()).pipe(device_platform.unwrap()).optional().describe('Such as ios.'),
    frequency_cap: frequencyCap.optional().describe('How often at the most.'),
  })
  .superRefine((overlay, problems) => {
    for (const field of ['geo_countries', 'geo_regions', 'device_type'] as const) {
      const out: readonly string[] = overlay[`${field}_exclude`] ?? [];
      const both = (overlay[field] ?? []).filter((one) => out.includes(one));
      if (both.length === 0) continue;
      const message = `Given in ${field} as well: ${both.join(', ')}.`;
      problems.addIssue({ code: 'custom', path: [`${field}_exclude`], message });
    }
  });

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
  'geo_metros_exclude',
  'geo_postal_areas_exclude',
  'geo_proximity',
  'daypart_targets',
  'keyword_targets',
  'negative_keywords',
  'axe_include_segment',
  'axe_exclude_segment',
  'frequency_cap.suppress_minutes',
] as const;
