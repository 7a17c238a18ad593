export interface Turns<T> {
  add(owner: string, item: T): () => void;
  /** The next item: of owners in turn, of each the one that came first. */
  take(): T | undefined;
  size(owner?: string): number;
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
    size: (owner) => {
      if (owner !== undefined) return queues.get(owner)?.length ?? 0;
      return [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);
    },
  };
}
