import type { Clock } from '../../tools/core/ports.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import type { AnswerSaid, OfferedProducts } from '../../tools/domain/sellers/product-query.ts';
import { offeredIn } from './adcp-products.ts';
import { readId } from './adcp-reading.ts';
import { PAGE, pageAfter } from './pages.ts';
import type { Asked } from './seller-calls.ts';

/** All products of a seller that gives them page by page (AdCP, get_products). */

/** More pages than the products that are taken of one seller fill. */
const PAGES_MAX = 20;
/** How much of the time that the seller has its pages may take: those that came are not to be lost with a late one. */
const PAGES_PART = 0.8;

const MORE = { scope: 'products', description: 'The seller has further products, which were not read.' };

/** What asks for a page: for the first with nothing. */
type AskPage = (request: { readonly pagination?: object }, signal: AbortSignal) => Promise<Asked>;

interface Bounds {
  readonly clock: Clock;
  /** Products that are read. */
  readonly max: number;
  /** How long the seller has for all its pages. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

/** The first page has to come; of the further ones those are taken that come in time. */
export async function allPages(askPage: AskPage, bounds: Bounds): Promise<OfferedProducts> {
  const { clock, max, milliseconds, signal } = bounds;
  const endsAt = clock.now() + milliseconds * PAGES_PART;
  const answer = await askPage({}, signal);
  const first = await offeredIn(answer, max);
  const next = pageAfter(answer.content);
  if (next === undefined) return first;
  const late = new AbortController();
  const expire = () => late.abort(new SellerError('timeout', 'Its pages take too long.'));
  const cancel = clock.after(Math.max(0, endsAt - clock.now()), expire);
  try {
    return await withFurther(askPage, { first, next, max, signal: AbortSignal.any([signal, late.signal]) });
  } finally {
    cancel();
  }
}

interface Begun extends Pick<Bounds, 'max' | 'signal'> {
  readonly first: OfferedProducts;
  readonly next: ReturnType<typeof pageAfter>;
}

async function withFurther(askPage: AskPage, begun: Begun): Promise<OfferedProducts> {
  const { first, max, signal } = begun;
  const products = [...first];
  const seen = new Set<string>();
  const said = [first.said ?? {}];
  let { next } = begun;
  let leftOut = first.leftOut ?? 0;
  // A seller that passes over cursors gives the same page again and again.
  while (
    next?.cursor !== undefined &&
    !seen.has(next.cursor) &&
    seen.size < PAGES_MAX &&
    products.length < max
  ) {
    seen.add(next.cursor);
    const asked = askPage({ pagination: { max_results: PAGE, cursor: next.cursor } }, signal);
    const page = await pageIn(asked, max - products.length);
    if (page === undefined) break;
    products.push(...page.offered);
    leftOut += page.offered.leftOut ?? 0;
    said.push(page.offered.said ?? {});
    next = page.next;
  }
  return Object.assign(products, { leftOut, said: saidOfAll(said, next === undefined ? [] : [MORE]) });
}

/** What all pages say: the plans of each, once, and what each calls incomplete. */
function saidOfAll(said: readonly AnswerSaid[], gaps: readonly unknown[]): AnswerSaid {
  const incomplete = [...gaps, ...said.flatMap((page) => listIn(page.incomplete))];
  const proposed = said.flatMap((page) => listIn(page.proposals));
  const proposals = new Map(proposed.map((one) => [proposalId(one) ?? one, one]));
  return {
    ...said[0],
    ...(proposals.size === 0 ? {} : { proposals: [...proposals.values()] }),
    ...(incomplete.length === 0 ? {} : { incomplete }),
  };
}

function proposalId(told: unknown): string | undefined {
  return isFields(told) ? readId(told['proposal_id']) : undefined;
}

/** More of either than are read of one answer. */
const LISTED_MAX = 100;

function listIn(told: unknown): unknown[] {
  return Array.isArray(told) ? told.slice(0, LISTED_MAX) : [];
}

/** Undefined where the seller does not give it. */
async function pageIn(asked: Promise<Asked>, max: number) {
  try {
    const answer = await asked;
    return { offered: await offeredIn(answer, max), next: pageAfter(answer.content) };
  } catch (error) {
    if (error instanceof SellerError) return undefined;
    throw error;
  }
}
