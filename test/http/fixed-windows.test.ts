import { describe, expect, test } from 'vitest';
import { FixedWindows } from '../../adapters/http/fixed-windows.ts';
import { manualClock } from '../support/run/clock.ts';

const HOUR_MS = 3_600_000;

describe('windows of a minute', () => {
  test('count each key for itself, and say how far it is to the limit and to the end', () => {
    const clock = manualClock();
    const windows = new FixedWindows({ limit: 2 }, 60, clock);

    const taken = [windows.take('one'), windows.take('one'), windows.take('one'), windows.take('other')];

    expect(taken.map(({ remaining, isOver }) => [remaining, isOver])).toEqual([
      [1, false],
      [0, false],
      [0, true],
      [1, false],
    ]);
    expect(taken[0]).toMatchObject({ limit: 2, windowSeconds: 60, resetSeconds: 60 });
  });

  test('forget who has not come again', () => {
    const clock = manualClock();
    const windows = new FixedWindows({ limit: 2 }, 60, clock);
    for (let index = 0; index < 1_000; index += 1) windows.take(`passer-by ${index}`);
    expect(windows.size).toBe(1_000);

    clock.advance(60_000);
    windows.take('one');

    expect(windows.size).toBe(1);
  });

  test('lock nobody out when the clock is set back', () => {
    let now = HOUR_MS;
    const windows = new FixedWindows({ limit: 1 }, 60, { now: () => now });
    windows.take('one');
    expect(windows.take('one').isOver).toBe(true);

    now = 0;

    expect(windows.take('one')).toMatchObject({ isOver: false, resetSeconds: 60 });
  });
});
