import type { Context } from './context.ts';
import { notConsented } from './errors/refusals.ts';

/** What a person is asked before a call goes on. */
export interface Question {
  readonly text: string;
  /** What is the same for as long as the answer holds: what is bought, where and by whom. */
  readonly about: string;
  /** What the answer allows at most, in minor units: the clock takes of it what is past meanwhile. */
  readonly atMost: number;
}

/** Whether a yes to one question holds for what would be asked by now. */
export function covers(confirmed: Question, now: Question | undefined): boolean {
  return now !== undefined && now.about === confirmed.about && now.atMost <= confirmed.atMost;
}

/** What a person said to a question; `none`: there was no answer in time. */
export type Consent = 'yes' | 'no' | 'none';

/** Asks the person behind the caller. Ends with the signal, at the latest. */
export type Ask = (question: Question, until: AbortSignal) => Promise<Consent>;

/**
 * Thrown by an `Ask` whose answer comes with another request: this one ends with the question, and did nothing.
 * It is no refusal, and the audit log does not tell of it.
 */
export class Unanswered extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super('A person has to be asked first.');
    this.question = question;
  }
}

interface Asking {
  readonly ask: Ask;
  readonly title: string;
  readonly question: Question;
}

/** Goes on when the person says yes. Time goes by, and nothing of the database is held meanwhile. */
export async function askConsent(ctx: Context, { ask, title, question }: Asking): Promise<void> {
  const patience = boundedBy(ctx);
  try {
    const consent = await ask(question, patience.signal);
    if (consent !== 'yes') throw notConsented(title, consent);
  } finally {
    patience.end();
  }
}

/** Ends when the caller leaves or may not go on, when the service stops, and when time is up. */
function boundedBy({ services, signal }: Context) {
  const over = new AbortController();
  const callOff = services.ports.clock.after(services.limits.answerTimeoutMs, () => over.abort());
  return { signal: AbortSignal.any([signal, services.stopping, over.signal]), end: callOff };
}
