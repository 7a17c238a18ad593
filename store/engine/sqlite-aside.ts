import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { rowMaker, rowsOf } from './codec.ts';
import { failed, unavailableNow } from './sqlite-errors.ts';

/** Who would have to wait behind more than these had better come back later. */
const WAITING_MAX = 200;
const THREAD = 'store/engine/aside.mjs';

interface Query {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** What the thread says of a query: its rows as lists, or why there are none. */
type Answer = { readonly id: number } & (
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly message: string; readonly code: string }
);

/**
 * Reads beside the event loop, for queries whose work grows with what is stored: SQLite reads in the thread
 * that asks, and a list of one tenant with a million rows would hold up everybody. Sees what is committed.
 */
export class Aside {
  readonly #options: { readonly path: string; readonly pragmas: readonly string[] };
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;
  /** What was asked in this turn of the event loop: handed over at once, because each message takes its time. */
  #asked: Query[] = [];

  constructor(path: string, pragmas: readonly string[]) {
    this.#options = { path, pragmas };
  }

  async read<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#waiting.size >= WAITING_MAX) throw unavailableNow();
    this.#last += 1;
    const id = this.#last;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#asked.length === 0) setImmediate(() => this.#handOver());
      this.#asked.push({ id, sql, parameters });
    });
    if ('message' in answer) throw failed(answer);
    return { rows: rowsOf<R>(answer.rows, rowMaker(answer.columns)) };
  }

  #handOver(): void {
    const asked = this.#asked;
    this.#asked = [];
    // Who waited when the thread ended is told so already.
    const queries = asked.filter(({ id }) => this.#waiting.has(id));
    if (queries.length === 0) return;
    this.#thread ??= this.#start();
    this.#thread.postMessage(queries);
  }

  #start(): Worker {
    const thread = new Worker(threadFile(), { workerData: this.#options });
    thread.unref();
    thread.on('message', (answers: readonly Answer[]) => {
      for (const answer of answers) {
        this.#waiting.get(answer.id)?.resolve(answer);
        this.#waiting.delete(answer.id);
      }
    });
    const end = (error: unknown) => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    thread.on('error', end);
    thread.on('exit', () => end(unavailableNow()));
    return thread;
  }

  async close(): Promise<void> {
    this.#handOver();
    await this.#thread?.terminate();
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
