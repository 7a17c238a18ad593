import { describe, expect, test } from 'vitest';
import { counted } from '../../tools/domain/counted.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** A figure before the plural of what an account has, which is wrong where it is 1. */
const BARE =
  /\$\{[^}]+\} (?:more |other |inventory )?(?:account|campaign|invitation|media buy|package|problem|product|seller|source|storefront)s\b/;

describe('what is counted in words', () => {
  test.each([
    [0, '0 products'],
    [1, '1 product'],
    [2, '2 products'],
  ])('says of %i: %s', (count, words) => {
    expect(counted(count, 'product')).toBe(words);
  });

  test('stands nowhere in the plural alone', () => {
    const found = ['tools', 'adapters', 'store'].flatMap(sourceFiles).flatMap((path) =>
      codeOf(path)
        .split('\n')
        .filter((line) => BARE.test(line) && !line.includes('=== 1 ?'))
        .map((line) => `${path}: ${line.trim()}`),
    );

    expect(found).toEqual([]);
  });
});
