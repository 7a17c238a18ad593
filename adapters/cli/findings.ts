import { causesOf } from '../net/causes.ts';

/** How long doctor waits for an answer of others. */
export const ASK_MS = 5_000;

/** What was found about one thing. */
export interface Finding {
  readonly state: 'fine' | 'warned' | 'failed';
  readonly about: string;
  readonly said: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export function fine(about: string, said: string): Finding {
  return { state: 'fine', about, said };
}

/** The service works, and somebody should look. */
export function warned(about: string, said: string, remedy: string): Finding {
  return { state: 'warned', about, said, remedy };
}

/** The service does not work, or will not for long. */
export function failed(about: string, said: string, remedy: string): Finding {
  return { state: 'failed', about, said, remedy };
}

/** What lies below what was thrown, in its own words. */
export function reasonOf(thrown: unknown): string {
  const causes = causesOf(thrown);
  const wordless = causes.findIndex(({ message }, depth) => depth > 0 && message === '');
  const { message } = causes.at(wordless === -1 ? -1 : wordless - 1) ?? { message: String(thrown) };
  return message.replace(ADVICE, '');
}

/** Node since version 24 advises a flag of its own: whom this service believes, its settings say. */
const ADVICE = /; if the root CA is installed locally.*$/;
