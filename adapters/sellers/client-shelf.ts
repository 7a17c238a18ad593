import type { Clock } from '../../tools/core/ports.ts';

interface Closable {
  close(): Promise<void>;
}

/** A client that is in use until it is released. */
export interface Lease<C> {
  readonly client: Promise<C>;
  /** True for one that was there already, and may prove stale. */
  readonly kept: boolean;
  release(): void;
  /** The next one who asks gets a new client. */
  discard(): void;
}

export interface Shelf<C> {
  /** The client of an owner, made anew when its version is another. */
  lease(owner: string, version: string, make: () => Promise<C>): Lease<C>;
  /** Keeps the client of an owner no longer: it is closed now, or by its last user. */
  dismiss(owner: string): void;
  /** How many clients there are, those that wait for their last user included. */
  size(): number;
}

interface Entry<C> {
  readonly owner: string;
  readonly version: string;
  readonly client: Promise<C>;
  users: number;
  current: boolean;
  stayAwake(): void;
}

interface Terms {
  readonly clock: Clock;
  /** Clients that are kept. More only while all are in use. */
  readonly max: number;
  /** Milliseconds that an unused client is kept. */
  readonly idleMs: number;
  /** Closes them all. */
  readonly ended: AbortSignal;
}

/**
 * Clients kept for whoever asks again, one an owner. A client is closed when nobody has used it for a time, when
 * its owner changes or is dismissed, when there are too many, and at the end: never while somebody uses it, but for
 * the end.
 */
export function clientShelf<C extends Closable>({ clock, max, idleMs, ended }: Terms): Shelf<C> {
  /** By owner, the one that was used longest ago first. */
  const shelf = new Map<string, Entry<C>>();
  const open = new Set<Entry<C>>();

  const close = (entry: Entry<C>) => {
    entry.stayAwake();
    if (open.delete(entry)) entry.client.then((client) => client.close()).catch(() => {});
  };
  const retire = (entry: Entry<C>) => {
    entry.current = false;
    if (shelf.get(entry.owner) === entry) shelf.delete(entry.owner);
    if (entry.users === 0) close(entry);
  };
  const makeRoom = () => {
    for (const entry of shelf.values()) {
      if (shelf.size <= max) return;
      if (entry.users === 0) retire(entry);
    }
  };
  const release = (entry: Entry<C>) => {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (!entry.current) return close(entry);
    entry.stayAwake = clock.after(idleMs, () => retire(entry));
    makeRoom();
  };
  ended.addEventListener('abort', () => {
    for (const entry of open) close(entry);
    shelf.clear();
  });

  return {
    lease: (owner, version, make) => {
      const found = shelf.get(owner);
      const kept = found?.version === version ? found : undefined;
      if (found !== undefined && kept === undefined) retire(found);
      const entry = kept ?? {
        ...{ owner, version, client: make(), users: 0, current: true },
        stayAwake: () => {},
      };
      open.add(entry);
      entry.stayAwake();
      entry.users += 1;
      // What was used last stands last.
      shelf.delete(owner);
      shelf.set(owner, entry);
      makeRoom();
      if (ended.aborted) close(entry);
      let isHeld = true;
      return {
        client: entry.client,
        kept: kept !== undefined,
        release: () => {
          if (isHeld) release(entry);
          isHeld = false;
        },
        discard: () => retire(entry),
      };
    },
    dismiss: (owner) => {
      const found = shelf.get(owner);
      if (found !== undefined) retire(found);
    },
    size: () => open.size,
  };
}
