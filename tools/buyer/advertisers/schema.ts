import { z } from 'zod';
import { advertiserStatuses, optimizationApplyModes } from '../../../store/advertisers.ts';
import type { Spellings } from '../../core/schemas/spellings.ts';
import {
  capsNotBuilt,
  frequencyCaps,
  shownFrequencyCaps,
  utmParameter,
  utmParameters,
} from '../../domain/advertisers/delivery-fields.ts';
import {
  accountsNotBuilt,
  linkedAccounts,
  shownLinkedAccounts,
} from '../../domain/advertisers/linked-accounts.ts';
import { currencyCode } from '../../domain/money.ts';
import { domainName, longText, shortText } from '../../domain/text.ts';
import { timestamp } from '../../domain/time.ts';
import { livingFields } from './living-campaigns.ts';

const manifest = z.looseObject({
  name: z.string().describe('Name of the brand.'),
  url: z.string().optional().describe('Its site.'),
});

const linkedBrand = z
  .object({
    id: z.string().describe('Id of the brand.'),
    name: z.string().describe('Name of the brand.'),
    domain: z.string().describe('Domain of the brand.'),
    manifest: manifest.describe('All that is known of the brand, as it was registered.'),
    logoUrl: z.string().optional().describe('A logo.'),
    industry: z.string().optional().describe('What it deals in.'),
    colors: z.record(z.string(), z.string()).optional().describe('Its colours, #RRGGBB by their use.'),
    tagline: z.string().optional().describe('Its tagline.'),
    tone: z.string().optional().describe('How it speaks.'),
  })
  .meta({ id: 'LinkedBrand' });

/** An advertiser as it is shown (contract: Advertiser). */
export const advertiser = z
  .object({
    id: z.string().describe('Id of the advertiser, a decimal string.'),
    name: z.string().describe('Name of the advertiser.'),
    description: z.string().optional().describe('What the advertiser does.'),
    brand: z.string().describe('Domain of the brand.'),
    status: z.enum(advertiserStatuses).describe('Archived advertisers are hidden from lists.'),
    sandbox: z.boolean().describe('True: everything below is simulated and nothing is spent.'),
    primaryCurrency: z.string().describe('ISO 4217 code of every budget of this advertiser.'),
    currencyLocked: z.boolean().describe('True from the first campaign on: the currency stays.'),
    optimizationApplyMode: z
      .enum(optimizationApplyModes)
      .describe('Whether suggestions, which are not built yet, apply by themselves.'),
    linkedBrand: linkedBrand.optional().describe('The brand, where it is registered.'),
    brandWarning: z
      .string()
      .optional()
      .describe('Why the brand is not registered: it was only heard of, or is known no more.'),
    utmConfig: z
      .array(
        utmParameter.extend({ source: z.enum(['advertiser', 'campaign']).describe('Where it was set.') }),
      )
      .optional()
      .describe(
        'Tags for landing pages. Creatives are to carry them and are not built yet: until then nothing does. ' +
          'Where none is set, the default ones; a list of advertisers has only what is set.',
      ),
    linkedAccounts: shownLinkedAccounts
      .optional()
      .describe('Its accounts at sellers, as they were linked. Absent without any.'),
    frequencyCaps: shownFrequencyCaps
      .optional()
      .describe('How often one person sees the ads of later orders; absent where nothing is set.'),
    warnings: livingFields.warnings,
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
    revision: z.number().int().describe('Goes up whenever it changes.'),
  })
  .meta({ id: 'Advertiser' });

/** An advertiser in a list (contract: AdvertiserSummary). */
export const listedAdvertiser = advertiser
  .omit({ linkedAccounts: true, warnings: true })
  .extend({ linkedAccountCount: z.number().int().describe('How many accounts at sellers are linked to it.') })
  .meta({ id: 'AdvertiserSummary' });

export const advertiserFields = {
  name: shortText(255).describe('Name of the advertiser, 1 to 255 characters.'),
  description: longText(1000).describe('What the advertiser does, up to 1,000 characters.'),
  brand: domainName.describe('The brand: its domain, or the URL of its site. Also accepted as brandDomain.'),
  primaryCurrency: currencyCode.describe('ISO 4217 code of every budget of this advertiser, such as USD.'),
  optimizationApplyMode: z
    .enum(optimizationApplyModes)
    .describe(
      'AUTO applies suggestions by itself, MANUAL waits for approval; suggestions are not built yet.',
    ),
  saveBrand: z.boolean().optional().describe('True: register a brand that is unknown.'),
  utmConfig: utmParameters.describe('Tags for creatives, not built yet. Replaces; [] resets.'),
  linkedAccounts: linkedAccounts.describe(
    'Accounts it has at sellers. Adds to those before; orders go under the one linked last at a source.',
  ),
  frequencyCaps: frequencyCaps.describe('Sent with later orders. Replaces it; [] clears.'),
};

export const advertiserSpellings: Spellings = { brand: ['brandDomain'] };

/** What an advertiser is told beyond its fields, and keeps nothing of yet. */
export const advertiserNotBuilt = [...accountsNotBuilt, ...capsNotBuilt, 'dataDelivery'] as const;
