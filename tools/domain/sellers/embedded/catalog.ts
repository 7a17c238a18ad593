import { z } from 'zod';
import type { ProductQuery } from '../port.ts';

/** The fields of a stored product that the embedded seller works with. */
export const embeddedProduct = z.looseObject({
  product_id: z.string(),
  name: z.string(),
  description: z.string(),
  channels: z.array(z.string()),
  countries: z.array(z.string()).default([]),
  pricing_options: z.array(
    z.looseObject({
      pricing_option_id: z.string(),
      pricing_model: z.string(),
      currency: z.string(),
      fixed_price: z.number().optional(),
      floor_price: z.number().optional(),
      min_spend_per_package: z.number().optional(),
    }),
  ),
});

export type EmbeddedProduct = z.output<typeof embeddedProduct>;

const PRODUCTS_MAX = 50;
/** Words that say nothing about what is wanted. */
const FILLERS = new Set(
  (
    'a about ad ads after all an and any are as at be before brand buy by campaign can could day during every ' +
    'find for from get has have i if in into is it me month more most my need new of on or our over people ' +
    'product reach run show that the their them these they this those to us want we week when where which ' +
    'while who will with within would year'
  ).split(' '),
);

/**
 * What the embedded seller offers for a brief: what fits the filters, the best match first. Without words in
 * common with any product the whole offer is shown, and the buyer decides.
 */
export function offersFor(products: readonly EmbeddedProduct[], query: ProductQuery): EmbeddedProduct[] {
  const wanted = wordsOf(query.brief ?? '');
  const fitting = products.filter((product) => fits(product, query));
  const scored = fitting.map((product) => ({ product, score: scoreOf(product, wanted) }));
  const matching = scored.filter(({ score }) => score > 0);
  const shown = wanted.size === 0 || matching.length === 0 ? scored : matching;
  return shown
    .sort((one, other) => other.score - one.score)
    .slice(0, PRODUCTS_MAX)
    .map(({ product, score }) =>
      score > 0 ? { ...product, brief_relevance: relevance(product, wanted) } : product,
    );
}

function fits(product: EmbeddedProduct, { channels, countries }: ProductQuery): boolean {
  const onChannel = channels === undefined || channels.some((channel) => product.channels.includes(channel));
  const inCountry =
    countries === undefined ||
    product.countries.length === 0 ||
    countries.some((country) => product.countries.includes(country));
  return onChannel && inCountry;
}

/** The words that count, each under its stem. */
function wordsOf(text: string): Map<string, string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return new Map(words.filter((word) => !FILLERS.has(word)).map((word) => [stem(word), word]));
}

/** Cuts English endings, so that `runners` finds `running`. */
function stem(word: string): string {
  const cut = word.replace(/(?:ings?|ers?|es|s)$/, '');
  return cut.length < 3 ? word : cut.replace(/([^aeiouls])\1$/, '$1');
}

/** The stems that a product has in common with what is wanted. */
function matches(product: EmbeddedProduct, wanted: ReadonlyMap<string, string>): string[] {
  const offered = wordsOf(`${product.name} ${product.description} ${product.channels.join(' ')}`);
  return [...wanted.keys()].filter((word) => offered.has(word));
}

function scoreOf(product: EmbeddedProduct, wanted: ReadonlyMap<string, string>): number {
  const inName = wordsOf(product.name);
  return matches(product, wanted).reduce((sum, word) => sum + (inName.has(word) ? 2 : 1), 0);
}

/** In the words of the brief: stems are nothing to read. */
function relevance(product: EmbeddedProduct, wanted: ReadonlyMap<string, string>): string {
  const words = matches(product, wanted).map((word) => wanted.get(word) ?? word);
  return `Matches the brief in: ${words.join(', ')}.`;
}
