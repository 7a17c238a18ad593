import { isSameJson } from '../../../core/schemas/checks.ts';

interface PricingOption {
  readonly pricingModel: string;
  readonly currency: string;
  readonly fixedPrice?: number | undefined;
  readonly floorPrice?: number | undefined;
  readonly minSpend?: number | undefined;
}

/** What a seller says of a product; what is undefined it does not say. */
interface Said {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly publisherDomain?: string | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly deliveryType?: string | undefined;
  readonly formats?: readonly string[] | undefined;
  /** Null takes back what was said. */
  readonly estimatedExposures?: number | null | undefined;
}

export interface NewProduct extends Said {
  readonly productId: string;
  readonly pricingOptions: readonly PricingOption[];
  /** Where the formats are defined: the address of this service. */
  readonly agentUrl: string;
}

/** A product in the words of AdCP 3.0: what the embedded seller answers get_products with. */
export function adcpProduct(product: NewProduct): Record<string, unknown> {
  return {
    product_id: product.productId,
    ...adcpFields(product, product.agentUrl),
    pricing_options: product.pricingOptions.map((option, index) => adcpPricingOption(option, `${index + 1}`)),
    reporting_capabilities: {
      available_reporting_frequencies: ['hourly', 'daily'],
      expected_delay_minutes: 0,
      timezone: 'UTC',
      supports_webhooks: false,
      available_metrics: ['impressions', 'spend', 'clicks'],
      date_range_support: 'date_range',
    },
  };
}

/** The fields of it that something is said about. */
function adcpFields(said: Said, agentUrl: string): Record<string, unknown> {
  const { name, description, publisherDomain, channels, countries, deliveryType, formats } = said;
  const { estimatedExposures } = said;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(publisherDomain === undefined
      ? {}
      : { publisher_properties: [{ publisher_domain: publisherDomain, selection_type: 'all' }] }),
    ...(channels === undefined ? {} : { channels }),
    ...(countries === undefined ? {} : { countries }),
    ...(formats === undefined ? {} : { format_ids: formats.map((id) => ({ agent_url: agentUrl, id })) }),
    ...(deliveryType === undefined ? {} : { delivery_type: deliveryType }),
    ...(estimatedExposures === undefined ? {} : { estimated_exposures: estimatedExposures ?? undefined }),
  };
}

function adcpPricingOption(option: PricingOption, suffix: string): Record<string, unknown> {
  const { pricingModel, currency, fixedPrice, floorPrice, minSpend } = option;
  return {
    pricing_option_id: `${pricingModel}_${currency.toLowerCase()}_${suffix}`,
    pricing_model: pricingModel,
    currency,
    fixed_price: fixedPrice,
    floor_price: floorPrice,
    min_spend_per_package: minSpend,
  };
}

/** A product that is on the market, as it is stored. */
type Stored = Readonly<Record<string, unknown>> & {
  readonly format_ids: readonly { readonly id: string }[];
  readonly pricing_options: readonly Readonly<Record<string, unknown>>[];
};

interface ProductChange extends Said {
  readonly pricingOptions?: readonly PricingOption[] | undefined;
  readonly agentUrl: string;
  /** Letters that no option had before. */
  newSuffix(): string;
}

/**
 * The stored product with what is said anew. A pricing option that stays as it is keeps its id, any other gets one
 * that never was: who chose it at its old price is refused, and does not pay the new one unasked.
 */
export function changedProduct(stored: Stored, change: ProductChange): Record<string, unknown> {
  const { pricingOptions, formats, agentUrl, newSuffix, ...said } = change;
  const sameFormats = isSameJson(
    formats,
    stored.format_ids.map(({ id }) => id),
  );
  return {
    ...stored,
    ...adcpFields({ ...said, formats: sameFormats ? undefined : formats }, agentUrl),
    ...(pricingOptions === undefined
      ? {}
      : { pricing_options: repriced(stored.pricing_options, pricingOptions, newSuffix) }),
  };
}

function repriced(
  stored: Stored['pricing_options'],
  given: readonly PricingOption[],
  newSuffix: () => string,
): Readonly<Record<string, unknown>>[] {
  const left = [...stored];
  return given.map((option) => {
    const same = left.findIndex((known) => sameTerms(known, adcpPricingOption(option, '')));
    const [kept] = same === -1 ? [] : left.splice(same, 1);
    return kept ?? adcpPricingOption(option, newSuffix());
  });
}

const TERMS = ['pricing_model', 'currency', 'fixed_price', 'floor_price', 'min_spend_per_package'];

function sameTerms(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  return TERMS.every((term) => one[term] === other[term]);
}
