import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { numberOf } from '../../tools/domain/auditing/numbers.ts';

const PLACES = 4_096;
const MOMENT = '2026-12-01T09:00:00.000Z';
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const numbering = { key: 'a key', counted_until: 1_000_000 };
const first = numbering.counted_until + 1;

const number = (id: number, created_at = MOMENT, key = numbering.key) =>
  numberOf({ id, created_at }, { ...numbering, key }, digest);
const all = (created_at = MOMENT, key?: string) =>
  Array.from({ length: PLACES }, (_, index) => number(first + index, created_at, key));
/** How often one entry after another has the number that comes next, as counted ones have every time. */
const nextTo = (numbers: readonly number[]) =>
  numbers.filter((one, index) => one === (numbers[index - 1] ?? Number.NaN) + 1).length;

describe('the number of an entry of the audit log', () => {
  test('is another for each entry of a millisecond', () => {
    expect(new Set(all()).size).toBe(PLACES);
  });

  test('is higher in a later millisecond, and a whole number to the end of the century', () => {
    expect(Math.min(...all('2026-12-01T09:00:00.001Z'))).toBeGreaterThan(Math.max(...all()));
    expect(Number.isSafeInteger(Math.max(...all('2088-12-31T23:59:59.999Z')))).toBe(true);
  });

  test('does not tell how many lie between two of a millisecond', () => {
    const numbers = all();

    expect(nextTo(numbers)).toBeLessThan(16);
    // Halves of the distances are even: that two follow each other shows in no bit.
    const odd = numbers.filter(
      (one, index) => index > 0 && Math.abs(one - (numbers[index - 1] ?? 0)) % 2 === 1,
    );
    expect(odd.length / PLACES).toBeCloseTo(0.5, 1);
  });

  test('is placed otherwise in each millisecond and installation', () => {
    const places = (numbers: readonly number[]) => numbers.map((one) => one % PLACES);

    expect(places(all('2026-12-01T09:00:00.001Z'))).not.toEqual(places(all()));
    expect(places(all(MOMENT, 'another key'))).not.toEqual(places(all()));
  });

  test('stays what it was where it was shown before', () => {
    expect(number(numbering.counted_until)).toBe(numbering.counted_until);
    expect(number(7)).toBe(7);
    expect(Math.min(...all())).toBeGreaterThan(numbering.counted_until);
  });
});
