import { z } from 'zod';
import { accountEventTypes } from '../../../store/webhooks.ts';
import { timestamp } from '../time.ts';

const value = z.union([z.string(), z.number()]).nullable();

/** What each event tells, for those who choose them. */
const eventMeanings: Readonly<Record<(typeof accountEventTypes)[number], string>> = {
  'campaign.updated': 'anything of a campaign changed, with the products selected for it',
  'media_buy.updated': 'anything of a media buy changed: its packages too, and what it waits or failed for',
  'media_buy.delivery': 'its seller reported other figures of delivery',
  'approval.needed':
    'a media buy, or a change of it, begins to wait for its seller or for you, or a spend for another person',
};

const meanings = accountEventTypes.map((type) => `${type}: ${eventMeanings[type]}`).join('; ');

/** The event catalogue of campaigns and media buys: small, and the same in the stream and in every webhook. */
export const accountEvent = z
  .object({
    event: z.enum(accountEventTypes).describe(`What happened. ${meanings}.`),
    id: z.string().describe('Id of the event, the same wherever it is sent.'),
    schemaVersion: z.literal(1).describe('The form of these fields; further fields may come within it.'),
    timestamp: timestamp.describe('When it happened.'),
    advertiserId: z.string().describe('The advertiser it belongs to.'),
    campaignId: z.string().describe('The campaign.'),
    mediaBuyId: z.string().optional().describe('The media buy; absent for what is of the campaign alone.'),
    revision: z
      .number()
      .int()
      .describe('Its revision from then on: of the media buy where there is one, else of the campaign.'),
    changes: z
      .record(z.string(), z.object({ from: value, to: value }))
      .describe(
        'What changed, field by field, such as packages.pkg_1.budget: money in major units of the currency, times ' +
          'in UTC, what is made of parts as JSON text, and what is long cut.',
      ),
    waitsFor: z
      .enum(['seller', 'buyer', 'person'])
      .optional()
      .describe(
        'approval.needed: who has to act. The media buy itself says what; person: another one of you.',
      ),
    approvalId: z
      .string()
      .optional()
      .describe(
        'approval.needed for a person, or campaign.updated once it was decided: for spend_approval_get.',
      ),
  })
  .meta({ id: 'AccountEvent' });

export type AccountEvent = z.output<typeof accountEvent>;
