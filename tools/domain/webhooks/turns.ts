/** A subscription with an event that waits. */
export interface Waiting {
  readonly id: string;
  /** Whose it is. */
  readonly account: number;
  /** Its last attempt failed or was slow. */
  readonly troubled: boolean;
}

/** How many attempts may be under way at a time. */
export interface Places {
  readonly inAll: number;
  readonly perAccount: number;
  /** For troubled subscriptions, of those in all: this many at the most. */
  readonly troubled: number;
  /**
   * And this many at the least, while any of them waits: a receiver that is well again has to get the chance to show
   * it.
   */
  readonly kept: number;
}

/** One place of an account is for its troubled subscriptions, where it has others beside it. */
const KEPT_OF_ACCOUNT = 1;

type Taken = Pick<Waiting, 'account' | 'troubled'>;

/**
 * Who is sent to next: the accounts in turn, the one with the fewest attempts under way first, and troubled
 * subscriptions after all others, but for the places that are kept for them. Receivers that hang take the places
 * of their account and of their kind alone. What waits is given longest first, and without what is under way.
 */
export function nextTurns(
  waiting: readonly Waiting[],
  underWay: readonly Taken[],
  places: Places,
): readonly Waiting[] {
  const left = new Set(waiting);
  const begun: Waiting[] = [];
  const [taken, waits] = [counted(underWay), counted(waiting)];
  while (taken.all < places.inAll) {
    const next = firstOf(left, { taken, waits, places });
    if (next === undefined) break;
    left.delete(next);
    begun.push(next);
    taken.add(next);
    waits.remove(next);
  }
  return begun;
}

interface Count {
  all: number;
  troubled: number;
  of(account: number): number;
  troubledOf(account: number): number;
  add(one: Taken): void;
  remove(one: Taken): void;
}

function counted(some: readonly Taken[]): Count {
  const perAccount = new Map<number, number>();
  const troubledOf = new Map<number, number>();
  const change = ({ account, troubled }: Taken, by: number) => {
    count.all += by;
    perAccount.set(account, count.of(account) + by);
    if (!troubled) return;
    count.troubled += by;
    troubledOf.set(account, count.troubledOf(account) + by);
  };
  const count: Count = {
    all: 0,
    troubled: 0,
    of: (account) => perAccount.get(account) ?? 0,
    troubledOf: (account) => troubledOf.get(account) ?? 0,
    add: (one) => change(one, 1),
    remove: (one) => change(one, -1),
  };
  for (const one of some) count.add(one);
  return count;
}

interface Standing {
  readonly taken: Count;
  readonly waits: Count;
  readonly places: Places;
}

function firstOf(left: Iterable<Waiting>, standing: Standing): Waiting | undefined {
  let first: Waiting | undefined;
  for (const one of left) {
    if (!hasPlace(one, standing)) continue;
    if (first === undefined || comesBefore(one, first, standing.taken)) first = one;
  }
  return first;
}

function hasPlace({ account, troubled }: Waiting, { taken, waits, places }: Standing): boolean {
  const more = places.troubled - taken.troubled;
  if (troubled) return taken.of(account) < places.perAccount && more > 0;
  const own = Math.min(KEPT_OF_ACCOUNT, places.perAccount - 1);
  const kept = Math.min(places.kept - taken.troubled, waits.troubled, more);
  const keptOfAccount = Math.min(own - taken.troubledOf(account), waits.troubledOf(account), more);
  return (
    taken.all + Math.max(0, kept) < places.inAll &&
    taken.of(account) + Math.max(0, keptOfAccount) < places.perAccount
  );
}

function comesBefore(one: Waiting, other: Waiting, taken: Count): boolean {
  if (one.troubled !== other.troubled) return other.troubled;
  return taken.of(one.account) < taken.of(other.account);
}
