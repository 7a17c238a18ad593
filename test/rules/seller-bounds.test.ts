import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { offeredIn } from '../../adapters/sellers/adcp-products.ts';
import { packagesIn } from '../../adapters/sellers/adcp-reading.ts';
import {
  type AnswerOwner,
  type AnswerPool,
  answerPool,
  UnreadableAnswerError,
} from '../../adapters/sellers/answer-pool.ts';
import { answerOf } from '../../adapters/sellers/answers.ts';
import { busyWait } from '../../adapters/sellers/busy-wait.ts';
import { clientShelf } from '../../adapters/sellers/client-shelf.ts';
import { eventReader } from '../../adapters/sellers/event-messages.ts';
import { createTurns } from '../../store/engine/turns.ts';

const ONE: AnswerOwner = { organizationId: 1, sourceId: 'one' };

describe('the packages that a seller tells of', () => {
  test('have no amount below zero nor beyond that of any campaign', () => {
    const odd = [-1, -0.01, 1e12 + 1, Number.MAX_VALUE, '5', null, {}];

    for (const amount of odd) {
      const [told] = packagesIn([{ package_id: 'pkg_1', budget: amount, bid_price: amount }]);
      const { unread, ...others } = told ?? {};
      expect(others).toEqual({ package_id: 'pkg_1', product_id: null, budget: null });
      expect(Object.keys(unread ?? {})).toEqual(amount === null ? [] : ['budget', 'bid_price']);
    }
    expect(packagesIn([{ package_id: 'pkg_1', budget: 0, bid_price: 2.5 }])).toMatchObject([
      { budget: 0, bid_price: 2.5 },
    ]);
  });

  test('are read up to a thousand of them', () => {
    const told = Array.from({ length: 40_000 }, (_, index) => ({ package_id: `pkg_${index}` }));

    expect(packagesIn(told)).toHaveLength(1_000);
  });
});

describe('turns', () => {
  test('go round the owners, and keep the order of each', () => {
    const turns = createTurns<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) turns.add(item.slice(0, 1), item);

    const taken = Array.from({ length: 7 }, () => turns.take());

    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
  });

  test('pass over owners that may not, who stay in front', () => {
    const turns = createTurns<string>();
    for (const item of ['a1', 'a2', 'b1', 'b2', 'c1']) turns.add(item.slice(0, 1), item);
    const isNotA = (owner: string) => owner !== 'a';

    const taken = [
      turns.take(isNotA),
      turns.take(isNotA),
      turns.take(),
      turns.take(isNotA),
      turns.take(isNotA),
    ];

    expect(taken).toEqual(['b1', 'c1', 'a1', 'b2', undefined]);
    expect(turns.of('a')).toEqual(['a2']);
  });

  test('put what was taken back in front of what waits of its owner', () => {
    const turns = createTurns<string>();
    for (const item of ['a1', 'a2', 'b1']) turns.add(item.slice(0, 1), item);
    const taken = [turns.take(), turns.take()];

    for (const item of taken) turns.giveBack(String(item?.slice(0, 1)), String(item));

    expect([turns.take(), turns.take(), turns.take()]).toEqual(['a1', 'b1', 'a2']);
  });

  test('give up what came last of whoever has most waiting', () => {
    const turns = createTurns<string>();
    for (const item of ['a1', 'b1', 'b2', 'b3', 'c1']) turns.add(item.slice(0, 1), item);

    expect([turns.drop(), turns.size(), turns.of('b')]).toEqual(['b3', 4, ['b1', 'b2']]);
  });

  test('pass over what was withdrawn', () => {
    const turns = createTurns<string>();
    const withdraw = turns.add('a', 'a1');
    turns.add('b', 'b1');
    withdraw();

    expect([turns.of('a').length, turns.size(), turns.take(), turns.take()]).toEqual([0, 1, 'b1', undefined]);
  });
});

describe('the wait that a busy seller asks for', () => {
  const now = Date.parse('2026-12-01T00:00:00Z');
  const situation = { attempt: 1, now, endsAt: now + 30_000 };

  test.each([
    ['10', 10_000],
    ['0', 1_000],
    ['Tue, 01 Dec 2026 00:00:07 GMT', 7_000],
    ['Mon, 30 Nov 2026 00:00:00 GMT', 1_000],
    ['30', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('is, for %s, %s', (said, wait) => {
    expect(busyWait(said, situation)).toBe(wait);
  });

  test('is not granted for ever', () => {
    expect(busyWait('1', { ...situation, attempt: 3 })).toBeUndefined();
  });
});

describe('clients of sellers', () => {
  function shelfOf(max: number) {
    const timers = new Set<() => void>();
    const closed: string[] = [];
    const ending = new AbortController();
    const clock = {
      now: () => 0,
      after: (_: number, callback: () => void) => {
        timers.add(callback);
        return () => void timers.delete(callback);
      },
    };
    const shelf = clientShelf({ clock, max, idleMs: 1, ended: ending.signal });
    const lease = (owner: string, version = '1') =>
      shelf.lease(owner, version, async () => ({ close: async () => void closed.push(owner + version) }));
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    return { shelf, lease, closed, timers, ending, settled };
  }

  test('are kept for the next call, and closed when nobody used them for a time', async () => {
    const { shelf, lease, closed, timers, settled } = shelfOf(10);
    lease('a').release();
    expect(timers.size).toBe(1);
    const again = lease('a');
    expect([again.kept, timers.size]).toEqual([true, 0]);
    again.release();

    for (const passed of timers) passed();
    await settled();

    expect([closed, shelf.size()]).toEqual([['a1'], 0]);
  });

  test('are replaced when their source changes, and none is left over', async () => {
    const { shelf, lease, closed, settled } = shelfOf(10);
    const old = lease('a', '1');
    for (let version = 2; version <= 50; version += 1) lease('a', String(version)).release();
    await settled();
    expect([closed.length, shelf.size()]).toEqual([48, 2]);

    old.release();
    await settled();

    expect([closed.length, shelf.size()]).toEqual([49, 1]);
  });

  test('are closed at once when their source is there no more, or by whoever uses them last', async () => {
    const { shelf, lease, closed, settled } = shelfOf(10);
    lease('a').release();
    const used = lease('b');
    for (const owner of ['a', 'b', 'nobody']) shelf.dismiss(owner);
    await settled();
    expect(closed).toEqual(['a1']);

    const next = lease('b');
    used.release();
    await settled();

    expect([next.kept, closed, shelf.size()]).toEqual([false, ['a1', 'b1'], 1]);
  });

  test('are no more than the limit when none is in use, those used last', async () => {
    const { shelf, lease, closed, settled } = shelfOf(2);
    for (const owner of ['a', 'b', 'a', 'c']) lease(owner).release();
    await settled();

    expect([closed, shelf.size()]).toEqual([['b1'], 2]);
  });

  test('are all closed at the end, also those in use', async () => {
    const { shelf, lease, closed, ending, settled } = shelfOf(10);
    lease('a').release();
    lease('b');
    ending.abort();
    lease('c');
    await settled();

    expect([closed.sort(), shelf.size()]).toEqual([['a1', 'b1', 'c1'], 0]);
  });
});

describe('a stream of events', () => {
  const read = (text: string) => {
    const events = eventReader();
    return [...Buffer.from(text)].flatMap((byte) => events.read(Uint8Array.of(byte)));
  };

  test('is read in pieces of any size, whatever ends its lines', () => {
    const text =
      ': hello\nid: 5\nretry: 1\n\ndata: {"a":\ndata: 1}\n\nevent: message\r\ndata:ü\r\n\r\ndata: cut off';

    expect(read(text)).toEqual(['{"a":\n1}', 'ü']);
  });

  test('that says too much beside an answer is left', () => {
    expect(() => read('data: 1\n\n'.repeat(1_001))).toThrow('too much beside the answer');
  });
});

describe('what an answer comes to', () => {
  const said = (length: number) => Buffer.from(JSON.stringify({ id: 1, result: 'x'.repeat(length) }));

  test.each([
    ['read at once where it is small', 1_000, 0],
    ['handed to another thread where that would hold up everybody', 65_536, 1],
  ])('is %s', async (_, length, handed) => {
    const owners: AnswerOwner[] = [];
    const pool: AnswerPool = {
      read: async (bytes, { owner }) => {
        owners.push(owner);
        return { message: Buffer.from(bytes).toString(), products: undefined, leftOut: 0 };
      },
    };

    const answer = await answerOf(said(length), {
      pool,
      owner: ONE,
      signal: new AbortController().signal,
      asked: '{}',
    });

    expect(answer?.message).toMatchObject({ id: 1 });
    expect(owners).toEqual(Array.from({ length: handed }, () => ONE));
  });
});

describe('a large answer', () => {
  let ending: AbortController;
  beforeEach(() => {
    ending = new AbortController();
  });
  afterEach(() => ending.abort());

  test('of one piece is cut to as many products, and the others are counted', async () => {
    const content = { products: Array.from({ length: 5 }, () => ({})) };

    const offered = await offeredIn({ content, products: undefined }, 3);

    expect(offered).toHaveLength(3);
    expect(offered.leftOut).toBe(2);
  });

  test('is cut to what is read: entries, values, depth and texts', async () => {
    const pool = answerPool({ products: 3, waiting: 64, ended: ending.signal });
    const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    let deep: unknown = 'innermost';
    for (let level = 0; level < 100; level += 1) deep = [deep];
    const wide = { product_id: 'wide', list: Array.from({ length: 5_000 }, () => Array(5).fill(0)) };
    const content = {
      products: [wide, { deep }, { text: 'x'.repeat(100_000) }, 4, 5],
      other: 'y'.repeat(99_999),
    };
    const message = { jsonrpc: '2.0', id: 7, result: { content: [], structuredContent: content } };

    const answer = await pool.read(bytes(message), { owner: ONE });

    const slices = answer.products?.map((slice) => JSON.parse(slice)) ?? [];
    expect(slices.flat()).toHaveLength(3);
    expect(answer.leftOut).toBe(2);
    for (const slice of answer.products ?? []) expect(slice.length).toBeLessThan(150_000);
    expect(slices.flat().some((product) => JSON.stringify(product).includes('innermost'))).toBe(false);
    const rest = JSON.parse(answer.message);
    expect(rest).toMatchObject({ id: 7, result: { structuredContent: { products: [] } } });
    expect(answer.message.length).toBeLessThan(20_000);

    await expect(pool.read(bytes('x').slice(1), { owner: ONE })).rejects.toThrow(UnreadableAnswerError);
    const greedy = { organizationId: 2, sourceId: 'greedy' };
    const waiting = Array.from({ length: 20 }, () => pool.read(bytes(message), { owner: greedy }));
    const settled = await Promise.allSettled(waiting);
    expect(settled.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
  });

  test('is read in turns of organizations, however many sources one has', async () => {
    const pool = answerPool({ products: 3, waiting: 64, ended: ending.signal });
    const bytes = () => new TextEncoder().encode(JSON.stringify({ result: { text: 'x'.repeat(100_000) } }));
    let read = 0;
    const flood = Array.from({ length: 60 }, (_, at) =>
      pool.read(bytes(), { owner: { organizationId: 2, sourceId: `source_${at}` } }).then(() => {
        read += 1;
      }),
    );

    await pool.read(bytes(), { owner: ONE });
    const before = read;
    await Promise.all(flood);

    // Those that were being read, and at the most as many more: not all that came first.
    expect(before).toBeLessThan(20);
    expect(read).toBe(60);
  });

  test('waits with as many others as may, and of more than that one is refused each', async () => {
    const pool = answerPool({ products: 3, waiting: 2, ended: ending.signal });
    const bytes = () => new TextEncoder().encode(JSON.stringify({ result: { text: 'x'.repeat(100_000) } }));
    const all = Array.from({ length: 10 }, (_, at) =>
      pool.read(bytes(), { owner: { organizationId: at, sourceId: `source_${at}` } }),
    );

    const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');

    // Two are read at once, and two wait.
    expect(refused).toHaveLength(6);
  });

  test('of an honest seller is read while 64 sources of two others send as much as they can', async () => {
    const pool = answerPool({ products: 3, waiting: 64, ended: ending.signal });
    const bytes = () => new TextEncoder().encode(JSON.stringify({ result: { text: 'x'.repeat(100_000) } }));
    const flood = Array.from({ length: 130 }, (_, at) =>
      pool.read(bytes(), { owner: { organizationId: 2 + (at % 2), sourceId: `source_${at % 64}` } }),
    );
    const flooded = Promise.allSettled(flood);

    await expect(pool.read(bytes(), { owner: ONE })).resolves.toHaveProperty('message');

    const refused = (await flooded).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(130);
  });
});
