import { expect } from 'vitest';
import type { ErrorCode } from '../../../tools/core/errors/catalogue.ts';
import type { Reply } from './client.ts';
import type { ServerEvent } from './event-reader.ts';
import { placesOf, wordsOf } from './refusal-words.ts';

/** All that is said; a pattern where a part of it is another one in every run, or too long to tell anything. */
type Words = string | RegExp;

/** Codes of which every refusal says where something is wrong. */
type PlacedCode =
  | 'VALIDATION_ERROR'
  | 'CURRENCY_MISMATCH'
  | 'INSUFFICIENT_MEDIA_BUDGET'
  | 'CAPABILITY_NOT_SUPPORTED'
  | 'NOT_IMPLEMENTED';

/** Every place that is wrong, by its path, with what is said of it. */
interface Placed {
  readonly at: Readonly<Record<string, Words>>;
}

interface Said {
  readonly words: Words;
}

/** What a caller is told: the code, where something is wrong, and in which words. */
export type Refusal = { readonly details?: object } & (
  | ({ readonly code: PlacedCode } & Placed)
  | ({ readonly code: Exclude<ErrorCode, PlacedCode> } & (Placed | Said))
);

type Answer = Pick<Reply, 'status' | 'body'>;

/** Expects an envelope that refuses so: in these words, at these places and no others. */
export function expectRefusal(reply: Answer, status: number, refusal: Refusal): void {
  expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  expectRefused(reply.body, refusal);
}

/** Expects that a stream ended with this event, and so. */
export function expectEnded(last: ServerEvent | undefined, refusal: Refusal): void {
  expect(last?.event).toBe('error');
  expectRefused(last?.payload, refusal);
}

/**
 * The code of a refusal whose words were seen to help a reader, for tables that are asked of everything there is:
 * a test of one refusal says its words too, by `expectRefusal`.
 */
export function refusalCode(reply: Pick<Reply, 'body'>): string {
  wordsOf(reply);
  return reply.body.error.code;
}

function expectRefused(body: Reply['body'], { code, details, ...said }: Refusal): void {
  expect(body).toMatchObject({
    data: null,
    error: { code, ...(details === undefined ? {} : { details }) },
  });
  const { message } = wordsOf({ body });
  const places = placesOf({ body });
  const at = 'at' in said ? said.at : {};
  expect(Object.keys(places).sort(), `where: ${message}`).toEqual(Object.keys(at).sort());
  for (const [path, words] of Object.entries(at)) expectWords(places[path], words);
  if ('words' in said) expectWords(message, said.words);
}

function expectWords(said: unknown, words: Words): void {
  if (typeof words === 'string') expect(said).toBe(words);
  else expect(said).toMatch(words);
}
