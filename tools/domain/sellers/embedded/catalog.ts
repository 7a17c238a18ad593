import { z } from 'zod';
import type { EmbeddedProductRow } from '../../../../store/embedded-products.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { runsOn, wordsForChannels } from '../../channels.ts';
import { leftOutByTerms } from '../../sale-terms.ts';
import type { LeftOut, ProductQuery } from '../product-query.ts';
import { stemmedWordsOf, withoutDenied, withoutRules } from './words.ts';

/** A way to buy a stored product. */
export const embeddedOption = z.looseObject({
  pricing_option_id: z.string(),
  pricing_model: z.string(),
  currency: z.string(),
  fixed_price: z.number().optional(),
  floor_price: z.number().optional(),
  min_spend_per_package: z.number().optional(),
});

export type EmbeddedOption = z.output<typeof embeddedOption>;

/** The fields of a stored product that the embedded seller works with. */
const embeddedProduct = z.looseObject({
  product_id: z.string(),
  name: z.string(),
  description: z.string(),
  channels: z.array(z.string()),
  countries: z.array(z.string()).default([]),
  format_ids: z.array(z.looseObject({ id: z.string() })).default([]),
  pricing_options: z.array(embeddedOption),
  estimated_exposures: z.number().optional(),
});

export type EmbeddedProduct = z.output<typeof embeddedProduct>;

export function embeddedIn({ product }: Pick<EmbeddedProductRow, 'product'>): EmbeddedProduct {
  return embeddedProduct.parse(fromJson(product));
}

/** What the embedded seller answers a query with. */
export interface Offers {
  readonly products: readonly EmbeddedProduct[];
  /** How many of its products each filter left out. */
  readonly hidden: Readonly<Partial<Record<LeftOut, number>>>;
  /** False: nothing fits the brief, and these are all that fit the filters. */
  readonly briefMatched: boolean;
}

const PRODUCTS_MAX = 50;
/** A word in the name says more of a product than one in its description. */
const NAME_COUNTS = 1.5;

interface Candidate {
  readonly product: EmbeddedProduct;
  /** The stems it has in common with the brief; true for those in its name. */
  readonly matched: ReadonlyMap<string, boolean>;
}

/**
 * What the embedded seller offers for a brief, added product by product: what fits the filters, the best match
 * first. A word that few of the products have counts more than one that most have. Without words in common with
 * any product the whole offer is given, and marked.
 */
export function offersFor(query: ProductQuery) {
  const turnedDown = query.turnedDown ?? [];
  const wanted = wantedIn(query.brief ?? '', turnedDown);
  const hidden: Partial<Record<LeftOut, number>> = {};
  const frequency = new Map<string, number>();
  const matching: Candidate[] = [];
  const others: EmbeddedProduct[] = [];
  let fitting = 0;
  const isOnlyAgainst = wanted.size === 0 && turnedDown.length > 0;

  const keep = (product: EmbeddedProduct) => {
    if (isTurnedDown(product, turnedDown)) return;
    fitting += 1;
    const matched = matchesOf(product, wanted);
    for (const stem of matched.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
    if (matched.size > 0) matching.push({ product, matched });
    else if (others.length < PRODUCTS_MAX) others.push(product);
  };
  const weightOf = (stem: string) => Math.log(1 + fitting / (frequency.get(stem) ?? 1));
  const scoreOf = ({ matched }: Candidate) =>
    [...matched].reduce((sum, [stem, inName]) => sum + weightOf(stem) * (inName ? NAME_COUNTS : 1), 0);
  return {
    add: (product: EmbeddedProduct): void => {
      const left = leftOutBy(product, query);
      if (left === undefined) keep(product);
      else hidden[left] = (hidden[left] ?? 0) + 1;
    },
    result: (): Offers => {
      const best = matching
        .map((candidate) => ({ ...candidate, score: scoreOf(candidate) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, PRODUCTS_MAX)
        .map(({ product, matched }) => ({ ...product, brief_relevance: relevance(matched, wanted) }));
      // A brief that only turns something down is met by everything else.
      const briefMatched = query.brief === undefined || best.length > 0 || isOnlyAgainst;
      return { products: best.length > 0 ? best : others, hidden, briefMatched };
    },
  };
}

function leftOutBy(
  product: EmbeddedProduct,
  { channels, countries, sale }: ProductQuery,
): LeftOut | undefined {
  const formats = product.format_ids.map(({ id }) => id);
  if (channels !== undefined && !runsOn({ channels: product.channels, formats }, channels)) return 'channels';
  const inCountry =
    countries === undefined ||
    product.countries.length === 0 ||
    countries.some((country) => product.countries.includes(country));
  return inCountry ? leftOutByTerms(product, sale) : 'countries';
}

/** The words of a brief, under their stems, without what it turns down. */
export function wantedIn(brief: string, turnedDown: readonly (readonly string[])[]): Map<string, string> {
  const against = new Set(turnedDown.flat());
  return new Map([...stemmedWordsOf(brief)].filter(([stem]) => !against.has(stem)));
}

function isTurnedDown(product: EmbeddedProduct, turnedDown: readonly (readonly string[])[]): boolean {
  if (turnedDown.length === 0) return false;
  const { name, description, channels, format_ids } = product;
  const on = wordsForChannels({ channels, formats: format_ids.map(({ id }) => id) });
  const words = stemmedWordsOf(`${name} ${withoutDenied(withoutRules(description))} ${on}`);
  return turnedDown.some((stems) => stems.every((stem) => words.has(stem)));
}

/** The stems that a product has in common with what is wanted: of what it is for, not of what it allows. */
function matchesOf(product: EmbeddedProduct, wanted: ReadonlyMap<string, string>): Map<string, boolean> {
  if (wanted.size === 0) return new Map();
  const inName = stemmedWordsOf(product.name);
  const around = stemmedWordsOf(`${withoutRules(product.description)} ${product.channels.join(' ')}`);
  const common = [...wanted.keys()].filter((stem) => inName.has(stem) || around.has(stem));
  return new Map(common.map((stem) => [stem, inName.has(stem)]));
}

/** In the words of the brief: stems are nothing to read. */
function relevance(matched: ReadonlyMap<string, boolean>, wanted: ReadonlyMap<string, string>): string {
  const words = [...matched.keys()].map((stem) => wanted.get(stem) ?? stem);
  return `Matches the brief in: ${words.join(', ')}.`;
}
