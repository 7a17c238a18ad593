import { expect, test } from 'vitest';
import { latenessOf } from '../../adapters/ports/lateness.ts';

test.each([
  ['an idle process, whose ticks come when they are due', 20_000_000, 0],
  ['a tick that came before it was due', 19_900_000, 0],
  ['a loop that was held up for half a second', 520_000_000, 500],
  ['a monitor that has not ticked yet', Number.NaN, 0],
])('the event loop is late by what it was beyond its tick: %s', (_what, measured, late) => {
  expect(latenessOf(measured, 20)).toBe(late);
});
