import { expect } from 'vitest';
import type { ErrorCode } from '../../tools/core/errors/catalogue.ts';
import type { Reply } from './client.ts';
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

/** Expects an envelope that refuses so: in these words, at these places and no others. */
export function expectRefusal(reply: Reply, status: number, { code, details, ...said }: Refusal): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({
    data: null,
    error: { code, ...(details === undefined ? {} : { details }) },
  });
  const { message } = wordsOf(reply);
  const places = placesOf(reply);
  const at = 'at' in said ? said.at : {};
  expect(Object.keys(places).sort(), `where: ${message}`).toEqual(Object.keys(at).sort());
  for (const [path, words] of Object.entries(at)) expectWords(places[path], words);
  if ('words' in said) expectWords(message, said.words);
}

function expectWords(said: unknown, words: Words): void {
  if (typeof words === 'string') expect(said).toBe(words);
  else expect(said).toMatch(words);
}
