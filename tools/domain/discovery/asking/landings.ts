import type { Services } from '../../../core/context.ts';
import type { Collection, Outcome } from './collect.ts';
import { ATTEMPTS, LandingLog, type Progress } from './landing-log.ts';

const TRY_AGAIN_MS = 100;

export interface Landings {
  /** One seller has settled; its products and its state become part of the snapshot. */
  land(outcome: Outcome): void;
  /** There is nobody to ask: the first revision is the last. */
  landNothing(): void;
  /** Resolves when the final revision is stored; rejects when everything has landed and cannot be stored. */
  readonly complete: Promise<void>;
}

/**
 * Turns outcomes into revisions: each is one transaction with its webhook rows, and its bytes are made once,
 * for the row, the event stream and every webhook.
 */
export function createLandings(services: Services, collection: Collection): Landings {
  const log = new LandingLog(services, collection);
  let running = false;
  let expected = collection.agents.length;
  let done: () => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const complete = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  // Nobody may be waiting yet, because sellers are still being asked: a rejection must not end the process.
  complete.catch(() => {});
  const run = async () => {
    running = true;
    try {
      return await log.storeAll();
    } finally {
      // At once, or an outcome that lands in between would find nobody to store it.
      running = false;
    }
  };
  const start = () => {
    if (!running) run().then(goOn, fail);
  };
  const goOn = ({ left, error }: Progress) => {
    if (left === 0) return log.isComplete ? done() : undefined;
    const isLast = left >= ATTEMPTS;
    if (isLast && expected === 0) return fail(error);
    services.log.warn(
      { err: error, discoveryId: collection.session.id },
      'a landing could not be stored yet',
    );
    // When it is given up for now, the next seller to land takes it along.
    if (!isLast) services.ports.clock.after(TRY_AGAIN_MS * 2 ** (left - 1), start);
  };
  return {
    complete,
    land: (outcome) => {
      expected -= 1;
      log.queue.push(outcome);
      start();
    },
    landNothing: start,
  };
}
