import { describe, expect, test } from 'vitest';
import {
  fewWarnings,
  type Remark,
  remarksTold,
  textsOf,
  WARNINGS_MAX,
} from '../../tools/domain/buying/choice/choice-warnings.ts';

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

  test('that are told always take no place of the others', () => {
    const always = ['Always.'];

    expect(fewWarnings(many(1), always)).toEqual([...always, ...many(1)]);
    expect(fewWarnings(many(WARNINGS_MAX + 5), always)).toEqual([
      ...always,
      ...fewWarnings(many(WARNINGS_MAX + 5)),
    ]);
  });

  test('that have a type are told with it in the same words, and so is how many are not told', () => {
    const remarks = many(WARNINGS_MAX + 5).map((text): Remark => ({ type: 'goal_left_out', text }));
    const { warnings = [] } = remarksTold(remarks);

    expect(warnings.map(({ hint }) => hint)).toEqual(fewWarnings(textsOf(remarks)));
    expect(warnings[0]).toEqual({ type: 'goal_left_out', hint: 'Warning 0.' });
    expect(warnings.at(-1)?.type).toBe('more_warnings');
    expect(remarksTold([])).toEqual({});
  });
});
