import { expect } from 'vitest';
import { errorCatalogue } from '../../../tools/core/errors/catalogue.ts';
import { TRACE } from './traces.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Holds an answer to the interface's envelope: JSON and nothing else, `data` and `error` always there, a code
 * of the catalogue with a status of its own, and nothing of what went on inside.
 */
export function expectEnvelope(answer: Answer): void {
  const { status, headers, text } = answer;
  const type = headers instanceof Headers ? headers.get('content-type') : headers['content-type'];
  expect(type).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  const members = new Map(Object.entries(body ?? {}));
  expect([...members.keys()].filter((name) => name !== 'meta')).toEqual(['data', 'error']);
  if (status < 400) {
    expect(members.get('error')).toBeNull();
    return;
  }
  expect(members.get('data')).toBeNull();
  expectError(members.get('error'));
  expect(text).not.toMatch(/<html|<!doctype/i);
  expect(text).not.toMatch(TRACE);
}

function expectError(error: unknown): void {
  const members = new Map(Object.entries(error ?? {}));
  expect(Object.keys(errorCatalogue)).toContain(members.get('code'));
  expect(members.get('message')).toEqual(expect.stringMatching(/./));
  for (const name of members.keys()) expect(['code', 'message', 'field', 'details']).toContain(name);
}
