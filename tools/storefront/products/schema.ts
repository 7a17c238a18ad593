import { z } from 'zod';
import { embeddedProductStatuses } from '../../../store/embedded-products.ts';
import { besideOtherProblems } from '../../core/schemas/checks.ts';
import { channelOf, channelWords } from '../../domain/channels.ts';
import { countryCodes } from '../../domain/countries.ts';
import { currencyCode } from '../../domain/money.ts';
import { withoutRepeats } from '../../domain/named-once.ts';
import { pricingModels } from '../../domain/pricing.ts';
import { domainName, longText, shortText } from '../../domain/text.ts';
import { timestamp } from '../../domain/time.ts';

const price = z.number().positive().max(1_000_000);

const pricingOption = z
  .strictObject({
    pricingModel: z.enum(pricingModels).describe('What is paid for.'),
    currency: currencyCode.describe('ISO 4217 code of the price.'),
    fixedPrice: price.optional().describe('The price of a unit. Leave out for an auction.'),
    floorPrice: price.optional().describe('The least that can be bid in an auction.'),
    minSpend: z.number().positive().max(1_000_000_000).optional().describe('The least that must be spent.'),
  })
  .refine((option) => option.fixedPrice !== undefined || option.floorPrice !== undefined, {
    message: 'Give a fixed price, or the floor price of an auction.',
    path: ['fixedPrice'],
    ...besideOtherProblems,
  })
  .refine((option) => option.fixedPrice === undefined || option.floorPrice === undefined, {
    message: 'Give a fixed price or a floor price, not both.',
    path: ['floorPrice'],
    ...besideOtherProblems,
  });

export const productFields = {
  name: shortText(255).describe('Name of the product.'),
  description: longText(2000).min(1).describe('What a buyer gets, in plain words.'),
  publisherDomain: domainName.describe('Domain of the publisher whose inventory it is.'),
  channels: z
    .array(z.enum(channelWords).transform(channelOf))
    .min(1)
    .max(20)
    .transform(withoutRepeats)
    .describe('Channels it runs on; video is kept as olv, audio as streaming_audio.'),
  countries: countryCodes({ max: 249 }).describe('Countries it runs in; empty for everywhere.'),
  deliveryType: z.enum(['guaranteed', 'non_guaranteed']).describe('Whether delivery is promised.'),
  pricingOptions: z.array(pricingOption).min(1).max(20).describe('How it can be bought.'),
  formats: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'Give letters, digits, - and _.'))
    .min(1)
    .max(50)
    .transform(withoutRepeats)
    .describe('Ids of the creative formats it takes, such as display_300x250.'),
  estimatedExposures: z
    .number()
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .describe('Impressions a month; who asks for a flight is told what falls to its days.'),
};

const ownPricingOption = z.object({
  pricingOptionId: z.string().describe('Id of the option, as buyers name it.'),
  pricingModel: z.string().describe('What is paid for.'),
  currency: z.string().describe('ISO 4217 code of the price.'),
  fixedPrice: z.number().optional().describe('The price of a unit; absent in an auction.'),
  floorPrice: z.number().optional().describe('The least that can be bid in an auction.'),
  minSpend: z.number().optional().describe('The least that must be spent.'),
});

/** A product of the embedded seller (contract: StorefrontProductSummary, and what it sells for). */
export const ownProduct = z
  .object({
    productId: z.string().describe('Id of the product.'),
    sourceId: z.string().describe('The embedded seller that offers it.'),
    name: z.string().describe('Name of the product.'),
    description: z.string().describe('What a buyer gets.'),
    status: z.enum(embeddedProductStatuses).describe('Archived products are not offered any more.'),
    channels: z.array(z.string()).describe('Channels it runs on.'),
    countries: z.array(z.string()).describe('Countries it runs in; empty for everywhere.'),
    pricingOptions: z.array(ownPricingOption).describe('How it can be bought.'),
    publisherDomain: z.string().describe('Domain of the publisher whose inventory it is.'),
    creativeFormatIds: z.array(z.string()).describe('Ids of the creative formats it takes.'),
    deliveryType: z.string().optional().describe('Whether delivery is promised.'),
    estimatedExposures: z.number().optional().describe('Impressions a month.'),
    adUnitNames: z.array(z.string()).describe('Ad units of an ad server that it is delivered on.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
    revision: z.number().int().describe('Goes up whenever it changes.'),
  })
  .meta({ id: 'OwnProduct' });

/** A product in the list of all: the short form leaves out what nobody chooses by. */
export const listedProduct = ownProduct
  .partial({
    description: true,
    publisherDomain: true,
    creativeFormatIds: true,
    adUnitNames: true,
    createdAt: true,
    updatedAt: true,
  })
  .meta({ id: 'ListedProduct' });
