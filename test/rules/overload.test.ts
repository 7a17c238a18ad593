import { describe, expect, test } from 'vitest';
import { createOverload, workOf } from '../../adapters/http/overload.ts';
import { createMeter } from '../../adapters/operations/meter.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { registryOf } from '../../tools/core/families.ts';
import { families } from '../../tools/registry.ts';

/** Looks for which it is late before anybody is refused: two seconds at two a second. */
const LOOKS = 4;

function service(least = 1) {
  let behind = 0;
  const meter = createMeter([]);
  const overload = createOverload(
    { overloadDelayMs: 250, overloadAfterMs: 2_000, overloadCallsMin: least },
    { tally: meter, delay: () => behind },
  );
  const look = (times: number, late: number) => {
    behind = late;
    for (let time = 0; time < times; time += 1) overload.look();
  };
  const enter = (whose: number) => overload.enter('creation', whose);
  const mayEnter = (whose: number): boolean => {
    try {
      enter(whose)();
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: 'The service has more to do than it can.',
        status: 503,
        retryAfter: 2,
      });
      return false;
    }
  };
  const take = (whose: number, times: number) => Array.from({ length: times }, () => enter(whose));
  return { overload, meter, look, take, mayEnter };
}

describe('a process that is late', () => {
  test('refuses nothing until it is late for the whole of the time, however late it is once', () => {
    const { overload, look, take, mayEnter } = service();
    take(1, 10);

    look(LOOKS - 1, 5_000);
    look(1, 249);
    look(LOOKS - 1, 251);

    expect([overload.isShedding, mayEnter(1)]).toEqual([false, true]);
  });

  test('refuses what is beyond seven tenths of what it had, and less with each look at which it still is', () => {
    const { look, take, mayEnter } = service();
    const leave = take(1, 10);
    look(LOOKS, 300);
    for (const one of leave.slice(0, 3)) one();

    expect(mayEnter(1)).toBe(false);
    leave[3]?.();
    expect(mayEnter(1)).toBe(true);
    look(1, 300);
    expect(mayEnter(1)).toBe(false);
  });

  test('takes one at a time at the least, and counts what it refuses', () => {
    const { look, take, mayEnter, meter } = service();
    const [leave] = take(1, 1);
    look(50, 9_000);

    expect(mayEnter(1)).toBe(false);
    leave?.();
    expect(mayEnter(1)).toBe(true);
    const shed = meter.metrics().find(({ name }) => name === 'rialto_shed_total')?.samples;
    expect(shed?.find(({ labels }) => labels?.['work'] === 'creation')?.value).toBe(1);
  });

  test('takes as many as the operator wants at the least', () => {
    const { look, take, mayEnter } = service(8);
    take(1, 7);
    look(50, 9_000);

    expect(mayEnter(1)).toBe(true);
    take(1, 1);
    expect(mayEnter(1)).toBe(false);
  });

  test('lets in who has nothing under way beside one who has all places, and then shares them', () => {
    const { look, take, mayEnter } = service();
    const leave = take(1, 20);
    look(LOOKS, 300);

    expect(mayEnter(1)).toBe(false);
    expect(mayEnter(2)).toBe(true);
    take(2, 1);
    for (const one of leave.slice(0, 12)) one();
    // Of 14 places each of the two has 7, and the first still has 8.
    expect([mayEnter(1), mayEnter(2)]).toEqual([false, true]);
  });

  test('takes more again while it is not, and all again once nobody had to be refused for a while', () => {
    const { overload, look, take, mayEnter } = service();
    const leave = take(1, 10);
    look(LOOKS, 300);
    expect(mayEnter(1)).toBe(false);

    look(4, 50);
    expect(mayEnter(1)).toBe(true);
    for (const one of leave) one();
    look(1, 200);
    expect(overload.isShedding).toBe(true);
    look(6, 50);
    expect([overload.isShedding, mayEnter(1)]).toEqual([false, true]);
  });

  test('has no end while somebody is refused, however well it is then', () => {
    const { overload, look, take, mayEnter } = service();
    take(1, 100);
    look(LOOKS, 300);

    for (let refused = 0; refused < 2; refused += 1) {
      expect(mayEnter(1)).toBe(false);
      look(1, 50);
    }
    look(5, 50);
    expect(overload.isShedding).toBe(true);
    look(1, 50);
    expect(overload.isShedding).toBe(false);
  });

  test('never refuses where the operator wants none', () => {
    const overload = createOverload(
      { overloadDelayMs: 0, overloadAfterMs: 0, overloadCallsMin: 1 },
      { tally: createMeter([]), delay: () => 60_000 },
    );
    overload.look();

    expect(overload.isShedding).toBe(false);
  });
});

test('what waits is discovery, buying and creations: neither a read nor a stop', () => {
  const { tools } = registryOf(families);
  const of = (work: ReturnType<typeof workOf>) =>
    tools
      .filter((tool) => workOf(tool) === work)
      .map(({ name }) => name)
      .toSorted();

  expect(of('discovery')).toEqual(['discover_products', 'product_query']);
  expect(of('execute')).toEqual(['campaign_execute', 'media_buy_create_batch']);
  expect(of('creation').filter((name) => !name.endsWith('_create'))).toEqual([]);
  const goesOn = new Set(of(undefined));
  for (const name of ['campaign_pause', 'campaign_cancel', 'campaign_delete', 'media_buy_pause', 'health']) {
    expect(goesOn).toContain(name);
  }
});
