import { z } from 'zod';
import { capUnits } from '../../../store/advertisers.ts';
import { eachInItsCountries } from '../campaigns/areas.ts';
import { constraintFields, oneOf } from '../campaigns/constraint-fields.ts';
import { reachUnits } from '../campaigns/goals.ts';
import { eachInOrOut, PAIRS } from '../campaigns/in-and-out.ts';
import { oneOfCampaign } from '../durations.ts';
import { furtherFields } from './overlay-fields.ts';

/** Whom a chosen product is to reach, as callers write it (contract: targetingOverlay; AdCP, core/targeting). */

const duration = z
  .strictObject({
    interval: z.number().int().min(1).max(1e6).describe('How many.'),
    unit: oneOf(capUnits).describe('Such as days.'),
  })
  .refine(...oneOfCampaign);

const frequencyCap = z
  .strictObject({
    max_impressions: z.number().int().min(1).max(1e6).optional().describe('At most so many in a window.'),
    per: oneOf(reachUnits).optional().describe('For each of these, such as devices.'),
    window: duration.optional().describe('The window.'),
    suppress: duration.optional().describe('Pause between two.'),
  })
  .superRefine(({ max_impressions, per, window, suppress: pause }, problems) => {
    const demand = (path: string, message: string) =>
      problems.addIssue({ code: 'custom', path: [path], message });
    if (max_impressions === undefined && pause === undefined) {
      demand('max_impressions', 'Required: give it with per and window, or give suppress.');
    }
    if (max_impressions === undefined) return;
    if (per === undefined) demand('per', 'Required with max_impressions.');
    if (window === undefined) demand('window', 'Required with max_impressions.');
  });

export const targetingOverlay = constraintFields
  .omit({ channels: true })
  .extend({
    ...furtherFields,
    frequency_cap: frequencyCap
      .optional()
      .describe(
        'How often at the most, in place of frequencyCaps; where both count people in one window, the lower.',
      ),
  })
  .check(
    ...eachInOrOut([...PAIRS, { wanted: 'keyword_targets', out: 'negative_keywords' }]),
    ...eachInItsCountries(),
  );

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
