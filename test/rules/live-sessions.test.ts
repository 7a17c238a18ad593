import { describe, expect, test } from 'vitest';
import { liveSessions } from '../../adapters/mcp/live-sessions.ts';
import { manualClock } from '../support/run/clock.ts';

const IDLE_MS = 1_000;

function roomFor(max: number) {
  const gone: string[] = [];
  const clock = manualClock();
  const busy = new Set<string>();
  const room = liveSessions<string>({
    max,
    idleMs: IDLE_MS,
    clock,
    isBusy: (held) => busy.has(held),
    gone: (held) => void gone.push(held),
  });
  const key = (name: string) => ({ organizationId: Number(name.slice(1, 2)), id: name });
  return {
    gone,
    clock,
    busy,
    open: (...names: readonly string[]) => names.forEach((name) => void room.set(key(name), name)),
    uses: (name: string) => room.get(key(name)),
    ends: (name: string) => room.delete(key(name)),
    clear: () => room.clear(),
  };
}

describe('live sessions', () => {
  test('may all be of one organization while no other comes', () => {
    const { open, uses, gone } = roomFor(3);

    open('o1a', 'o1b', 'o1c');

    expect([['o1a', 'o1b', 'o1c'].map(uses), gone]).toEqual([['o1a', 'o1b', 'o1c'], []]);
  });

  test('give way in whoever has most, so that nobody loses one to another’s many', () => {
    const { open, uses, gone } = roomFor(4);
    open('o2a', 'o1a', 'o1b', 'o1c');

    for (const name of 'efghij') open(`o1${name}`);
    open('o3a');

    expect(['o2a', 'o3a'].map(uses)).toEqual(['o2a', 'o3a']);
    expect(gone.filter((name) => !name.startsWith('o1'))).toEqual([]);
    expect(gone).toHaveLength(7);
  });

  test('are given up in the order in which they were used', () => {
    const { open, uses, gone } = roomFor(3);
    open('o1a', 'o1b', 'o1c');
    uses('o1a');

    open('o1d', 'o1e');

    expect(gone).toEqual(['o1b', 'o1c']);
  });

  test('are not given up while they are at work: another one goes, and while all are there is one more', () => {
    const { open, busy, gone, uses } = roomFor(2);
    open('o1a', 'o1b');
    busy.add('o1a');

    open('o1c');
    expect(gone).toEqual(['o1b']);
    busy.add('o1c').add('o2a');
    open('o2a');
    expect([gone, uses('o2a')]).toEqual([['o1b'], 'o2a']);

    busy.clear();
    open('o2b');
    expect(gone).toEqual(['o1b', 'o1a', 'o2a']);
  });

  test('are not given up for being long at work, and are when they are not used for long after it', () => {
    const { open, busy, clock, gone, uses } = roomFor(9);
    open('o1a', 'o1b');
    busy.add('o1a');

    clock.advance(IDLE_MS);
    open('o1c');
    expect([gone, uses('o1a')]).toEqual([['o1b'], 'o1a']);

    busy.clear();
    clock.advance(IDLE_MS);
    expect([uses('o1a'), gone]).toEqual([undefined, ['o1b', 'o1a']]);
  });

  test('go when they are ended, taken anew, or not used for long', () => {
    const { open, uses, ends, clock, gone, clear } = roomFor(9);
    open('o1a', 'o1b', 'o2a', 'o2b');
    ends('o1a');
    ends('o1a');
    open('o1b');
    expect(gone).toEqual(['o1a', 'o1b']);

    clock.advance(IDLE_MS - 1);
    expect(uses('o2a')).toBe('o2a');
    clock.advance(1);

    expect([uses('o2a'), uses('o1b'), uses('o2b')]).toEqual(['o2a', undefined, undefined]);
    expect(gone.slice(2)).toEqual(['o1b', 'o2b']);
    open('o1c');
    clock.advance(IDLE_MS);
    open('o1d');
    expect(gone.at(-1)).toBe('o1c');
    expect(clear().sort()).toEqual(['o1d', 'o2a']);
    expect(clear()).toEqual([]);
  });
});
