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
  /** For troubled subscriptions, of those in all. */
  readonly troubled: number;
}

type Taken = Pick<Waiting, 'account' | 'troubled'>;

/**
 * Who is sent to next: the accounts in turn, the one with the fewest attempts under way first, and troubled
 * subscriptions after all others. Receivers that hang take the places of their account and of their kind alone.
 * What waits is given longest first, and without what is under way.
 */
export function nextTurns(
  waiting: readonly Waiting[],
  underWay: readonly Taken[],
  places: Places,
): readonly Waiting[] {
  const left = new Set(waiting);
  const begun: Waiting[] = [];
  const taken = takenBy(underWay);
  while (underWay.length + begun.length < places.inAll) {
    const next = firstOf(left, taken, places);
    if (next === undefined) break;
    left.delete(next);
    begun.push(next);
    taken.add(next);
  }
  return begun;
}

interface Count {
  troubled: number;
  of(account: number): number;
  add(one: Taken): void;
}

function takenBy(underWay: readonly Taken[]): Count {
  const perAccount = new Map<number, number>();
  const count: Count = {
    troubled: 0,
    of: (account) => perAccount.get(account) ?? 0,
    add: ({ account, troubled }) => {
      perAccount.set(account, count.of(account) + 1);
      if (troubled) count.troubled += 1;
    },
  };
  for (const one of underWay) count.add(one);
  return count;
}

function firstOf(left: Iterable<Waiting>, taken: Count, places: Places): Waiting | undefined {
  let first: Waiting | undefined;
  for (const one of left) {
    if (hasPlace(one, taken, places) && (first === undefined || comesBefore(one, first, taken))) first = one;
  }
  return first;
}

function hasPlace({ account, troubled }: Waiting, taken: Count, places: Places): boolean {
  return taken.of(account) < places.perAccount && (!troubled || taken.troubled < places.troubled);
}

function comesBefore(one: Waiting, other: Waiting, taken: Count): boolean {
  if (one.troubled !== other.troubled) return other.troubled;
  return taken.of(one.account) < taken.of(other.account);
}
