import { z } from 'zod';
import { brief, oneOf } from '../campaigns/constraint-fields.ts';
import { shortText } from '../text.ts';
import { proximity } from './proximity.ts';

/** Fields of targeting that campaigns do not have (AdCP 3.0, core/targeting). */

const methods = ['facial_age_estimation', 'id_document', 'digital_id', 'credit_card', 'world_id'] as const;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const matchTypes = ['broad', 'phrase', 'exact'] as const;

const WINDOWS_MAX = 168;
const KEYWORDS_MAX = 1_000;
const PLACES_MAX = 100;

const window = z
  .strictObject({
    days: z.array(oneOf(days)).min(1).max(7).describe('Such as monday.'),
    start_hour: z.number().int().min(0).max(23).describe('The hour at which it begins.'),
    end_hour: z.number().int().min(1).max(24).describe('The hour at which it ends.'),
    label: shortText(255).optional().describe('What it is called.'),
  })
  .refine(({ start_hour, end_hour }) => end_hour > start_hour, {
    message: 'Must be after start_hour; what goes on after midnight is another window.',
    path: ['end_hour'],
  });

const keyword = z.strictObject({
  keyword: shortText(255).describe('The words.'),
  match_type: oneOf(matchTypes).describe('broad, phrase or exact.'),
});

const bidKeyword = keyword.extend({
  bid_price: z.number().min(0).max(1e9).optional().describe('What is bid for it, in units of the currency.'),
});

/** A keyword is the same one only when it is matched in the same way. */
function keyOf({ keyword: words, match_type }: z.output<typeof keyword>): string {
  return `${match_type} ${words.toLowerCase()}`;
}

function eachOnce<T extends z.output<typeof keyword>>(given: readonly T[]): boolean {
  return new Set(given.map(keyOf)).size === given.length;
}

const ONCE = 'Give each keyword once for each match_type.';

export const furtherFields = {
  age_restriction: z
    .strictObject({
      min: z.number().int().min(13).max(99).describe('Lowest.'),
      verification_required: z.boolean().optional().describe('Whether it is proved.'),
      accepted_methods: z.array(oneOf(methods)).min(1).max(10).optional().describe('How.'),
    })
    .optional()
    .describe('Age.'),
  daypart_targets: z
    .array(window)
    .min(1)
    .max(WINDOWS_MAX)
    .optional()
    .meta({ ...brief, description: 'Hours: days, start_hour, end_hour.' }),
  geo_proximity: z
    .array(proximity)
    .min(1)
    .max(PLACES_MAX)
    .optional()
    .meta({ ...brief, description: 'Around lat and lng: radius or travel_time; or a geometry.' }),
  keyword_targets: z
    .array(bidKeyword)
    .min(1)
    .max(KEYWORDS_MAX)
    .refine(eachOnce, ONCE)
    .optional()
    .meta({ ...brief, description: 'keyword, match_type, bid_price.' }),
  negative_keywords: z
    .array(keyword)
    .min(1)
    .max(KEYWORDS_MAX)
    .refine(eachOnce, ONCE)
    .optional()
    .meta({ ...brief, description: 'Left out.' }),
};
