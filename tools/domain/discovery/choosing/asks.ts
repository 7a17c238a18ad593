import { stemmedWordsOf, withoutRules } from '../../sellers/embedded/words.ts';
import type { Product } from '../schema.ts';

/** A product of a session, and the group that it was found in. */
export interface Candidate {
  readonly product: Product;
  readonly groupId: string;
}

/** What a choice is to be like, in words and by example. Pure: the same words and products give the same figures. */
export interface Asks {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  readonly like: readonly Candidate[];
}

export const NOTHING_ASKED: Asks = { wanted: [], unwanted: [], like: [] };

/** What a shared trait counts beside a shared word. */
const TRAIT = 3;

/** How much a product answers: by the words it shares, and by what it has in common with those it is to be like. */
export function answerTo({ wanted, unwanted, like }: Asks, candidate: Candidate): number {
  const words = wordsIn(candidate);
  const shared = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + countShared(new Set(stemmedWordsOf(text).keys()), words), 0);
  const likeness = like.reduce((sum, one) => sum + likenessOf(one, candidate, words), 0);
  return shared(wanted) - shared(unwanted) + likeness;
}

function wordsIn({ product }: Candidate): ReadonlySet<string> {
  const { name, description = '', channels, briefRelevance = '' } = product;
  return new Set(
    stemmedWordsOf(`${name} ${withoutRules(description)} ${channels.join(' ')} ${briefRelevance}`).keys(),
  );
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
