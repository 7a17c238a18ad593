import { describe, expect, test } from 'vitest';
import type { Reply } from '../support/callers/client.ts';
import { expectRefusal, type Refusal } from '../support/callers/refusals.ts';

const replyWith = (error: object): Reply => ({
  status: 409,
  headers: new Headers(),
  text: '',
  body: { data: null, error },
});

const suggestion = 'Read it again, and repeat the change.';
const said = replyWith({ code: 'CONFLICT', message: 'The campaign is ARCHIVED.', details: { suggestion } });
const at = {
  name: 'Required: give a string.',
  'budget.total': '1 at the least.',
};
const issues = Object.entries(at).map(([path, message]) => ({ path, message }));
const message = issues.map((one) => `${one.path}: ${one.message}`).join(' ');
const placed = replyWith({ code: 'VALIDATION_ERROR', message, details: { issues, suggestion } });
const undeclared = replyWith({
  code: 'CAPABILITY_NOT_SUPPORTED',
  message: 'action: The seller declares no pause. Nothing was changed.',
  details: { unsupported: [{ field: 'action', reason: 'The seller declares no pause.' }], suggestion },
});

/** Each test that reads a refusal says what it reads: code, places and words. */
describe('a refusal', () => {
  test.each<[string, Reply, Refusal]>([
    ['without places', said, { code: 'CONFLICT', words: 'The campaign is ARCHIVED.' }],
    ['with words of which a part is known', said, { code: 'CONFLICT', words: /ARCHIVED\.$/ }],
    ['with every place', placed, { code: 'VALIDATION_ERROR', at }],
    [
      'of what a seller does not declare',
      undeclared,
      { code: 'CAPABILITY_NOT_SUPPORTED', at: { action: 'The seller declares no pause.' } },
    ],
  ])('%s is what was expected', (_what, reply, refusal) => {
    expectRefusal(reply, 409, refusal);
  });

  test.each<[string, Reply, Refusal]>([
    ['of another code', said, { code: 'NOT_FOUND', words: 'The campaign is ARCHIVED.' }],
    ['in other words', said, { code: 'CONFLICT', words: 'The campaign is ARCHIVED' }],
    ['in words without the known part', said, { code: 'CONFLICT', words: /COMPLETED/ }],
    [
      'at a place where nothing is wrong',
      said,
      { code: 'CONFLICT', at: { name: 'The campaign is ARCHIVED.' } },
    ],
    ['at a place that was left out', placed, { code: 'VALIDATION_ERROR', at: { name: at.name } }],
    ['in other words at a place', placed, { code: 'VALIDATION_ERROR', at: { ...at, name: 'Required.' } }],
    ['with other details', said, { code: 'CONFLICT', words: /./, details: { suggestion: 'Wait.' } }],
  ])('%s is not', (_what, reply, refusal) => {
    expect(() => expectRefusal(reply, 409, refusal)).toThrow();
  });

  test('with another status is not', () => {
    expect(() => expectRefusal(said, 422, { code: 'CONFLICT', words: /./ })).toThrow();
  });
});
