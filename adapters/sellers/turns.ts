export interface Turns<T> {
  add(owner: string, item: T): () => void;
  /** The next item: of owners in turn, of each the one that came first. */
  take(): T | undefined;
  /** What came last of the owner that has most waiting: it waits no longer. */
  drop(): T | undefined;
  size(): number;
  /** What waits of an owner, the first first. */
  of(owner: string): readonly T[];
}

/** Items that wait, each with an owner. */
export function createTurns<T>(): Turns<T> {
  const queues = new Map<string, T[]>();
  return {
    add: (owner, item) => {
      const queue = queues.get(owner) ?? [];
      queues.set(owner, queue);
      queue.push(item);
      return () => {
        const at = queue.indexOf(item);
        if (at >= 0) queue.splice(at, 1);
      };
    },
    take: () => {
      for (const [owner, queue] of queues) {
        queues.delete(owner);
        const item = queue.shift();
        // Whose turn it was goes to the end.
        if (queue.length > 0) queues.set(owner, queue);
        if (item !== undefined) return item;
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
