import { z } from 'zod';
import { besideOtherProblems, isNoMore } from '../../core/schemas/checks.ts';
import { countryCodes } from '../../domain/countries.ts';
import { currencyCode } from '../../domain/money.ts';
import { deliveryTypes, exclusivities } from '../../domain/sale-terms.ts';
import { channels } from '../../domain/text.ts';
import { flightDay } from '../../domain/time.ts';

/** What narrows a product_query, in the words of AdCP (contract: GetProductsBody, filters). */

const amount = z.number().positive().max(1e12);

export const filters = z
  .strictObject({
    channels: z.array(z.enum(channels)).max(20).optional().describe('Only these channels.'),
    countries: countryCodes({ max: 250 }).optional().describe('Only these countries, such as ["US"].'),
    start_date: flightDay.optional().describe('First day of the flight, in UTC.'),
    end_date: flightDay.optional().describe('Its last day.'),
    delivery_type: z.enum(deliveryTypes).optional().describe('Only what is delivered so.'),
    is_fixed_price: z
      .boolean()
      .optional()
      .describe('true: some price is fixed. false: some is found at auction.'),
    exclusivity: z.enum(exclusivities).optional().describe('Only this; none where nothing is said.'),
    min_exposures: z
      .number()
      .int()
      .min(1)
      .max(1e12)
      .optional()
      .describe('Only what is said to bring so many in the flight; what is not guaranteed may say nothing.'),
    budget_range: z
      .strictObject({
        min: z
          .number()
          .min(0)
          .max(1e12)
          .optional()
          .describe('The least to spend: leaves out where all there is costs less.'),
        max: amount.optional().describe('What there is to spend: leaves out what starts above it.'),
        currency: currencyCode.describe('The advertiser’s currency; no other is taken.'),
      })
      .refine(({ min, max }) => (min ?? max) !== undefined, {
        message: 'Required without min: give one of them, or both.',
        path: ['max'],
        ...besideOtherProblems,
      })
      .refine(({ min, max }) => isNoMore(min, max), {
        message: 'Must not be less than min.',
        path: ['max'],
        ...besideOtherProblems,
      })
      .optional()
      .describe('What is to be spent; min, max or both.'),
  })
  .superRefine(({ start_date: start, end_date: end }, problems) => {
    const demand = (path: string) =>
      problems.addIssue({ code: 'custom', path: [path], message: 'Give both days of the flight, or none.' });
    if (start === undefined && end !== undefined) demand('start_date');
    if (start !== undefined && end === undefined) demand('end_date');
    if (start !== undefined && end !== undefined && end < start) {
      problems.addIssue({ code: 'custom', path: ['end_date'], message: 'Must not be before start_date.' });
    }
  });
