import { z } from 'zod';
import { turn } from '../../../core/event-loop-turn.ts';
import { deliveryTypes } from '../../sale-terms.ts';
import type { Seller } from '../../sellers/port.ts';
import type { LeftOut, OfferedProducts } from '../../sellers/product-query.ts';
import { boundedText, sellerId, sellerUrl } from '../../text.ts';
import type { Product } from '../schema.ts';
import { type AdcpSource, sourceOf } from './adcp-source.ts';
import { bookabilityOf } from './bookability.ts';
import { extrasOf, guidanceOf, pricingScopeOf, propertiesOf } from './extras-reading.ts';
import { leftOutBy, type ProductFilter, publisherOf } from './fitting.ts';
import { inOrder, NO_PUBLISHER } from './group-order.ts';
import { goalsAtMost, metricOptimization, optimizationOf } from './metric-optimization.ts';
import { optionalText } from './optional-text.ts';
import { optionsApart } from './options-apart.ts';
import { withoutNulls } from './without-nulls.ts';

const NAME_MAX = 255;
const LIST_MAX = 50;
const PRICING_MODEL_MAX = 32;
const PRICE_MAX = 1_000_000_000;
/**
 * Products taken from one seller. The prices of a group are added up in ten-thousandths: 900 of the highest
 * are 9e15 and still a number that JavaScript and the databases hold exactly (2^53 - 1); 901 are not.
 */
const PRODUCTS_MAX = 900;

/** Entries that are looked at before everybody else has a turn of the event loop. */
const SLICE = 10;

export const givenId = z.string().refine((id) => sellerId(id) !== undefined);
const price = z.number().min(0).max(PRICE_MAX);

/** What makes a seller's product usable (AdCP 3.0, core/product): anything more is welcome, anything less is not. */
const sellerProduct = z.looseObject({
  product_id: givenId,
  name: z.string().min(1),
  description: z.string().optional(),
  channels: z.array(z.string()).default([]),
  countries: z.array(z.unknown()).optional().catch(undefined),
  delivery_type: z.string().optional(),
  brief_relevance: z.string().optional(),
  estimated_exposures: z.number().min(0).optional(),
  metric_optimization: metricOptimization,
  max_optimization_goals: goalsAtMost,
  publisher_properties: z
    .array(
      z.looseObject({
        publisher_domain: z.string().optional(),
        publisher_domains: z.array(z.string()).optional(),
        selection_type: z.string().optional(),
      }),
    )
    .min(1),
  format_ids: z.array(z.looseObject({ agent_url: z.string(), id: z.string() })).default([]),
  pricing_options: z
    .array(
      z.looseObject({
        pricing_option_id: givenId,
        pricing_model: z.string().min(1).max(PRICING_MODEL_MAX),
        currency: z.string().regex(/^[A-Z]{3}$/),
        fixed_price: price.optional(),
        floor_price: price.optional(),
        min_spend_per_package: price.optional(),
      }),
    )
    .min(1)
    .max(LIST_MAX),
});

export type SellerProduct = z.output<typeof sellerProduct>;

/** A product as it is shown, with what its seller says of it where that is kept. */
export type FoundProduct = Product & { readonly source?: AdcpSource };

export interface Group {
  readonly groupId: string;
  readonly groupName: string;
  readonly publisherDomain: string;
  readonly products: readonly FoundProduct[];
}

export interface ReadProducts {
  readonly groups: readonly Group[];
  readonly products: number;
  /** Entries of the answer that could not be used: no products, or more products than are taken. */
  readonly invalid: number;
  /** Entries of the answer, those included. */
  readonly entries: number;
  /** Products that are not shown, by what left them out. */
  readonly hidden: Readonly<Hidden>;
  /** Ids of those that the filters leave out. */
  readonly filtered?: ReadonlySet<string>;
  readonly briefMatched: boolean;
  readonly isWithoutSandbox?: true;
}

/** What is said of an answer beside its entries. */
type AboutAnswer = Pick<OfferedProducts, 'leftOut' | 'hidden' | 'briefMatched' | 'said'>;
type Hidden = Partial<Record<Hiding, number>>;

/** What was asked for, a refinement, or that the session is full. */
export type Hiding = LeftOut | 'refine' | 'no_room';

interface Terms {
  readonly filter: ProductFilter;
  readonly sandbox: boolean;
}

/** What of a product depends on who asked for it. */
interface Seen extends Pick<Terms, 'sandbox'>, Pick<ProductFilter, 'currency'> {
  readonly pricingScope: Product['pricingScope'];
}

/**
 * The usable products of a seller's answer, group by group: a group is a publisher. So many entries are looked at
 * in a turn of the event loop: a long answer holds up nobody.
 */
export async function readSellerProducts(
  seller: Seller,
  answer: OfferedProducts,
  terms: Terms,
): Promise<ReadProducts> {
  const reader = productReader(seller, terms, answer);
  for (let start = 0; start < answer.length; start += SLICE) {
    if (start > 0) await turn();
    for (const entry of answer.slice(start, start + SLICE)) reader.add(entry);
  }
  return reader.result();
}

/** Takes entries one by one; `result` has what they came to, and counts those that were never read. */
export function productReader(seller: Seller, { filter, sandbox }: Terms, answer: AboutAnswer = {}) {
  const seen = new Set<string>();
  const filtered = new Set<string>();
  const groups = new Map<string, FoundProduct[]>();
  const hidden: Hidden = { ...answer.hidden };
  const pricingScope = pricingScopeOf(answer.said ?? {});
  let entries = 0;
  let invalid = 0;
  const isHidden = (raw: SellerProduct): boolean => {
    const left = leftOutBy(raw, filter);
    if (left === undefined) return false;
    filtered.add(raw.product_id);
    hidden[left] = (hidden[left] ?? 0) + 1;
    return true;
  };
  const keep = (raw: SellerProduct) => {
    seen.add(raw.product_id);
    const domain = publisherOf(raw, filter) ?? NO_PUBLISHER;
    const group = groups.get(domain) ?? [];
    const shown = asProduct(seller, raw, { sandbox, currency: filter.currency, pricingScope });
    const product = filter.keepsSource ? { ...shown, source: sourceOf(raw) } : shown;
    group.push(answer.briefMatched === false ? { ...product, briefMatched: false } : product);
    groups.set(domain, group);
  };
  return {
    add: (entry: unknown): void => {
      entries += 1;
      const data = productIn(entry, filter);
      if (data === undefined) invalid += 1;
      else if (seen.has(data.product_id) || filtered.has(data.product_id) || isHidden(data)) return;
      else if (seen.size === PRODUCTS_MAX) invalid += 1;
      else keep(data);
    },
    result: (): ReadProducts => ({
      groups: inOrder(seller, groups, filter),
      products: seen.size,
      invalid: invalid + (answer.leftOut ?? 0),
      entries: entries + (answer.leftOut ?? 0),
      hidden,
      filtered,
      briefMatched: answer.briefMatched ?? true,
    }),
  };
}

function productIn(entry: unknown, { currency }: Pick<ProductFilter, 'currency'>): SellerProduct | undefined {
  const { data } = sellerProduct.safeParse(withoutNulls(entry));
  return data && { ...data, pricing_options: optionsApart(data.pricing_options, currency) };
}

function asProduct(seller: Seller, raw: SellerProduct, { sandbox, currency, pricingScope }: Seen): Product {
  const [channel] = raw.channels;
  const lowest = lowestCpm(raw, currency);
  return {
    productId: raw.product_id,
    name: boundedText(raw.name, NAME_MAX) || raw.product_id,
    ...optionalText('description', raw.description),
    ...optionalText('channel', channel),
    channels: raw.channels.slice(0, LIST_MAX).map((name) => boundedText(name, 64)),
    ...countriesOf(raw),
    ...bookabilityOf(raw.pricing_options, currency),
    // The two words of AdCP; another one says nothing that anybody could count on.
    ...optionalText(
      'deliveryType',
      deliveryTypes.find((type) => type === raw.delivery_type),
    ),
    ...optionalText('briefRelevance', raw.brief_relevance),
    cpm: lowest?.price,
    currency: lowest?.currency,
    pricingOptions: raw.pricing_options.map(asPricingOption),
    formatIds: raw.format_ids.slice(0, LIST_MAX).flatMap(({ agent_url, id }) => {
      const agentUrl = sellerUrl(agent_url);
      return agentUrl === undefined || sellerId(id) === undefined ? [] : [{ agentUrl, id }];
    }),
    publisherProperties: propertiesOf(raw.publisher_properties, LIST_MAX),
    ...optimizationOf(raw.metric_optimization),
    maxOptimizationGoals: raw.max_optimization_goals,
    ...extrasOf(raw, pricingScope),
    estimatedExposures: raw.estimated_exposures && Math.round(raw.estimated_exposures),
    salesAgentId: seller.agentId,
    salesAgentName: seller.agentName,
    storefrontId: String(seller.storefrontId),
    storefrontName: seller.storefrontName,
    isSandbox: sandbox,
  };
}

/** The countries a product is limited to; a seller that names none limits it to none. */
function countriesOf({ countries = [] }: SellerProduct): { countries?: string[] } {
  const codes = countries.flatMap((code) => (typeof code === 'string' ? code.toUpperCase() : []));
  const known = [...new Set(codes.filter((code) => /^[A-Z]{2}$/.test(code)))];
  return known.length === 0 ? {} : { countries: known };
}

function asPricingOption(option: SellerProduct['pricing_options'][number]) {
  const { fixed_price, floor_price, min_spend_per_package } = option;
  return {
    pricingOptionId: option.pricing_option_id,
    pricingModel: boundedText(option.pricing_model, PRICING_MODEL_MAX),
    isFixed: fixed_price !== undefined,
    fixedPrice: fixed_price,
    floorPrice: floor_price,
    currency: option.currency,
    minSpend: min_spend_per_package,
    priceGuidance: guidanceOf(option['price_guidance']),
  };
}

/** The lowest price in a currency; where there is none, the lowest in the currency that is named first. */
function lowestCpm(raw: SellerProduct, wanted: string): { price: number; currency: string } | undefined {
  const prices = raw.pricing_options.flatMap(({ pricing_model, fixed_price, floor_price, currency }) => {
    const value = fixed_price ?? floor_price;
    return /^v?cpm$/.test(pricing_model) && value !== undefined ? [{ price: value, currency }] : [];
  });
  const shown = prices.some(({ currency }) => currency === wanted) ? wanted : prices[0]?.currency;
  return prices.filter(({ currency }) => currency === shown).sort((one, other) => one.price - other.price)[0];
}
