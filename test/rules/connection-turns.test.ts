import { describe, expect, test } from 'vitest';
import { type Asker, ConnectionGate } from '../../store/engine/connection-gate.ts';
import { CrowdedError } from '../../store/engine/read-turns.ts';
import { makeTenant } from '../../store/engine/scope.ts';

const HOUR_MS = 3_600_000;
const [ONE, OTHER, THIRD] = [makeTenant(1), makeTenant(2), makeTenant(3)];

/** Connections that are given back when the test says so. */
function held(connections: number, waitMs = HOUR_MS) {
  const gate = new ConnectionGate({ connections, waitMs });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const hold = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const many = (asker: Asker, way: 'read' | 'transaction', name: string) =>
    Array.from({ length: connections }, (_, at) => gate[way](asker, hold(`${name}${at}`)));
  const settled = () => new Promise(setImmediate);
  const count = () => {
    const counts: Record<string, number> = {};
    for (const name of begun) counts[name.slice(0, -1)] = (counts[name.slice(0, -1)] ?? 0) + 1;
    return counts;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { gate, begun, hold, many, settled, count, end };
}

describe('the connections of a database', () => {
  test.each([
    { connections: 4, shares: { read: 2, other: 1, service: 1 } },
    { connections: 10, shares: { read: 7, other: 1, service: 1, door: 1 } },
  ])(
    'are shared by reads and transactions of one organization, others, the service and the door: $connections',
    async ({ connections, shares }) => {
      const { many, settled, count } = held(connections);

      many(ONE, 'read', 'read');
      many(ONE, 'transaction', 'change');
      many(OTHER, 'transaction', 'other');
      many('service', 'transaction', 'service');
      many('door', 'read', 'door');
      await settled();

      expect(count()).toEqual(shares);
    },
  );

  test('are half of them for what the service does by itself, at the most', async () => {
    const { many, settled, count } = held(10);

    many('service', 'transaction', 'service');
    many('service', 'read', 'tail');
    await settled();

    expect(count()).toEqual({ service: 5 });
  });

  test('go round between those who wait, and a read does not wait behind changes that may not begin', async () => {
    const { gate, begun, hold, settled, end } = held(4);
    for (const name of ['a0', 'a1', 'a2', 'a3']) void gate.transaction(ONE, hold(name));
    for (const name of ['b0', 'b1']) void gate.transaction(OTHER, hold(name));
    void gate.read(THIRD, hold('c0'));
    await settled();
    expect(begun).toEqual(['a0', 'a1', 'b0']);

    for (const name of ['a0', 'b0', 'a1']) await end(name);

    expect(begun).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'c0']);
  });

  test('are left for what a transaction reads beside itself, by however many at a time', async () => {
    const { gate, settled } = held(4);
    const askers: Asker[] = [ONE, OTHER, THIRD, 'service'];
    const all = askers.flatMap((asker) =>
      Array.from({ length: 4 }, () =>
        gate.transaction(asker, async () => {
          await settled();
          return gate.read(asker, async () => 'read');
        }),
      ),
    );

    expect(new Set(await Promise.all(all))).toEqual(new Set(['read']));
  });

  test('serve a database with one connection, each in turn', async () => {
    const { gate } = held(1);
    const asked = [ONE, 'service', 'door', OTHER] as const;

    expect(await Promise.all(asked.map((asker) => gate.read(asker, async () => 'read')))).toHaveLength(4);
    expect(await gate.transaction(ONE, async () => 'changed')).toBe('changed');
  });

  test('are not waited for longer than anybody waits, and are there again after a failure', async () => {
    const { gate, hold, end } = held(1, 1);
    const first = gate.read(ONE, hold('a0'));

    await expect(gate.read(OTHER, async () => 'late')).rejects.toThrow(CrowdedError);
    await end('a0');

    expect(await first).toBe('a0');
    await expect(gate.read(ONE, () => Promise.reject(new Error('Gone.')))).rejects.toThrow('Gone.');
    expect(await gate.read(OTHER, async () => 'read')).toBe('read');
  });
});
