import { expect } from 'vitest';
import type { Reply } from './client.ts';
import { wordsOf } from './refusal-words.ts';

/** Expects an envelope that refuses, in words that help. */
export function expectRefusal(reply: Reply, status: number, error: object): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, error });
  wordsOf(reply);
}
