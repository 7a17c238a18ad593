import { describe, expect, test } from 'vitest';
import { waitOf } from '../../tools/domain/discovery/schema.ts';

describe('how long a discovery is waited for', () => {
  test.each([
    ['as usual where nothing is said', {}, 2],
    ['as usual where it is to answer with what has landed', { progressive: true }, 2],
    ['as long as can be where it is to answer once all have', { progressive: false }, 30],
    ['as long as can be with waitMode long', { waitMode: 'long' as const }, 30],
    ['as usual with waitMode quick', { waitMode: 'quick' as const }, 2],
    ['as many seconds as are given, whatever else is said', { progressive: false, waitSeconds: 5 }, 5],
  ])('is %s', (...[, asked, seconds]) => {
    expect(waitOf(asked, 2)).toBe(seconds);
  });
});
