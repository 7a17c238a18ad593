import { z } from 'zod';
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
    budget_range: z
      .strictObject({
        max: amount.describe('What there is to spend.'),
        currency: currencyCode.describe('The advertiser’s currency; no other is taken.'),
      })
      .optional()
      .describe('What sellers are told of the budget.'),
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
