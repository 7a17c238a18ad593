import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { createTurns } from '../../store/engine/turns.ts';
import { packageRoot } from '../settings/package-root.ts';
import { READ_NAMES } from './read-names.ts';

const SCRIPT = join(packageRoot, 'adapters', 'sellers', 'answer-worker.mjs');
const THREADS = 2;
/** Memory of a thread, in megabytes: an answer that needs more ends the thread and nothing else. */
const MEMORY_MB = 512;
/** Of one source: where it sends more, the others of its organization still have room. */
const WAITING_OF_ONE = 8;

/** Whose answer it is. */
export interface AnswerOwner {
  readonly organizationId: number;
  readonly sourceId: string;
}

/** A large answer, read: what is left of the message, and its products in slices, each a list in JSON. */
export interface ReadAnswer {
  readonly message: string;
  readonly products: readonly string[] | undefined;
  /** Products that were counted and not read. */
  readonly leftOut: number;
}

/** An answer that nothing can be made of, or that came while too many others wait. */
export class UnreadableAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableAnswerError';
  }
}

export interface AnswerPool {
  /** Reads the JSON in these bytes, which are gone afterwards. */
  read(bytes: Uint8Array<ArrayBuffer>, turn: Turn): Promise<ReadAnswer>;
}

interface Turn {
  /** Whose turn it is. */
  readonly owner: AnswerOwner;
  readonly signal?: AbortSignal;
  /** The request that is answered, in JSON: of long lists what it asks for is read. */
  readonly asked?: string;
}

interface Job {
  readonly sourceId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly asked: string | undefined;
  done(answer: ReadAnswer): void;
  fail(error: Error): void;
}

/** A thread, and what it is at work on. */
interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

interface Limits {
  /** Products that are read of one answer. */
  readonly products: number;
  /** Answers that may wait, SELLER_ANSWERS_WAITING. */
  readonly waiting: number;
  readonly ended: AbortSignal;
}

const reply = z.object({
  message: z.string(),
  products: z.array(z.string()).optional(),
  leftOut: z.number().default(0),
});

/**
 * Few threads that read what is too large for the event loop. The organizations that sell take turns, so that
 * one who sends much waits for itself, however many sources it has. What waits is bounded: where there is no room,
 * whoever has most waiting loses the last of it. The threads start when they are needed and hold no process up.
 */
export function answerPool({ products, waiting: most, ended }: Limits): AnswerPool {
  const waiting = createTurns<Job>();
  const threads = new Set<Thread>();

  const next = () => {
    const thread = ended.aborted ? undefined : idleThread();
    const job = thread && waiting.take();
    if (thread === undefined || job === undefined) return;
    thread.job = job;
    thread.worker.postMessage({ bytes: job.bytes, asked: job.asked }, [job.bytes.buffer]);
  };
  const idleThread = (): Thread | undefined => {
    for (const thread of threads) if (thread.job === undefined) return thread;
    return threads.size < THREADS && waiting.size() > 0 ? startThread() : undefined;
  };
  const startThread = (): Thread => {
    const worker = openWorker(products);
    const thread: Thread = { worker, job: undefined };
    threads.add(thread);
    worker.on('message', (said: unknown) => {
      const { job } = thread;
      thread.job = undefined;
      settle(job, said);
      next();
    });
    const gone = () => {
      threads.delete(thread);
      thread.job?.fail(new UnreadableAnswerError('The answer takes more memory than it is given.'));
      thread.job = undefined;
      next();
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    return thread;
  };
  const end = () => {
    for (const { worker } of threads) worker.terminate().catch(() => {});
    for (let job = waiting.take(); job !== undefined; job = waiting.take()) job.fail(stopped());
  };
  ended.addEventListener('abort', end, { once: true });

  return {
    read: (bytes, { owner: { organizationId, sourceId }, signal, asked }) =>
      new Promise((resolve, reject) => {
        if (ended.aborted) return reject(stopped());
        const owner = String(organizationId);
        const own = waiting.of(owner).filter((job) => job.sourceId === sourceId);
        if (own.length >= WAITING_OF_ONE) return reject(tooMany());
        const withdraw = waiting.add(owner, { sourceId, bytes, asked, done: resolve, fail: reject });
        const late = () => {
          withdraw();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', late, { once: true });
        next();
        if (waiting.size() > most) waiting.drop()?.fail(tooMany());
      }),
  };
}

function openWorker(products: number): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  const worker = new Worker(SCRIPT, { workerData: { products, names: READ_NAMES }, resourceLimits });
  worker.unref();
  return worker;
}

function settle(job: Job | undefined, said: unknown): void {
  const { data } = reply.safeParse(said);
  if (data === undefined) job?.fail(new UnreadableAnswerError('The answer is no JSON.'));
  else job?.done({ message: data.message, products: data.products, leftOut: data.leftOut });
}

function tooMany(): Error {
  return new UnreadableAnswerError('Too many large answers wait to be read.');
}

function stopped(): Error {
  return new UnreadableAnswerError('The service was stopped before the answer was read.');
}
