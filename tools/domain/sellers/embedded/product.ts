interface PricingOption {
  readonly pricingModel: string;
  readonly currency: string;
  readonly fixedPrice?: number | undefined;
  readonly floorPrice?: number | undefined;
  readonly minSpend?: number | undefined;
}

export interface NewProduct {
  readonly productId: string;
  readonly name: string;
  readonly description: string;
  readonly publisherDomain: string;
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly deliveryType: string;
  readonly pricingOptions: readonly PricingOption[];
  readonly formats: readonly string[];
  readonly estimatedExposures?: number | undefined;
  /** Where the formats are defined: the address of this service. */
  readonly agentUrl: string;
}

/** A product in the words of AdCP 3.0: what the embedded seller answers get_products with. */
export function adcpProduct(product: NewProduct): Record<string, unknown> {
  return {
    product_id: product.productId,
    name: product.name,
    description: product.description,
    publisher_properties: [{ publisher_domain: product.publisherDomain, selection_type: 'all' }],
    channels: product.channels,
    countries: product.countries,
    format_ids: product.formats.map((id) => ({ agent_url: product.agentUrl, id })),
    delivery_type: product.deliveryType,
    pricing_options: product.pricingOptions.map(adcpPricingOption),
    estimated_exposures: product.estimatedExposures,
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

function adcpPricingOption(option: PricingOption, index: number): Record<string, unknown> {
  const { pricingModel, currency, fixedPrice, floorPrice, minSpend } = option;
  return {
    pricing_option_id: `${pricingModel}_${currency.toLowerCase()}_${index + 1}`,
    pricing_model: pricingModel,
    currency,
    fixed_price: fixedPrice,
    floor_price: floorPrice,
    min_spend_per_package: minSpend,
  };
}
