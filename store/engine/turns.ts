export interface Turns<T, Owner = string> {
  add(owner: Owner, item: T): () => void;
  /** Puts an item that was taken back in front of what waits of its owner. */
  giveBack(owner: Owner, item: T): void;
  /** The next item: of owners in turn, of each the one that came first. Those that may not are passed over. */
  take(may?: (owner: Owner) => boolean): T | undefined;
  /** What came last of the owner that has most waiting: it waits no longer. */
  drop(): T | undefined;
  size(): number;
  /** What waits of an owner, the first first. */
  of(owner: Owner): readonly T[];
}

/** Items that wait, each with an owner. */
export function createTurns<T, Owner = string>(): Turns<T, Owner> {
  const queues = new Map<Owner, T[]>();
  const queueOf = (owner: Owner) => {
    const queue = queues.get(owner) ?? [];
    queues.set(owner, queue);
    return queue;
  };
  const takeOf = (owner: Owner, queue: T[]) => {
    const item = queue.shift();
    // Whose turn it was goes to the end.
    queues.delete(owner);
    if (queue.length > 0) queues.set(owner, queue);
    return item;
  };
  return {
    add: (owner, item) => {
      const queue = queueOf(owner);
      queue.push(item);
      return () => {
        const at = queue.indexOf(item);
        if (at >= 0) queue.splice(at, 1);
      };
    },
    giveBack: (owner, item) => void queueOf(owner).unshift(item),
    take: (may = () => true) => {
      for (const [owner, queue] of queues) {
        if (queue.length === 0) queues.delete(owner);
        else if (may(owner)) return takeOf(owner, queue);
      }
      return undefined;
    },
    drop: () => {
      let longest: T[] = [];
      for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
      return longest.pop();
    },
    size: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    of: (owner) => queues.get(owner) ?? [],
  };
}
