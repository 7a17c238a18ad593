import { afterEach, expect } from 'vitest';
import { breaches } from './log.ts';
import './patterns.ts';

// A capability that answers a code which its definition does not list fails whichever test met it.
afterEach(() => {
  expect(breaches.splice(0)).toEqual([]);
});
