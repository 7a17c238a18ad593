import type { CompiledQuery, QueryResult } from 'kysely';
import type { Tenant } from './scope.ts';
import { createTurns } from './turns.ts';

/** How many reads may wait for their turn. */
export interface ReadBounds {
  /** In all: where there are more, whoever has most of them waiting loses the last one. */
  readonly waiting: number;
  /** Of one organization. */
  readonly waitingOfOne: number;
}

/** A read whose work grows with what is stored. */
export interface LongRead<R> {
  readonly query: CompiledQuery;
  /** Whose turn it takes. */
  readonly asker: Tenant;
  readonly inTransaction: boolean;
  /** Reads as everything else is read. */
  here(): Promise<QueryResult<R>>;
}

/** A database that has long reads take turns. */
export interface TakesTurns {
  readLong<R>(read: LongRead<R>): Promise<QueryResult<R>>;
}

export function takesTurns(adapter: object): adapter is TakesTurns {
  return 'readLong' in adapter;
}

/** Too many reads wait for the database, or this one has waited for too long. */
export class CrowdedError extends Error {
  constructor() {
    super('Too many reads wait for the database.');
    this.name = 'CrowdedError';
  }
}

interface Waiting {
  reject(error: unknown): void;
}

/**
 * Reads that wait for their turn. The organizations that ask take turns, so that one with long lists and many calls
 * waits for itself.
 */
export class ReadQueue<T extends Waiting> {
  readonly #turns = createTurns<T, number>();
  readonly #bounds: ReadBounds;

  constructor(bounds: ReadBounds) {
    this.#bounds = bounds;
  }

  /** Adds a read, or rejects one for which there is no room. Gives the way to take it out again. */
  add({ organizationId }: Tenant, read: T): () => void {
    if (this.#turns.of(organizationId).length >= this.#bounds.waitingOfOne) {
      read.reject(new CrowdedError());
      return () => {};
    }
    const withdraw = this.#turns.add(organizationId, read);
    if (this.#turns.size() > this.#bounds.waiting) this.#turns.drop()?.reject(new CrowdedError());
    return withdraw;
  }

  get isEmpty(): boolean {
    return this.#turns.size() === 0;
  }

  /** The read whose turn it is, of those organizations that may. */
  take(may?: (organizationId: number) => boolean): T | undefined {
    return this.#turns.take(may);
  }

  /** What was taken and could not be done yet is first of what its organization waits for. */
  giveBack(organizationId: number, read: T): void {
    this.#turns.giveBack(organizationId, read);
  }

  rejectAll(error: unknown): void {
    for (let read = this.#turns.take(); read !== undefined; read = this.#turns.take()) read.reject(error);
  }
}

export interface GateOptions extends ReadBounds {
  /** Reads under way at a time, and those of one organization among them. */
  readonly atOnce: number;
  readonly atOnceOfOne: number;
  /** Milliseconds that a read waits for its turn. */
  readonly waitMs: number;
}

interface Entering extends Waiting {
  readonly organizationId: number;
  enter(): void;
}

/** Lets few long reads at a database at a time, in turns between the organizations that ask. */
export class ReadGate {
  readonly #options: GateOptions;
  readonly #queue: ReadQueue<Entering>;
  /** Organizations with a read under way. */
  readonly #underWay = new Map<number, number>();
  #all = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#queue = new ReadQueue(options);
  }

  async run<T>(asker: Tenant, read: () => Promise<T>): Promise<T> {
    await this.#turn(asker);
    try {
      return await read();
    } finally {
      this.#count(asker.organizationId, -1);
      this.#letIn();
    }
  }

  /** At once where there is room and nobody waits for it. */
  #turn(asker: Tenant): Promise<void> | undefined {
    if (this.#isFree(asker)) {
      this.#count(asker.organizationId, 1);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        withdraw();
        reject(new CrowdedError());
      }, this.#options.waitMs).unref();
      const withdraw = this.#queue.add(asker, {
        organizationId: asker.organizationId,
        enter: () => {
          clearTimeout(late);
          resolve();
        },
        reject: (error) => {
          clearTimeout(late);
          reject(error);
        },
      });
      this.#letIn();
    });
  }

  #isFree({ organizationId }: Tenant): boolean {
    const { atOnce, atOnceOfOne } = this.#options;
    return this.#all < atOnce && this.#of(organizationId) < atOnceOfOne && this.#queue.isEmpty;
  }

  #letIn(): void {
    const may = (organizationId: number) => this.#of(organizationId) < this.#options.atOnceOfOne;
    while (this.#all < this.#options.atOnce) {
      const next = this.#queue.take(may);
      if (next === undefined) return;
      this.#count(next.organizationId, 1);
      next.enter();
    }
  }

  #of(organizationId: number): number {
    return this.#underWay.get(organizationId) ?? 0;
  }

  #count(organizationId: number, more: number): void {
    const count = this.#of(organizationId) + more;
    this.#all += more;
    if (count === 0) this.#underWay.delete(organizationId);
    else this.#underWay.set(organizationId, count);
  }
}
