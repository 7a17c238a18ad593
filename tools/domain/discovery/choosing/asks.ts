import { wordsForChannels } from '../../channels.ts';
import { stemmedWordsOf, withoutRules } from '../../sellers/embedded/words.ts';
import { missesOf, verdictOn } from '../asking/verdicts.ts';
import { type Rule, readInstructions, type Sentence } from '../instructions.ts';
import type { Product } from '../schema.ts';

/** A product of a session, and the group that it was found in. */
export interface Candidate {
  readonly product: Product;
  readonly groupId: string;
}

/** What a choice is to be like, in words and by example. Pure: the same words and products give the same figures. */
export interface Asks {
  /** Read as instructions: what they turn down, require or find too dear is not chosen. */
  readonly wanted: readonly Sentence[];
  /** What is said of single products: it orders the others, and keeps none of them out. */
  readonly preferred: readonly Sentence[];
  readonly unwanted: readonly string[];
  readonly like: readonly Candidate[];
}

export const NOTHING_ASKED: Asks = { wanted: [], preferred: [], unwanted: [], like: [] };

/** What texts ask for, in a campaign that pays in this currency. */
export function askedIn(texts: readonly string[], currency: string): Sentence[] {
  return texts.flatMap((text) => readInstructions(text, currency));
}

/** Why a product is not what was asked for; undefined where it may be. */
export function turnedDownBy({ wanted }: Asks, product: Product, currency: string): string | undefined {
  const misses = missesOf(verdictOn(product, wanted, currency));
  return misses.length === 0 ? undefined : [`${product.name} does not answer refine.`, ...misses].join(' ');
}

/** What a shared trait counts beside a shared word. */
const TRAIT = 3;

/** How much a product answers: by the words it shares, and by what it has in common with those it is to be like. */
export function answerTo({ wanted, preferred, unwanted, like }: Asks, candidate: Candidate): number {
  const words = wordsIn(candidate);
  const shared = (texts: readonly ReadonlySet<string>[]) =>
    texts.reduce((sum, stems) => sum + countShared(stems, words), 0);
  const likeness = like.reduce((sum, one) => sum + likenessOf(one, candidate, words), 0);
  const against = unwanted.map((text) => new Set(stemmedWordsOf(text).keys()));
  return shared([...wanted, ...preferred].map(stemsWanted)) - shared(against) + likeness;
}

function stemsWanted({ rules }: Sentence): ReadonlySet<string> {
  return new Set(rules.flatMap(stemsOf));
}

function stemsOf(rule: Rule): string[] {
  if (rule.kind === 'max_price' || rule.kind === 'exclude') return [];
  return rule.terms.flatMap((term) => [...term.keys()]);
}

function wordsIn({ product }: Candidate): ReadonlySet<string> {
  const { name, description = '', channels, formatIds, briefRelevance = '' } = product;
  const on = wordsForChannels({ channels, formats: formatIds.map(({ id }) => id) });
  return new Set(stemmedWordsOf(`${name} ${withoutRules(description)} ${on} ${briefRelevance}`).keys());
}

function likenessOf(one: Candidate, other: Candidate, words: ReadonlySet<string>): number {
  const formats = (of: Candidate) => new Set(of.product.formatIds.map(({ id }) => id));
  const traits =
    countShared(new Set(one.product.channels), new Set(other.product.channels)) +
    countShared(formats(one), formats(other)) +
    Number(one.groupId === other.groupId);
  return traits * TRAIT + countShared(wordsIn(one), words);
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}
