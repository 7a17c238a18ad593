import { describe, expect, test } from 'vitest';
import { wordsOf } from '../support/callers/refusal-words.ts';

/** A refusal with everything that a reader wants. */
const good = {
  code: 'VALIDATION_ERROR',
  message: 'name: Required: give a string. budget.total: 1 at the least.',
  field: undefined,
  details: {
    issues: [
      { path: 'name', message: 'Required: give a string.' },
      { path: 'budget.total', message: '1 at the least.' },
    ],
    suggestion: 'Correct the fields named in details.issues and send the request again.',
  },
};

const refusal = (changes: object) => ({ body: { data: null, error: { ...good, ...changes } } });

/** Every test that reads a refusal holds it to these rules. */
describe('the words of a refusal', () => {
  test('are given as they were said', () => {
    expect(wordsOf(refusal({}))).toEqual({
      message: good.message,
      suggestion: good.details.suggestion,
      field: undefined,
      issues: good.details.issues,
    });
  });

  const one = { issues: [{ path: 'name', message: 'Too short.' }], suggestion: 'Give a longer one.' };
  test.each([
    ['no message', { message: '' }],
    ['a message that does not end', { message: 'name: Required: give a string' }],
    ['a message that is a code', { message: 'VALIDATION_ERROR.' }],
    ['a message with a hole in it', { message: 'No such undefined.' }],
    ['a list of nothing', { message: 'Unknown field. Known here: .' }],
    ['an object where words belong', { message: 'Give [object Object] instead.' }],
    ['a path that the message does not name', { message: 'name: Required: give a string.' }],
    ['an issue without a sentence', { details: { ...one, issues: [{ path: 'name', message: 'short' }] } }],
    ['no suggestion, though the caller can do something', { details: { issues: good.details.issues } }],
    [
      'a question whether the field was meant that was given',
      {
        message: 'name: Did you mean name?',
        details: { ...one, issues: [{ path: 'name', message: 'Did you mean name?' }] },
      },
    ],
    [
      'a thing to do that nobody knows the way to',
      { code: 'CONFLICT', message: 'It is over.', details: { suggestion: 'Create another campaign.' } },
    ],
    ['a suggestion that is no sentence', { details: { ...good.details, suggestion: 'retry' } }],
    ['one wrong field that is not named as such', { message: 'name: Too short.', details: one }],
    ['a code that nobody knows', { code: 'OOPS' }],
  ])('are refused with %s', (_what, changes) => {
    expect(() => wordsOf(refusal(changes))).toThrow();
  });
});
