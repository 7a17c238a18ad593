import { DAY_MS } from '../../../core/moments.ts';
import type { ProductQuery } from '../product-query.ts';
import type { EmbeddedProduct } from './catalog.ts';

/** Sellers say what a product brings in a month; who asks for a flight is told what falls to its days. Pure. */

/** An average month: a year has 365.25 days. */
const MONTH_DAYS = 365.25 / 12;

type Flight = Pick<ProductQuery, 'startDate' | 'endDate'>;

/** A product as it is offered for a flight; where none is known it tells of a month. */
export function offeredFor(product: EmbeddedProduct, { startDate, endDate }: Flight): EmbeddedProduct {
  const { estimated_exposures: monthly } = product;
  if (monthly === undefined || startDate === undefined || endDate === undefined) return product;
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS;
  return { ...product, estimated_exposures: Math.round((monthly * days) / MONTH_DAYS) };
}
