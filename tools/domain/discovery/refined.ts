import type { AgentTold } from '../../../store/discovery-sessions.ts';
import type { AnswerSaid } from '../sellers/product-query.ts';
import type { Placed } from './refinement.ts';
import type { Group, ReadProducts } from './seller-products.ts';
import { type Reply, repliesIn } from './told.ts';

/** What an answer comes to once the changes that were asked for are held against it. Pure. */

export interface Refined {
  readonly read: ReadProducts;
  readonly told: Pick<AgentTold, 'refinement'>;
}

interface Round {
  readonly asked: readonly Placed[];
  /** What the seller brought before. */
  readonly before: readonly Group[];
  /** What the seller says of it; nothing where it was not asked. */
  readonly said: AnswerSaid;
}

const SILENT = 'The seller does not say what it did.';
const KEPT = 'The seller did not return it: it is shown as it was.';

/** Products that are to be left out are, and those that are to stay do, whatever the seller did of it. */
export function refined(read: ReadProducts, { asked, before, said }: Round): Refined {
  const out = idsWith(asked, 'omit');
  const found = new Set(read.groups.flatMap(({ products }) => products.map(({ productId }) => productId)));
  const stay = new Set([...idsWith(asked, 'include'), ...idsWith(asked, 'more_like_this')]);
  const missing = new Set([...stay].filter((id) => !found.has(id)));
  const kept = only(before, (id) => missing.has(id));
  const groups = joined(
    only(read.groups, (id) => !out.has(id)),
    kept,
  );
  const products = groups.reduce((sum, group) => sum + group.products.length, 0);
  const replies = repliesIn(
    said,
    asked.map(({ item }) => item),
  );
  const refinement = asked.map((one, place) => ({
    index: one.index,
    ...replyTo(one, replies[place], missing),
  }));
  return { read: { ...read, groups, products }, told: { refinement } };
}

/** What is told of changes where the seller did not answer. */
export function unrefined(asked: readonly Placed[], notes: string): Pick<AgentTold, 'refinement'> {
  if (asked.length === 0) return {};
  return { refinement: asked.map(({ index }) => ({ index, status: 'unable', notes })) };
}

function idsWith(asked: readonly Placed[], action: string): ReadonlySet<string> {
  return new Set(
    asked.flatMap(({ item }) => (item.scope === 'product' && item.action === action ? [item.id] : [])),
  );
}

function only(groups: readonly Group[], isMeant: (productId: string) => boolean): Group[] {
  return groups.flatMap((group) => {
    const products = group.products.filter(({ productId }) => isMeant(productId));
    return products.length === 0 ? [] : [{ ...group, products }];
  });
}

function joined(groups: readonly Group[], more: readonly Group[]): Group[] {
  const all = new Map(groups.map((group) => [group.groupId, group]));
  for (const group of more) {
    const own = all.get(group.groupId);
    all.set(group.groupId, { ...group, products: [...(own?.products ?? []), ...group.products] });
  }
  return [...all.values()];
}

function replyTo({ item }: Placed, said: Reply | undefined, missing: ReadonlySet<string>): Reply {
  if (item.scope !== 'request' && item.action === 'omit') return { status: 'applied' };
  if (item.scope === 'product' && missing.has(item.id))
    return { status: 'partial', notes: said?.notes ?? KEPT };
  if (said !== undefined) return said;
  const isPlain = item.scope === 'product' && item.action === 'include' && item.ask === undefined;
  return isPlain ? { status: 'applied' } : { status: 'partial', notes: SILENT };
}
