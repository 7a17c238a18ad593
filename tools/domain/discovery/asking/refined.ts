import type { AgentTold } from '../../../../store/discovery-sessions.ts';
import type { AnswerSaid } from '../../sellers/product-query.ts';
import type { Placed } from '../refinement.ts';
import { type Reply, repliesIn } from '../told.ts';
import type { Proposal } from './proposals.ts';
import type { Group, ReadProducts } from './seller-products.ts';

/** What an answer comes to once the changes that were asked for are held against it. Pure. */

export interface Refined {
  readonly read: ReadProducts;
  readonly proposals: readonly Proposal[];
  readonly told: Pick<AgentTold, 'refinement'>;
}

interface Round {
  readonly asked: readonly Placed[];
  /** What the seller brought before. */
  readonly before: readonly Group[];
  readonly proposals: readonly Proposal[];
  /** What the seller says of it; nothing where it was not asked. */
  readonly said: AnswerSaid;
}

const SILENT = 'The seller does not say what it did.';
const GONE = 'The seller did not return it.';
const KEPT = 'The seller did not return it: it is shown as it was.';
const FILTERED = 'As the seller returned it, the filters of the session leave it out: it is shown as it was.';

/** Products that are to be left out are, and those that are to stay do, whatever the seller did of it. */
export function refined(read: ReadProducts, { asked, before, proposals, said }: Round): Refined {
  const out = idsWith(asked, 'product', 'omit');
  const plansOut = idsWith(asked, 'proposal', 'omit');
  const found = new Set(read.groups.flatMap(({ products }) => products.map(({ productId }) => productId)));
  const stay = new Set([
    ...idsWith(asked, 'product', 'include'),
    ...idsWith(asked, 'product', 'more_like_this'),
  ]);
  const missing = new Set([...stay].filter((id) => !found.has(id)));
  const kept = only(before, (id) => missing.has(id));
  const groups = joined(
    only(read.groups, (id) => !out.has(id)),
    kept,
  );
  const products = groups.reduce((sum, group) => sum + group.products.length, 0);
  const omitted = [...out].filter((id) => found.has(id) || hasProduct(before, id)).length;
  const hidden = omitted === 0 ? read.hidden : { ...read.hidden, refine: omitted };
  const replies = repliesIn(
    said,
    asked.map(({ item }) => item),
  );
  const plans = proposals.filter(
    ({ proposalId, allocations }) =>
      !plansOut.has(proposalId) && allocations.every(({ productId }) => !out.has(productId)),
  );
  const { filtered = new Set() } = read;
  const lost = {
    products: missing,
    filtered,
    isPlan: (id: string) => plans.some((one) => one.proposalId === id),
  };
  const refinement = asked.map((one, place) => ({
    index: one.index,
    ...replyTo(one, replies[place], lost),
  }));
  return { read: { ...read, groups, products, hidden }, proposals: plans, told: { refinement } };
}

/** A later answer of the same round without the products that are to be left out. */
export function withoutOmitted(read: ReadProducts, asked: readonly Placed[]): ReadProducts {
  const out = idsWith(asked, 'product', 'omit');
  if (out.size === 0) return read;
  const groups = only(read.groups, (id) => !out.has(id));
  return { ...read, groups, products: groups.reduce((sum, { products }) => sum + products.length, 0) };
}

/** What is told of changes where the seller did not answer. */
export function unrefined(asked: readonly Placed[], notes: string): Pick<AgentTold, 'refinement'> {
  if (asked.length === 0) return {};
  return { refinement: asked.map(({ index }) => ({ index, status: 'unable', notes })) };
}

function idsWith(asked: readonly Placed[], scope: string, action: string): ReadonlySet<string> {
  return new Set(
    asked.flatMap(({ item }) =>
      item.scope !== 'request' && item.scope === scope && item.action === action ? [item.id] : [],
    ),
  );
}

function hasProduct(groups: readonly Group[], id: string): boolean {
  return groups.some(({ products }) => products.some(({ productId }) => productId === id));
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

interface Lost {
  readonly products: ReadonlySet<string>;
  /** Those among them that came back as something that was not asked for. */
  readonly filtered: ReadonlySet<string>;
  isPlan(id: string): boolean;
}

function replyTo({ item }: Placed, said: Reply | undefined, lost: Lost): Reply {
  if (item.scope === 'request') return said ?? { status: 'partial', notes: SILENT };
  return item.action === 'omit'
    ? { status: 'applied' }
    : (lostReply(item, said, lost) ?? said ?? silentReply(item));
}

type Named = Exclude<Placed['item'], { scope: 'request' }>;

/** What did not come back, whatever is said of it. */
function lostReply({ scope, id }: Named, said: Reply | undefined, lost: Lost): Reply | undefined {
  if (scope === 'product') {
    if (!lost.products.has(id)) return undefined;
    return { status: 'partial', notes: lost.filtered.has(id) ? FILTERED : (said?.notes ?? KEPT) };
  }
  return lost.isPlan(id) ? undefined : { status: 'unable', notes: said?.notes ?? GONE };
}

function silentReply({ action, ask }: Named): Reply {
  const isPlain = action === 'include' && ask === undefined;
  return isPlain ? { status: 'applied' } : { status: 'partial', notes: SILENT };
}
