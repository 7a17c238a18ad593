import { z } from 'zod';
import { packagePacings } from '../../../store/media-buy-packages.ts';
import { BOTH_CASES } from '../../core/schemas/both-cases.ts';
import { eachOnce } from '../named-once.ts';
import { shortText } from '../text.ts';

/** A product of an order that no seller holds (contract: UpdateMediaBuyProductInput). */
const product = z
  .strictObject({
    productId: shortText(255).describe('A product of its seller in the session.'),
    pricingOptionId: shortText(255).optional().describe('How it is bought.'),
    budget: z.number().positive().max(1e12).optional().describe('What it gets.'),
    pacing: z.enum(packagePacings).optional().describe('How it is spread.'),
    bidPrice: z.number().positive().max(1e9).nullable().optional().describe('What is bid for a unit.'),
    remove: z.boolean().optional().describe('True takes it out.'),
  })
  .meta({ [BOTH_CASES]: true });

export const buyProducts = z
  .array(product)
  .min(1)
  .max(100)
  .refine(...eachOnce('productId'));

/** What is documented of such a product, and is about pages and pixels of single platforms. */
export const productsNotBuilt = ['products[].pageId', 'products[].pixelId'];
