import { describe, expect, test } from 'vitest';
import { CrowdedError, ReadGate } from '../../store/engine/read-turns.ts';
import { makeTenant } from '../../store/engine/scope.ts';

const [ONE, OTHER, THIRD] = [1, 2, 3].map(makeTenant);
const HOUR_MS = 3_600_000;

/** Reads that end when the test says so. */
function reads(options: Partial<ConstructorParameters<typeof ReadGate>[0]> = {}) {
  const gate = new ReadGate({
    atOnce: 3,
    atOnceOfOne: 2,
    waitMs: HOUR_MS,
    waiting: 100,
    waitingOfOne: 100,
    ...options,
  });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    ask: (name: string, asker = ONE) => {
      if (asker === undefined) throw new Error('Nobody asks.');
      return gate.run(asker, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      });
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('long reads', () => {
  test('are under way so many at a time, and of one organization fewer', async () => {
    const { begun, ask, end } = reads();
    const asked = [ask('a1'), ask('a2'), ask('a3'), ask('b1', OTHER), ask('c1', THIRD)];
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2', 'b1']);

    await end('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);

    for (const name of ['a2', 'a3', 'c1']) await end(name);
    expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  test('come in turns between the organizations that ask', async () => {
    const { begun, ask, end } = reads({ atOnce: 1 });
    const names = ['a1', 'a2', 'a3'];
    void Promise.all([...names.map((name) => ask(name)), ask('b1', OTHER), ask('c1', THIRD)]);
    await new Promise(setImmediate);

    for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name);

    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('make room when they fail, too', async () => {
    const gate = new ReadGate({ atOnce: 1, atOnceOfOne: 1, waitMs: HOUR_MS, waiting: 9, waitingOfOne: 9 });
    const failing = gate.run(makeTenant(1), () => Promise.reject(new Error('Gone.')));
    const other = gate.run(makeTenant(2), async () => 'read');

    await expect(failing).rejects.toThrow('Gone.');
    expect(await other).toBe('read');
  });

  test('are refused that would wait for longer than anybody waits, and take no turn afterwards', async () => {
    const { begun, ask, end } = reads({ atOnce: 1, waitMs: 1 });
    const first = ask('a1');

    await expect(ask('b1', OTHER)).rejects.toThrow(CrowdedError);
    await end('a1');

    expect(await first).toBe('a1');
    expect(begun).toEqual(['a1']);
  });
});
