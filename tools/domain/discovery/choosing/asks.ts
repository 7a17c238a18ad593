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

/** How much a candidate answers: by the words it shares, and by what it has in common with those it is to be like. */
export type Answer = (candidate: Candidate) => number;

/** What is asked is read here, once for all of its candidates. */
export function answersTo({ wanted, preferred, unwanted, like }: Asks): Answer {
  const asked = [...wanted, ...preferred].map(stemsWanted);
  const against = unwanted.map((text) => new Set(stemmedWordsOf(text).keys()));
  const examples = like.map(traitsOf);
  return (candidate) => {
    const own = traitsOf(candidate);
    const shared = (texts: readonly ReadonlySet<string>[]) =>
      sumOf(texts, (one) => countShared(one, own.words));
    return shared(asked) - shared(against) + sumOf(examples, (one) => likenessOf(one, own));
  };
}

function stemsWanted({ rules }: Sentence): ReadonlySet<string> {
  return new Set(rules.flatMap(stemsOf));
}

function stemsOf(rule: Rule): string[] {
  if (rule.kind === 'max_price' || rule.kind === 'exclude') return [];
  return rule.terms.flatMap((term) => [...term.keys()]);
}

/** What two products can have in common. */
interface Traits {
  readonly words: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
  readonly formats: ReadonlySet<string>;
  readonly groupId: string;
}

function traitsOf({ product, groupId }: Candidate): Traits {
  const { name, description = '', channels, formatIds, briefRelevance = '' } = product;
  const formats = formatIds.map(({ id }) => id);
  const told = `${name} ${withoutRules(description)} ${wordsForChannels({ channels, formats })} ${briefRelevance}`;
  return {
    words: new Set(stemmedWordsOf(told).keys()),
    channels: new Set(channels),
    formats: new Set(formats),
    groupId,
  };
}

function likenessOf(one: Traits, other: Traits): number {
  const traits =
    countShared(one.channels, other.channels) +
    countShared(one.formats, other.formats) +
    Number(one.groupId === other.groupId);
  return traits * TRAIT + countShared(one.words, other.words);
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((word) => other.has(word)).length;
}

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}
