import { z } from 'zod';
import { advertiserStatuses, optimizationApplyModes } from '../../../store/advertisers.ts';
import type { Spellings } from '../../core/spellings.ts';
import { currencyCode } from '../../domain/money.ts';
import { domainName, longText, shortText } from '../../domain/text.ts';
import { timestamp } from '../../domain/time.ts';

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
      .describe('Whether suggestions apply by themselves.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'Advertiser' });

export const advertiserFields = {
  name: shortText(255).describe('Name of the advertiser, 1 to 255 characters.'),
  description: longText(1000).describe('What the advertiser does, up to 1,000 characters.'),
  brand: domainName.describe('The brand: its domain, or the URL of its site. Also accepted as brandDomain.'),
  primaryCurrency: currencyCode.describe('ISO 4217 code of every budget of this advertiser, such as USD.'),
  optimizationApplyMode: z
    .enum(optimizationApplyModes)
    .describe('AUTO applies optimization suggestions by itself; MANUAL waits for approval.'),
};

export const advertiserSpellings: Spellings = { brand: ['brandDomain'] };

/** What an advertiser is told beyond its fields, and keeps nothing of yet. */
export const advertiserNotBuilt = [
  'saveBrand=true',
  'linkedAccounts',
  'utmConfig',
  'dataDelivery',
  'frequencyCaps',
] as const;
