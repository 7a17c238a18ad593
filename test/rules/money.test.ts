import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  currencyCode,
  decimalsOf,
  readMoney,
  roundToMinor,
  shareEqually,
  toMajor,
  toMinor,
} from '../../tools/domain/money.ts';

const currencies = Intl.supportedValuesOf('currency');
const currency = fc.constantFrom(...currencies);
/** As much as a budget can be (1e12 units), in the smallest units of a currency with few of them. */
const minor = fc.integer({ min: -1e14, max: 1e14 });

describe('money', () => {
  test('goes to major units and back without a loss, in every currency', () => {
    for (const code of currencies) {
      fc.assert(
        fc.property(minor, (amount) => toMinor(toMajor(amount, code), code) === amount),
        { numRuns: 50 },
      );
    }
  });

  test('reads a decimal as it is written, digit for digit', () => {
    fc.assert(
      fc.property(currency, fc.nat(999_999_999), fc.nat(9_999), (code, whole, part) => {
        const places = decimalsOf(code);
        const digits = places === 0 ? '' : String(part).padStart(places, '0').slice(-places);
        const text = places === 0 ? `${whole}` : `${whole}.${digits}`;
        expect(toMinor(Number(text), code)).toBe(Number(`${whole}${digits}`));
      }),
    );
  });

  test.each([
    [0.1 + 0.2, 'USD', undefined],
    [1.005, 'USD', undefined],
    [1.15, 'USD', 115],
    [4.35, 'USD', 435],
    [1e-7, 'USD', undefined],
    [1e21, 'JPY', undefined],
    [1.5, 'JPY', undefined],
    [1e12, 'JPY', 1e12],
    [0.001, 'KWD', 1],
    [-0, 'USD', 0],
    [Number.NaN, 'USD', undefined],
    [Number.POSITIVE_INFINITY, 'USD', undefined],
    [Number.MAX_SAFE_INTEGER, 'USD', undefined],
  ])('takes %d %s as %s minor units, and never a rounded amount', (amount, code, expected) => {
    expect(toMinor(amount, code)).toBe(expected);
  });

  test('adds up cents that floating point would not', () => {
    const cents = Array.from({ length: 1_000 }, () => toMinor(0.1, 'USD') ?? 0);

    expect(
      toMajor(
        cents.reduce((sum, cent) => sum + cent, 0),
        'USD',
      ),
    ).toBe(100);
  });

  test.each([
    ['USD', 2],
    ['JPY', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['IQD', 3],
    ['CLF', 4],
    // Where what ICU shows by custom differs from ISO 4217.
    ['HUF', 2],
    ['COP', 2],
    ['IDR', 2],
    ['PKR', 2],
  ])('knows the decimals of %s by ISO 4217: %i', (code, places) => {
    expect(decimalsOf(code)).toBe(places);
  });

  test('rounds what comes from outside to the smallest unit, and gives nothing beyond all bounds', () => {
    expect(roundToMinor(12.3456, 'USD')).toBe(1_235);
    expect(roundToMinor(12.3456, 'KWD')).toBe(12_346);
    expect(roundToMinor(12.5, 'JPY')).toBe(13);
    expect(roundToMinor(1e300, 'USD')).toBeUndefined();
    fc.assert(
      fc.property(currency, fc.double({ min: 0, max: 1e9, noNaN: true }), (code, amount) => {
        const rounded = roundToMinor(amount, code) ?? Number.NaN;
        expect(Math.abs(toMajor(rounded, code) - amount)).toBeLessThanOrEqual(
          0.500001 / 10 ** decimalsOf(code),
        );
      }),
    );
  });

  test('prints an amount with all its decimals', () => {
    expect(readMoney(123_450, 'USD')).toBe('1234.50 USD');
    expect(readMoney(5, 'KWD')).toBe('0.005 KWD');
    expect(readMoney(-5, 'USD')).toBe('-0.05 USD');
    expect(readMoney(1_000, 'JPY')).toBe('1000 JPY');
  });

  test('shares a sum into parts that add up to it exactly and differ by one at the most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e14 }), fc.integer({ min: 1, max: 100 }), (sum, parts) => {
        const shares = shareEqually(sum, parts);
        expect(shares).toHaveLength(parts);
        expect(shares.reduce((total, share) => total + share, 0)).toBe(sum);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        expect(shares).toEqual(shares.toSorted((one, other) => other - one));
      }),
    );
  });

  test('takes a currency code in any case and refuses what is none', () => {
    expect(currencyCode.parse(' usd ')).toBe('USD');
    for (const wrong of ['', 'US', 'DOLLAR', 'ZZZ', '$', 7]) {
      expect(currencyCode.safeParse(wrong).success).toBe(false);
    }
  });
});
