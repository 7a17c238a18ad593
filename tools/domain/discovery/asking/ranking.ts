import { boundedText } from '../../text.ts';
import type { Sentence } from '../instructions.ts';
import type { Product } from '../schema.ts';
import type { Group } from './seller-products.ts';
import { type Verdict, verdictOn } from './verdicts.ts';

const RATIONALE_MAX = 500;

/**
 * The products of each group, those first that answer most of what is wished. Those alike stay in their order. Pure.
 */
export function ranked(groups: readonly Group[], wishes: readonly Sentence[], currency: string): Group[] {
  return groups.map((group) => {
    const scored = group.products.map((product) => {
      const verdict = verdictOn(product, wishes, currency);
      return { product, verdict, score: scoreOf(verdict) };
    });
    const best = [...scored].sort((one, other) => other.score - one.score);
    return {
      ...group,
      products: best.map((one, place) => withRank(one.product, { ...one, rank: place + 1 })),
    };
  });
}

/** What it has of what is wished; half of that where it misses what has to be. */
function scoreOf({ quality = 0, decision }: Verdict): number {
  return Math.round((decision === 'accept' ? quality : quality / 2) * 1_000) / 1_000;
}

interface Place {
  readonly verdict: Verdict;
  readonly score: number;
  readonly rank: number;
}

function withRank(product: Product, { verdict, score, rank }: Place): Product {
  if (product.evaluation === undefined) return product;
  const told = verdict.reasons.join(' ') || 'Nothing of it was asked for.';
  const ranking = { rank, score, rationale: boundedText(told, RATIONALE_MAX), provisional: false };
  return { ...product, evaluation: { ...product.evaluation, ranking } };
}
