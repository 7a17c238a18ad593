import { describe, expect, test } from 'vitest';
import { fewWarnings, WARNINGS_MAX } from '../../tools/domain/buying/choice-problems.ts';

describe('warnings', () => {
  const many = (length: number) => Array.from({ length }, (_, index) => `Warning ${index}.`);

  test.each([0, 1, WARNINGS_MAX])('that are %i are told as they are', (length) => {
    expect(fewWarnings(many(length))).toEqual(many(length));
  });

  test('that are more are told in part, and the last one says how many are not', () => {
    expect(fewWarnings(many(WARNINGS_MAX + 5))).toEqual([
      ...many(WARNINGS_MAX - 1),
      'There are 6 more warnings.',
    ]);
  });
});
