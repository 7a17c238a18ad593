import type { Clock } from '../../tools/core/ports.ts';

/** Whose it is, and which. */
export interface LiveKey {
  readonly organizationId: number;
  readonly id: string;
}

/** What this process has in memory for sessions. What is not there is made again when it is asked for. */
export interface LiveSessions<T> {
  get(key: LiveKey): T | undefined;
  set(key: LiveKey, held: T): void;
  delete(key: LiveKey): void;
  /** Gives all there is, and has nothing afterwards. */
  clear(): T[];
}

interface Bounds<T> {
  /** How many there are at the most, of all organizations. */
  readonly max: number;
  /** Milliseconds after which one that was not used goes. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Told of what goes. */
  gone(held: T): void;
}

interface Entry<T> {
  readonly held: T;
  usedAt: number;
}

/**
 * Room for live sessions that organizations share: one alone may take all of it, and the more come, the less is left
 * to each. Where it is full, whoever has most gives up the one that it used least lately.
 */
export function liveSessions<T>({ max, idleMs, clock, gone }: Bounds<T>): LiveSessions<T> {
  /** Of each organization those used least lately first. */
  const owned = new Map<number, Map<string, Entry<T>>>();
  let size = 0;

  const take = ({ organizationId, id }: LiveKey): Entry<T> | undefined => {
    const own = owned.get(organizationId);
    const entry = own?.get(id);
    if (own === undefined || entry === undefined) return undefined;
    own.delete(id);
    if (own.size === 0) owned.delete(organizationId);
    size -= 1;
    return entry;
  };
  const put = ({ organizationId, id }: LiveKey, held: T) => {
    const own = owned.get(organizationId) ?? new Map<string, Entry<T>>();
    owned.set(organizationId, own);
    own.set(id, { held, usedAt: clock.now() });
    size += 1;
  };
  const drop = (key: LiveKey) => {
    const entry = take(key);
    if (entry !== undefined) gone(entry.held);
  };
  const isIdle = ({ usedAt }: Entry<T>) => clock.now() - usedAt >= idleMs;
  const dropIdle = (organizationId: number) => {
    for (const [id, entry] of owned.get(organizationId) ?? []) {
      if (!isIdle(entry)) break;
      drop({ organizationId, id });
    }
  };
  const dropOne = () => {
    let [most, organizationId] = [0, 0];
    for (const [owner, own] of owned) if (own.size > most) [most, organizationId] = [own.size, owner];
    const [id] = owned.get(organizationId)?.keys() ?? [];
    if (id !== undefined) drop({ organizationId, id });
  };

  return {
    get: (key) => {
      const entry = take(key);
      if (entry === undefined) return undefined;
      if (isIdle(entry)) {
        gone(entry.held);
        return undefined;
      }
      put(key, entry.held);
      return entry.held;
    },
    set: (key, held) => {
      drop(key);
      dropIdle(key.organizationId);
      put(key, held);
      while (size > max) dropOne();
    },
    delete: drop,
    clear: () => {
      const all = [...owned.values()].flatMap((own) => [...own.values()].map((entry) => entry.held));
      owned.clear();
      size = 0;
      return all;
    },
  };
}
