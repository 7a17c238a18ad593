import { runsOn } from '../channels.ts';
import type { KeptOpening } from '../opening.ts';
import type { LeftOut } from '../sellers/port.ts';
import { boundedText } from '../text.ts';

/** What a buyer asked for, to be checked again on what came back. */
export type ProductFilter = Pick<
  KeptOpening,
  'currency' | 'channels' | 'countries' | 'publisherDomain' | 'pricingModel'
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
  readonly pricing_options: readonly { readonly pricing_model: string }[];
}

/** The filter that leaves a product out; undefined when it is what was asked for. What a seller does not say passes. */
export function leftOutBy(raw: Offered, filter: ProductFilter): LeftOut | undefined {
  const { channels, publisherDomain, pricingModel } = filter;
  const formats = raw.format_ids.map(({ id }) => id);
  if (
    channels !== undefined &&
    raw.channels.length > 0 &&
    !runsOn({ channels: raw.channels, formats }, channels)
  )
    return 'channels';
  if (!runsIn(raw, filter)) return 'countries';
  if (publisherDomain !== undefined && !isAt(raw, publisherDomain)) return 'publisherDomain';
  const soldSo =
    pricingModel === undefined ||
    raw.pricing_options.some(({ pricing_model }) => pricing_model === pricingModel);
  return soldSo ? undefined : 'pricingModel';
}

function runsIn({ countries }: Offered, wanted: ProductFilter): boolean {
  const codes = (countries ?? []).flatMap((code) => (typeof code === 'string' ? code.toUpperCase() : []));
  if (wanted.countries === undefined || codes.length === 0) return true;
  return wanted.countries.some((country) => codes.includes(country));
}

function isAt(raw: Offered, wanted: string): boolean {
  for (const domain of domainsOf(raw)) if (domain === wanted || domain.endsWith(`.${wanted}`)) return true;
  return false;
}

/** The publishers of a product, the first of which names its group: no more are read than are asked for. */
export function* domainsOf(raw: Pick<Offered, 'publisher_properties'>): Generator<string> {
  for (const { publisher_domain, publisher_domains = [] } of raw.publisher_properties) {
    for (const given of publisher_domain === undefined
      ? publisher_domains
      : [publisher_domain, ...publisher_domains]) {
      const domain = boundedText(given.toLowerCase(), 253);
      if (domain !== '') yield domain;
    }
  }
}
