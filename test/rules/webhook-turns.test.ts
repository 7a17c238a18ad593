import { describe, expect, test } from 'vitest';
import { nextTurns, type Waiting } from '../../tools/domain/webhooks/turns.ts';

const places = { inAll: 10, perAccount: 3, troubled: 2, kept: 1 };

const waits = (account: number, ids: string, troubled = false): Waiting[] =>
  [...ids].map((id) => ({ id, account, troubled }));
const flies = (account: number, times: number, troubled = false) =>
  Array.from({ length: times }, () => ({ account, troubled }));

describe('the next webhooks', () => {
  test.each([
    ['are the longest waiting', waits(1, 'ab'), [], 'ab'],
    ['are of the accounts in turn', [...waits(1, 'abc'), ...waits(2, 'xyz')], [], 'axbycz'],
    ['are of the account with the fewest under way', [...waits(1, 'a'), ...waits(2, 'x')], flies(1, 1), 'xa'],
    ['are as many as an account has places', waits(1, 'abcde'), [], 'abc'],
    ['leave out an account whose places are taken', [...waits(1, 'a'), ...waits(2, 'x')], flies(1, 3), 'x'],
    ['are troubled ones last', [...waits(1, 'a', true), ...waits(1, 'b')], [], 'ba'],
    ['are troubled ones for their share', [1, 2, 3].flatMap((of) => waits(of, `${of}`, true)), [], '12'],
    [
      'are a troubled one before the last place is gone',
      [...waits(1, 'a', true), ...waits(2, 'b')],
      flies(3, 9),
      'a',
    ],
    [
      'are a troubled one before the last place of its account is gone',
      [...waits(1, 'z', true), ...waits(1, 'abc')],
      [],
      'abz',
    ],
    [
      'are no troubled one beside one under way',
      [...waits(1, 'a', true), ...waits(2, 'b')],
      [...flies(3, 8), ...flies(4, 1, true)],
      'b',
    ],
    [
      'keep nothing for troubled ones that may not go',
      [...waits(1, 'z', true), ...waits(1, 'abc')],
      flies(3, 2, true),
      'abc',
    ],
    ['count troubled ones under way', [...waits(1, 'a', true), ...waits(2, 'b')], flies(3, 2, true), 'b'],
    ['are none while every place is taken', waits(1, 'a'), flies(2, 10), ''],
  ] as const)('%s', (...[, waiting, underWay, expected]) => {
    expect(
      nextTurns(waiting, underWay, places)
        .map(({ id }) => id)
        .join(''),
    ).toBe(expected);
  });
});
