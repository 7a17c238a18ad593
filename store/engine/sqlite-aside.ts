import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { rowMaker, rowsOf } from './codec.ts';
import { type ReadBounds, ReadQueue } from './read-turns.ts';
import type { Tenant } from './scope.ts';
import { failed, unavailableNow } from './sqlite-errors.ts';

/** Reads that the thread is given at a time. It hands back those of an organization that has had its turn. */
const TOGETHER = 64;
const THREAD = 'store/engine/aside.mjs';

interface Query {
  readonly id: number;
  /** Who asks. */
  readonly organizationId: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** True for one that was handed back before: it goes before those that came later. */
  readonly again: boolean;
}

interface Waiting {
  readonly query: Query;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** What the thread says of a query: its rows as lists, or why there are none. */
type Answer = { readonly id: number } & (
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly message: string; readonly code: string }
);

/** A query that the thread hands back: it comes in the next turn of its organization. */
interface HandedBack {
  readonly id: number;
  readonly isLeft: true;
}

/**
 * Reads beside the event loop, for queries whose work grows with what is stored: SQLite reads in the thread
 * that asks, and a list of one tenant with a million rows would hold up everybody. Sees what is committed. The
 * organizations that ask take turns: each has a millisecond of the thread, or one query that takes longer.
 */
export class Aside {
  readonly #options: { readonly path: string; readonly pragmas: readonly string[] };
  readonly #queue: ReadQueue<Waiting>;
  /** What the thread was given: few, so that whoever comes now has its turn soon. */
  readonly #underWay = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;
  /** Whether the thread is given more at the end of this turn: all at once, because each message takes its time. */
  #isDue = false;

  constructor(path: string, { pragmas, ...bounds }: ReadBounds & { readonly pragmas: readonly string[] }) {
    this.#options = { path, pragmas };
    this.#queue = new ReadQueue(bounds);
  }

  async read<R>({ sql, parameters }: CompiledQuery, asker: Tenant): Promise<QueryResult<R>> {
    this.#last += 1;
    const { organizationId } = asker;
    const query = { id: this.#last, organizationId, sql, parameters, again: false };
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#queue.add(asker, { query, resolve, reject });
      this.#handOverSoon();
    });
    if ('message' in answer) throw failed(answer);
    return { rows: rowsOf<R>(answer.rows, rowMaker(answer.columns)) };
  }

  #handOverSoon(): void {
    if (this.#isDue || this.#underWay.size > 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#handOver();
    });
  }

  #handOver(): void {
    while (this.#underWay.size < TOGETHER) {
      const next = this.#queue.take();
      if (next === undefined) break;
      this.#underWay.set(next.query.id, next);
    }
    if (this.#underWay.size === 0) return;
    this.#thread ??= this.#start();
    this.#thread.postMessage([...this.#underWay.values()].map(({ query }) => query));
  }

  #start(): Worker {
    const thread = new Worker(threadFile(), { workerData: this.#options });
    thread.unref();
    thread.on('message', (answers: readonly (Answer | HandedBack)[]) => {
      // The last first: each is put before those that wait already.
      for (const answer of answers.toReversed()) this.#hear(answer);
      if (this.#underWay.size === 0) this.#handOver();
    });
    const end = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#end(error);
    };
    thread.on('error', end);
    thread.on('exit', () => end(unavailableNow()));
    return thread;
  }

  #hear(answer: Answer | HandedBack): void {
    const waiting = this.#underWay.get(answer.id);
    if (waiting === undefined) return;
    this.#underWay.delete(answer.id);
    if (!('isLeft' in answer)) waiting.resolve(answer);
    else {
      const { query } = waiting;
      this.#queue.giveBack(query.organizationId, { ...waiting, query: { ...query, again: true } });
    }
  }

  #end(error: unknown): void {
    for (const { reject } of this.#underWay.values()) reject(error);
    this.#underWay.clear();
    this.#queue.rejectAll(error);
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#end(unavailableNow());
  }
}

/** The thread's file is no part of the build: it stands where the sources stand. */
function threadFile(folder = new URL('.', import.meta.url)): URL {
  const file = new URL(THREAD, folder);
  if (existsSync(file)) return file;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`${THREAD} is missing.`);
  return threadFile(parent);
}
