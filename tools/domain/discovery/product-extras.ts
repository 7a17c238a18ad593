import { z } from 'zod';
import { vendorMetrics } from './vendor-metrics.ts';

/** What a product may say beside what it is bought by (contract: Product; AdCP 3, core/product). */

const line = z.string().optional();

const image = z.object({
  asset_type: z.literal('image').describe('What it is.'),
  url: z.string().describe('Its address.'),
  width: z.number().int().describe('Pixels.'),
  height: z.number().int().describe('Pixels.'),
  format: line.describe('Such as png.'),
  alt_text: line.describe('What is to be seen.'),
});

const card = z.object({
  title: line.describe('Its title.'),
  description: line.describe('Its text.'),
  price_label: line.describe('Its price, in words.'),
  cta_label: line.describe('What its button says.'),
  image: image.optional().describe('Its picture.'),
  formatId: z
    .object({ agentUrl: z.string().describe('Agent that defines it.'), id: z.string().describe('Id there.') })
    .optional()
    .describe('The format it is shown in.'),
  manifest: z.looseObject({}).optional().describe('What that format is filled with.'),
});

const detailedCard = card.omit({ image: true }).extend({
  hero_image: image.optional().describe('Its first picture.'),
  carousel_images: z.array(image).optional().describe('More pictures.'),
  specifications: z
    .array(z.object({ label: z.string().describe('What.'), value: z.string().describe('How much.') }))
    .optional()
    .describe('Its figures.'),
});

const codecs = z.array(z.string()).optional();

const formatOption = z.object({
  format_kind: line.describe('Such as video_hosted.'),
  format_option_id: line.describe('Id of the option.'),
  display_name: line.describe('Its name.'),
  params: z
    .object({
      containers: codecs.describe('Such as mp4.'),
      video_codecs: codecs.describe('Such as h264.'),
      audio_codecs: codecs.describe('Such as aac.'),
    })
    .optional()
    .describe('What files it takes.'),
});

const guidance = z.number().optional();

const priceGuidance = z
  .object({
    floor: guidance.describe('The least that won.'),
    p25: guidance.describe('A quarter won at it.'),
    p50: guidance.describe('Half won at it.'),
    p75: guidance.describe('Three quarters won at it.'),
    p90: guidance.describe('Nine of ten won at it.'),
  })
  .optional()
  .describe('What won before, in an auction.');

/** How a product is bought (contract: PricingOptionData). */
export const pricingOption = z.object({
  pricingOptionId: z.string().describe('Id of the option.'),
  pricingModel: z.string().describe('What is paid for, such as cpm.'),
  isFixed: z.boolean().describe('False: an auction, a bid is needed.'),
  fixedPrice: z.number().optional().describe('The price of a unit.'),
  floorPrice: z.number().optional().describe('The least that can be bid.'),
  currency: z.string().describe('ISO 4217 code of the price.'),
  minSpend: z.number().optional().describe('The least that must be spent.'),
  priceGuidance,
});

export const publisherProperties = z
  .array(
    z.object({
      publisherDomain: line.describe('Its domain, as the seller says: nobody proved it.'),
      selectionType: line.describe('How its properties are selected, as the seller says.'),
      propertyType: line.describe('Such as website.'),
      name: line.describe('Name of the property.'),
      identifiers: z
        .array(
          z.object({
            type: z.string().describe('Such as domain.'),
            value: z.string().describe('Its value.'),
          }),
        )
        .optional()
        .describe('What the property is known by.'),
    }),
  )
  .describe('Whose inventory it is.');

export const productExtras = z.object({
  bookability: z
    .enum(['bookable', 'not_bookable'])
    .optional()
    .describe('Whether it can be chosen in this session; notBuyable says why not.'),
  inventoryType: line.describe('Kind of inventory, as the seller says.'),
  formatTypes: z.array(z.string()).optional().describe('Kinds of its formatOptions.'),
  formatOptions: z.array(formatOption).optional().describe('Formats it takes, described.'),
  expiresAt: z.string().optional().describe('Until when the seller offers it.'),
  pricingScope: z
    .enum(['public', 'account'])
    .optional()
    .describe('Whose prices these are, where the seller says.'),
  productCard: card.optional().describe('How the seller would show it.'),
  productCardDetailed: detailedCard.optional().describe('The same at length.'),
  optimizationVendorMetrics: vendorMetrics,
  reportingDelayMinutes: z
    .number()
    .int()
    .optional()
    .describe('Minutes by which reports of what was delivered come late, as the seller says.'),
  forecast: z.looseObject({}).optional().describe('What it is expected to deliver, as the seller says.'),
});

export type ProductExtras = z.output<typeof productExtras>;
export type PriceGuidance = z.output<typeof priceGuidance>;
export type ProductCard = z.output<typeof card>;
export type DetailedCard = z.output<typeof detailedCard>;
export type CardImage = z.output<typeof image>;
export type PublisherProperty = z.output<typeof publisherProperties>[number];
