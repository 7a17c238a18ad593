import { missedBy } from '../../campaigns/constraints.ts';
import { runsOn } from '../../channels.ts';
import type { KeptOpening } from '../../discovery-opening.ts';
import { leftOutByTerms } from '../../sale-terms.ts';
import type { LeftOut } from '../../sellers/product-query.ts';
import { boundedText } from '../../text.ts';

/** What a buyer asked for, to be checked again on what came back. */
export type ProductFilter = Pick<
  KeptOpening,
  | 'currency'
  | 'channels'
  | 'countries'
  | 'constraints'
  | 'publisherDomain'
  | 'pricingModel'
  | 'keepsSource'
  | 'sale'
>;

/** What of a seller's product decides whether it is what was asked for. */
interface Offered {
  readonly channels: readonly string[];
  readonly countries?: readonly unknown[] | undefined;
  readonly format_ids: readonly { readonly id: string }[];
  readonly publisher_properties: readonly {
    readonly publisher_domain?: string | undefined;
    readonly publisher_domains?: readonly string[] | undefined;
  }[];
  readonly delivery_type?: unknown;
  readonly exclusivity?: unknown;
  readonly forecast?: unknown;
  readonly estimated_exposures?: unknown;
  readonly pricing_options: readonly {
    readonly pricing_model: string;
    readonly currency: string;
    readonly fixed_price?: number | undefined;
    readonly floor_price?: number | undefined;
    readonly min_spend_per_package?: number | undefined;
  }[];
}

/** The filter that leaves a product out; undefined when it is what was asked for. What a seller does not say passes. */
export function leftOutBy(raw: Offered, filter: ProductFilter): LeftOut | undefined {
  const { publisherDomain, pricingModel } = filter;
  if (!isOnChannels(raw, filter)) return 'channels';
  if (!runsIn(raw, filter)) return 'countries';
  const [missed] = missedBy(placeOf(raw), filter.constraints ?? {});
  if (missed !== undefined) return PLACES.has(missed.field) ? 'countries' : 'channels';
  if (publisherDomain !== undefined && !isAt(raw, publisherDomain)) return 'publisherDomain';
  const soldSo =
    pricingModel === undefined ||
    raw.pricing_options.some(({ pricing_model }) => pricing_model === pricingModel);
  return soldSo ? leftOutByTerms(raw, filter.sale) : 'pricingModel';
}

function isOnChannels({ channels: told, format_ids }: Offered, { channels }: ProductFilter): boolean {
  const formats = format_ids.map(({ id }) => id);
  return channels === undefined || told.length === 0 || runsOn({ channels: told, formats }, channels);
}

/** The constraints that speak of countries; the others are about what a product runs on. */
const PLACES: ReadonlySet<string> = new Set([
  'geo_countries',
  'geo_countries_exclude',
  'geo_regions',
  'geo_metros',
  'geo_postal_areas',
]);

function placeOf(raw: Offered) {
  return { name: '', channels: raw.channels, countries: codesOf(raw) };
}

function codesOf({ countries }: Offered): string[] {
  return (countries ?? []).flatMap((code) => (typeof code === 'string' ? code.toUpperCase() : []));
}

function runsIn(raw: Offered, wanted: ProductFilter): boolean {
  const codes = codesOf(raw);
  if (wanted.countries === undefined || codes.length === 0) return true;
  return wanted.countries.some((country) => codes.includes(country));
}

function isAt(raw: Offered, wanted: string): boolean {
  return publisherOf(raw, { publisherDomain: wanted }) !== undefined;
}

/** The publisher that names the group of a product: its first, or the first that was asked for. */
export function publisherOf(
  raw: Pick<Offered, 'publisher_properties'>,
  { publisherDomain: wanted }: Pick<ProductFilter, 'publisherDomain'>,
): string | undefined {
  for (const domain of domainsOf(raw)) {
    if (wanted === undefined || `.${domain}.`.includes(`.${wanted}.`)) return domain;
  }
  return undefined;
}

/** The publishers of a product: no more are read than are asked for. */
function* domainsOf(raw: Pick<Offered, 'publisher_properties'>): Generator<string> {
  for (const { publisher_domain, publisher_domains = [] } of raw.publisher_properties) {
    for (const given of publisher_domain === undefined
      ? publisher_domains
      : [publisher_domain, ...publisher_domains]) {
      const domain = boundedText(given.toLowerCase(), 253);
      if (domain !== '') yield domain;
    }
  }
}
