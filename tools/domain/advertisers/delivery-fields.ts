import { z } from 'zod';
import { capUnits } from '../../../store/advertisers.ts';
import { BRIEF_MARK } from '../../core/schemas/json-schema.ts';
import { oneOfCampaign } from '../durations.ts';
import { shortText } from '../text.ts';
import { timestamp } from '../time.ts';

/** How landing pages are tagged, and how often one person sees the ads: of an advertiser, and of its campaigns. */

/** In lists of tools their names say enough. */
const brief = { [BRIEF_MARK]: true };

export const utmParameter = z.strictObject({
  paramKey: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,100}$/, 'Give 1 to 100 letters, digits, _ or -.')
    .describe('Name of the parameter, such as utm_source.'),
  paramValue: shortText(200).describe('Its value, 1 to 200 characters.'),
});

export const UTM_MAX = 20;

export const utmParameters = z
  .array(utmParameter)
  .max(UTM_MAX)
  .refine(
    (given) => new Set(given.map(({ paramKey }) => paramKey)).size === given.length,
    'Give each paramKey once.',
  )
  .meta(brief);

const capWindow = z
  .strictObject({
    interval: z.int().min(1).max(1_000_000_000).describe('How many units it lasts.'),
    unit: z.enum(capUnits).describe('What it is counted in; campaign is the whole flight.'),
  })
  .refine(...oneOfCampaign);

const frequencyCap = z.strictObject({
  max_impressions: z.int().min(1).max(1_000_000_000).describe('So often at the most.'),
  window: capWindow.describe('Within which time.'),
});

/** An earlier version took parts of units, and several flights. */
const shownWindow = z.strictObject({
  ...capWindow.shape,
  interval: z.number().min(1).max(1_000_000_000).describe('How many units it lasts.'),
});

/** Sellers take one cap with what is ordered: a second one would be kept by nobody. */
export const frequencyCaps = z.array(frequencyCap).max(1).meta(brief);

/** The contract has a list of them. */
export const capsNotBuilt = ['frequencyCaps[1]'] as const;

export const shownFrequencyCaps = z.array(
  frequencyCap.extend({
    window: shownWindow.describe('Within which time.'),
    id: z.string().describe('Id of the cap.'),
    targetLevel: z.enum(['ADVERTISER', 'CAMPAIGN', 'CREATIVE']).describe('What it caps.'),
    targetId: z.string().describe('Id of that.'),
    createdAt: timestamp.describe('When it was set.'),
    updatedAt: timestamp.describe('When it was last changed.'),
  }),
);
