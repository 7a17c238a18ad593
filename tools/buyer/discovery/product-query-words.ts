import type { Opening } from '../../domain/discovery-opening.ts';
import { renamed } from '../../domain/renamed-problems.ts';
import type { SaleTerms } from '../../domain/sale-terms.ts';
import type { Input } from './product-query-schema.ts';

/** A query in AdCP's words as the opening of a session, and the complaints about that in AdCP's words again. */

export function openingOf({ brief, filters = {}, ext, ...request }: Input): Opening & { sale?: SaleTerms } {
  const { channels, countries, start_date: start, end_date: end, budget_range: budget } = filters;
  const { delivery_type: deliveryType, is_fixed_price: isFixedPrice, exclusivity } = filters;
  const { min_exposures: minExposures } = filters;
  const { preferred_delivery_types: preferredDeliveryTypes } = request;
  const { storefront_ids, storefront_names, screening, evaluation } = ext.interchange;
  return {
    brief,
    channels,
    countries,
    budget: budget?.max,
    ...(start === undefined || end === undefined
      ? {}
      : { flightDates: { startDate: `${start}T00:00:00.000Z`, endDate: `${end}T23:59:59.999Z` } }),
    storefrontIds: storefront_ids,
    storefrontNames: storefront_names,
    screening,
    evaluation,
    sale: {
      ...{ deliveryType, isFixedPrice, exclusivity, minExposures, preferredDeliveryTypes },
      budgetRange: budget,
    },
  };
}

const NAMES = new Map([
  ['budget', 'filters.budget_range.max'],
  ['storefrontIds', 'ext.interchange.storefront_ids'],
  ['storefrontNames', 'ext.interchange.storefront_names'],
]);

/** Does the work; what it complains about is called as this caller called it. */
export function inWordsOf<T>(request: Input, work: () => Promise<T>, instead?: string): Promise<T> {
  return renamed((path) => nameOf(request, path), work, instead);
}

function nameOf({ refine = [] }: Input, path: string): string {
  const [field = '', place = '', ...rest] = path.split('.');
  if (field === 'refine') return `refine.${place}.${refine[Number(place)]?.scope}_id`;
  const name = NAMES.get(field);
  return name === undefined ? path : [name, place, ...rest].filter((part) => part !== '').join('.');
}
