import type { RefinementItem } from '../../../../store/discovery-sessions.ts';
import { type EmbeddedProduct, wantedIn } from './catalog.ts';
import { stemmedWordsOf, withoutRules } from './words.ts';

/** How the embedded seller takes changes of its offer (AdCP, get_products, refine): by words. Pure. */

/** What a product is, in words. */
function textOf({ name, description, channels }: EmbeddedProduct): string {
  return `${name} ${withoutRules(description)} ${channels.join(' ')}`;
}

/** A product by its id, as far as it is still offered. */
export type Offered = ReadonlyMap<string, EmbeddedProduct>;

/** The products that the changes name. */
export function productsNamedIn(items: readonly RefinementItem[]): string[] {
  return [...new Set(items.flatMap((item) => (item.scope === 'product' ? [item.id] : [])))];
}

/** The brief with everything that is wanted beside it. */
export function refinedBrief(
  brief: string | undefined,
  items: readonly RefinementItem[],
  named: Offered,
): string | undefined {
  const wanted = items.map((item) => wantedBy(item, named)).filter((text) => text !== '');
  return wanted.length === 0 ? brief : [brief ?? '', ...wanted].join(' ');
}

function wantedBy(item: RefinementItem, named: Offered): string {
  if (item.scope === 'request') return item.ask;
  if (item.scope !== 'product' || item.action !== 'more_like_this') return '';
  const product = named.get(item.id);
  return `${product === undefined ? '' : textOf(product)} ${item.ask ?? ''}`;
}

/** The offer with what has to be in it at the front, and without what has to be out of it. */
export function refinedOffer(
  offer: readonly EmbeddedProduct[],
  items: readonly RefinementItem[],
  named: Offered,
): EmbeddedProduct[] {
  const ids = (isMeant: (action: string) => boolean) =>
    new Set(items.flatMap((item) => (item.scope === 'product' && isMeant(item.action) ? [item.id] : [])));
  const out = ids((action) => action === 'omit');
  const first = ids((action) => action !== 'omit');
  const kept = [...first].flatMap((id) => named.get(id) ?? []);
  return [...kept, ...offer.filter(({ product_id: id }) => !first.has(id) && !out.has(id))];
}

interface Known {
  readonly named: Offered;
  /** What the changes turn down. */
  readonly turnedDown: readonly (readonly string[])[];
}

/** What became of each change, as AdCP has it. */
export function repliesTo(items: readonly RefinementItem[], offer: readonly EmbeddedProduct[], known: Known) {
  return items.map((item) => {
    if (item.scope === 'request') return { scope: item.scope, ...replyOn(item.ask, offer, known) };
    const own = item.scope === 'product' ? { product_id: item.id } : { proposal_id: item.id };
    return { scope: item.scope, ...own, ...replyAbout(item, offer, known) };
  });
}

function replyAbout(
  item: Exclude<RefinementItem, { scope: 'request' }>,
  offer: readonly EmbeddedProduct[],
  known: Known,
) {
  const { named } = known;
  if (item.scope === 'proposal') return { status: 'unable', notes: 'It makes no proposals.' };
  if (item.action === 'omit') return { status: 'applied' };
  if (!named.has(item.id)) return { status: 'unable', notes: 'The product is not offered any more.' };
  if (item.action === 'more_like_this') {
    return replyOn(
      wantedBy(item, named),
      offer.filter(({ product_id }) => product_id !== item.id),
      known,
    );
  }
  return item.ask === undefined
    ? { status: 'applied' }
    : { status: 'partial', notes: 'Its products are sold as they are.' };
}

function replyOn(asked: string, offer: readonly EmbeddedProduct[], { turnedDown }: Known) {
  const words = wantedIn(asked, turnedDown);
  const against = [...stemmedWordsOf(asked)].flatMap(([stem, word]) => (words.has(stem) ? [] : [word]));
  const out = against.length === 0 ? '' : `Left out: ${against.join(', ')}.`;
  const found = [...words.keys()].filter((stem) =>
    offer.some((product) => stemmedWordsOf(textOf(product)).has(stem)),
  );
  if (found.length === 0 && words.size === 0 && out !== '') return { status: 'applied', notes: out };
  if (found.length === 0) {
    return {
      status: out === '' ? 'unable' : 'partial',
      notes: `Nothing it has shares a word with that. ${out}`.trim(),
    };
  }
  const by = `Found by: ${found.map((stem) => words.get(stem) ?? stem).join(', ')}.`;
  return { status: 'applied', notes: `${by} ${out}`.trim() };
}
