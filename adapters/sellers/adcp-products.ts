import { z } from 'zod';
import { turn } from '../../tools/core/event-loop-turn.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import type { AnswerSaid, OfferedProducts, Traced } from '../../tools/domain/sellers/product-query.ts';
import type { SlicedProducts } from './answers.ts';

/** What a seller answers to get_products (AdCP, media-buy). */

/** Characters of an answer, its products left out, that are kept for whoever looks into it. */
const KEPT_MAX = 4_000;

const productsAnswer = z.looseObject({ products: z.array(z.unknown()) });

interface Answer {
  readonly content: unknown;
  /** Where the answer was too large to be read at once. */
  readonly products: SlicedProducts | undefined;
}

/** The products of an answer, `max` of them at most, and what it says beside them. */
export async function offeredIn(
  { content, products: sliced }: Answer,
  max: number,
): Promise<OfferedProducts> {
  const { data } = productsAnswer.safeParse(content);
  if (data === undefined) throw new SellerError('invalid_response', 'The answer holds no list of products.');
  const { products: offered, proposals, refinement_applied, incomplete, cache_scope } = data;
  const said: AnswerSaid = { proposals, refinement_applied, incomplete, cache_scope };
  if (sliced !== undefined) {
    const read = await joined(sliced.slices);
    const beyond = Math.max(0, read.length - max);
    return Object.assign(read.slice(0, max), { leftOut: sliced.leftOut + beyond, said });
  }
  return Object.assign(offered.slice(0, max), { leftOut: Math.max(0, offered.length - max), said });
}

/** Puts together what came in slices, one at a turn of the event loop. */
async function joined(slices: readonly string[]): Promise<unknown[]> {
  const products: unknown[] = [];
  for (const slice of slices) {
    const read: unknown = JSON.parse(slice);
    if (Array.isArray(read)) products.push(...read);
    await turn();
  }
  return products;
}

/** An answer as it is kept to be looked into: how many products it has, the rest where that is short, and the whole. */
export function tracedAnswer({ content, products: sliced }: Answer): Traced {
  const { data } = productsAnswer.safeParse(content);
  const { products: found = [], ...rest } = data ?? {};
  const products = sliced === undefined ? found.length : sliced.slices.length === 0 ? 0 : undefined;
  const isShort = JSON.stringify(rest).length <= KEPT_MAX;
  return {
    type: 'response',
    message: data === undefined ? 'The answer holds no list of products.' : 'Answered get_products.',
    response: {
      ...(products === undefined ? { large: true } : { products }),
      ...(isShort ? rest : { leftOut: `More than ${KEPT_MAX} characters beside the products.` }),
    },
    raw: sliced === undefined ? content : { ...data, products: firstOf(sliced) },
  };
}

/** The first products of a large answer: the others are not read to be looked into. */
function firstOf({ slices: [first] }: SlicedProducts): unknown {
  return first === undefined ? [] : JSON.parse(first);
}
