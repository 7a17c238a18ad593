import { describe, expect, test } from 'vitest';
import { askInLanes, LANE_MS, SilentPlaces } from '../../tools/domain/discovery/asking/lanes.ts';
import { Turns } from '../../tools/domain/discovery/asking/turns.ts';
import type { Standing } from '../../tools/domain/sellers/lateness.ts';
import type { Seller } from '../../tools/domain/sellers/port.ts';
import { manualClock } from '../support/run/clock.ts';

const LANES = 32;

/** A crowd that is asked, each seller settling when the test says so. */
function crowd(names: readonly string[], { places = new SilentPlaces(1_024), asks = 1, sells = 2 } = {}) {
  const clock = manualClock();
  const waiting = [...names];
  const settle = new Map<string, () => void>();
  const asked: string[] = [];
  const ask = (name: string) =>
    new Promise<void>((resolve) => {
      asked.push(name);
      settle.set(name, resolve);
    });
  let isOver = false;
  const place = () => places.take({ asks, sells });
  const over = askInLanes({ next: () => waiting.shift() }, { clock, lanes: LANES, place }, ask).then(() => {
    isOver = true;
  });
  return {
    asked,
    over,
    isOver: () => isOver,
    /** Everything that goes on by itself has gone on. */
    rest: async () => {
      for (let count = 0; count < 2 * names.length; count += 1) await new Promise(setImmediate);
    },
    wait: () => clock.advance(LANE_MS),
    answer: (name: string) => settle.get(name)?.(),
    underWay: () => settle.size,
    pending: () => clock.pending,
  };
}

const hanging = (count: number) => Array.from({ length: count }, (_, index) => `hanging ${index}`);

describe('the lanes of a session', () => {
  test.each(['the next one', 'a place'])('end with what failed when %s cannot be told', async (what) => {
    const clock = manualClock();
    const failing = (one: string) => {
      if (what === one) throw new Error(`${one} is not known`);
    };
    const names = ['first', 'second', 'third'];
    const queue = {
      next: () => {
        if (names.length === 1) failing('the next one');
        return names.shift();
      },
    };
    const place = () => {
      failing('a place');
      return undefined;
    };
    const lanes = what === 'a place' ? 1 : 2;
    const over = askInLanes(queue, { clock, lanes, place }, () => new Promise(() => {}));
    const ended = expect(over).rejects.toThrow(`${what} is not known`);

    await new Promise(setImmediate);
    clock.advance(LANE_MS);

    await ended;
  });

  test('take so many at a time, and nobody more while each may still answer at once', async () => {
    const { asked, rest } = crowd(hanging(200));

    await rest();

    expect(asked).toHaveLength(LANES);
  });

  test('reach an honest seller behind 200 that hang, in as many moments as there are lanes full of them', async () => {
    const { asked, rest, wait } = crowd([...hanging(200), 'honest']);

    await rest();
    for (let moments = 0; moments < 6; moments += 1) {
      expect(asked).not.toContain('honest');
      wait();
      await rest();
    }

    expect(asked).toContain('honest');
  });

  test('hold no more than nine times their number under way, however many are silent', async () => {
    const { asked, rest, wait } = crowd(hanging(400));

    for (let moments = 0; moments < 20; moments += 1) {
      await rest();
      wait();
    }

    expect(asked).toHaveLength(9 * LANES);
  });

  /** Each of them until none asks anybody more. */
  async function allHang(crowds: readonly ReturnType<typeof crowd>[]): Promise<number[]> {
    for (let moments = 0; moments < 5; moments += 1) {
      await Promise.all(crowds.map(({ rest }) => rest()));
      for (const { wait } of crowds) wait();
    }
    return crowds.map(({ asked }) => asked.length - LANES);
  }

  test('share the places beside them with every other session of the process', async () => {
    const places = new SilentPlaces(10);

    const [one = 0, other = 0] = await allHang(
      [1, 2].map((asks) => crowd(hanging(100), { places, asks, sells: 10 + asks })),
    );

    expect(one + other).toBe(7);
    expect(Math.abs(one - other)).toBe(1);
  });

  test('leave places to whoever comes next, however many sessions an organization has', async () => {
    const places = new SilentPlaces(10);
    const before = await allHang([1, 2, 3].map((sells) => crowd(hanging(100), { places, asks: 1, sells })));

    const [newcomer] = await allHang([crowd(hanging(100), { places, asks: 2, sells: 4 })]);

    expect(before.reduce((sum, beside) => sum + beside, 0)).toBe(5);
    expect(newcomer).toBe(3);
  });

  test('leave places to other sellers, however many ask those of one organization', async () => {
    const places = new SilentPlaces(10);
    const before = await allHang([1, 2, 3].map((asks) => crowd(hanging(100), { places, asks, sells: 9 })));

    const [newcomer] = await allHang([crowd(hanging(100), { places, asks: 4, sells: 10 })]);

    expect(before.reduce((sum, beside) => sum + beside, 0)).toBe(5);
    expect(newcomer).toBe(3);
  });

  test('are left by a seller that there is a place for, where another has been silent for longer', async () => {
    const places = new SilentPlaces(2);
    const [full, free] = [1, 2];
    places.take({ asks: 9, sells: full });
    const clock = manualClock();
    const asked: string[] = [];
    const waiting = ['full', 'free', 'next'];
    const place = (name: string) => places.take({ asks: 1, sells: name === 'full' ? full : free });

    void askInLanes({ next: () => waiting.shift() }, { clock, lanes: 2, place }, async (name) => {
      asked.push(name);
      await new Promise(() => {});
    });
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
    clock.advance(LANE_MS);
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);

    expect(asked).toEqual(['full', 'free', 'next']);
  });

  test('are free again for each that settles, beside them too, and end with the last one', async () => {
    const names = hanging(400);
    const places = new SilentPlaces(100);
    const { asked, over, isOver, rest, wait, answer, pending } = crowd(names, { places });
    await rest();
    wait();
    await rest();

    for (const name of names) {
      expect(isOver()).toBe(false);
      expect(asked).toContain(name);
      answer(name);
      await rest();
    }
    await over;

    expect(pending()).toBe(0);
    // Every place was given back.
    const newcomers = Array.from({ length: 101 }, (_, index) => ({ asks: index, sells: index }));
    expect(newcomers.filter((parties) => places.take(parties) !== undefined)).toHaveLength(100);
  }, 30_000);

  test('leave a silent seller its lane while nobody waits for one', async () => {
    const places = new SilentPlaces(1);
    const { rest, wait } = crowd(hanging(LANES), { places });

    await rest();
    wait();
    await rest();

    expect(places.take({ asks: 1, sells: 2 })).toBeDefined();
  });

  test('end at once where there is nobody to ask', async () => {
    await crowd([]).over;
  });
});

describe('whose turn it is', () => {
  const seller = (agentId: string, organizationId: number) =>
    ({ agentId, source: { organizationId } }) as Seller;

  function order(
    sellers: readonly Seller[],
    standings: Readonly<Record<string, Standing>> = {},
    draw = 'disc_1',
  ): string[] {
    const turns = new Turns(sellers, ({ agentId }) => standings[agentId] ?? 'unknown', draw);
    return sellers.map(() => turns.next()?.agentId ?? '');
  }

  test('is first of those that are known to answer, and last of those that are known to be late', () => {
    const sellers = [seller('late', 1), seller('new', 2), seller('known', 3)];

    expect(order(sellers, { late: 'late', known: 'prompt' })).toEqual(['known', 'new', 'late']);
  });

  test('goes round the organizations within each standing', () => {
    const sellers = [seller('a1', 1), seller('a2', 1), seller('b1', 2), seller('k1', 1), seller('k2', 1)];

    expect(order(sellers, { k1: 'prompt', k2: 'prompt' })).toEqual(['k1', 'k2', 'b1', 'a1', 'a2']);
  });

  test('comes later for an organization that has sellers known to be late: they weigh on it from the beginning', () => {
    const sellers = [seller('a1', 1), seller('a2', 1), seller('late', 1), seller('b1', 2), seller('b2', 2)];
    const draws = Array.from({ length: 20 }, (_, draw) => order(sellers, { late: 'late' }, `disc_${draw}`));

    for (const asked of draws)
      expect(asked).toEqual(['b1', expect.any(String), expect.any(String), 'a2', 'late']);
    expect(draws.map(([, ...rest]) => rest.slice(0, 2).sort())).toEqual(draws.map(() => ['a1', 'b2']));
  });

  test('is drawn anew for each session, so that nobody stands behind two hundred that came before for good', () => {
    const sellers = Array.from({ length: 201 }, (_, index) => seller(`s${index}`, index + 1));
    const places = Array.from({ length: 100 }, (_, draw) =>
      order(sellers, {}, `disc_${draw}`).indexOf('s200'),
    );
    const inFirstHalf = places.filter((place) => place < 100).length;

    expect(order(sellers)).toEqual(order(sellers));
    expect(new Set(places).size).toBeGreaterThan(50);
    expect(inFirstHalf).toBeGreaterThan(30);
    expect(inFirstHalf).toBeLessThan(70);
  });

  test('keeps the sellers of one organization in the order in which they were given', () => {
    const sellers = Array.from({ length: 20 }, (_, index) => seller(`s${index}`, 1));

    expect(order(sellers)).toEqual(sellers.map(({ agentId }) => agentId));
  });
});
