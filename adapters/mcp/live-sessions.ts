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
  /** Whether it is at work: what is stays, however many there are and however long it takes. */
  isBusy(held: T): boolean;
  /** Told of what goes. */
  gone(held: T): void;
}

interface Entry<T> {
  readonly held: T;
  usedAt: number;
}

/**
 * Room for live sessions that organizations share: one alone may take all of it, and the more come, the less is left
 * to each. Where it is full, whoever has most gives up the one that it used least lately, of those that are not at
 * work; while all are, there is one more.
 */
export function liveSessions<T>({ max, idleMs, clock, isBusy, gone }: Bounds<T>): LiveSessions<T> {
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
  const isIdle = ({ usedAt, held }: Entry<T>) => clock.now() - usedAt >= idleMs && !isBusy(held);
  const dropIdle = (organizationId: number) => {
    for (const [id, entry] of owned.get(organizationId) ?? []) {
      if (clock.now() - entry.usedAt < idleMs) break;
      if (!isBusy(entry.held)) drop({ organizationId, id });
    }
  };
  /** False when all are at work. */
  const dropOne = (): boolean => {
    const found = leastMissed(owned, isBusy);
    if (found !== undefined) drop(found);
    return found !== undefined;
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
      while (size > max && dropOne());
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

type IsBusy<T> = (held: T) => boolean;
type Entries<T> = ReadonlyMap<string, Entry<T>>;

/** The one of whoever has most that was used least lately, of those that are not at work. */
function leastMissed<T>(owned: ReadonlyMap<number, Entries<T>>, isBusy: IsBusy<T>): LiveKey | undefined {
  let most = 0;
  let found: LiveKey | undefined;
  for (const [organizationId, own] of owned) {
    const id = own.size > most ? atRest(own, isBusy) : undefined;
    if (id !== undefined) [most, found] = [own.size, { organizationId, id }];
  }
  return found;
}

function atRest<T>(own: Entries<T>, isBusy: IsBusy<T>): string | undefined {
  for (const [id, { held }] of own) if (!isBusy(held)) return id;
  return undefined;
}
