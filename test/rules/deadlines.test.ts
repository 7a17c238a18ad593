import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Services } from '../../tools/core/context.ts';
import { deadline, withinSellerTimeout } from '../../tools/domain/sellers/deadline.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';

const SELLERS = 100;

/** Services of which a deadline uses the clock alone. */
function servicesWith(timers: Set<() => void>): Services {
  const after = (_: number, act: () => void) => {
    timers.add(act);
    return () => void timers.delete(act);
  };
  return { ports: { clock: { now: () => 0, after } } } as unknown as Services;
}

describe('deadlines that follow the end of a session', () => {
  test('are one listener of it, however many they are, and end with its reason unless they are over', () => {
    const timers = new Set<() => void>();
    const session = new AbortController();
    const terms = { milliseconds: 30_000, parent: session.signal, late: 'Too late.' };
    const all = Array.from({ length: SELLERS }, () => deadline(servicesWith(timers), terms));
    expect(getEventListeners(session.signal, 'abort')).toHaveLength(1);
    const [over, ...others] = all;
    over?.cancel();

    const reason = new SellerError('timeout', 'The session ended.');
    session.abort(reason);

    expect(over?.signal.aborted).toBe(false);
    expect(others.every(({ signal }) => signal.reason === reason)).toBe(true);
    expect(deadline(servicesWith(timers), terms).signal.reason).toBe(reason);
  });

  test('end by themselves when their time is over', () => {
    const timers = new Set<() => void>();
    const { signal } = deadline(servicesWith(timers), {
      milliseconds: 5,
      parent: undefined,
      late: 'Too late.',
    });

    for (const passed of timers) passed();

    expect(signal.reason).toMatchObject({ reason: 'timeout', message: 'Too late.', unresolved: true });
  });
});

describe('a stop', () => {
  const stopping = new AbortController();
  const services = {
    ports: { clock: { now: () => 0, after: () => () => {} } },
    closing: stopping.signal,
    limits: { sellerTimeoutMs: 30_000 },
  } as unknown as Services;

  test('leaves in doubt what a seller was being asked, and nothing that it was not asked yet', async () => {
    const asked: string[] = [];
    const never = (what: string) => () => {
      asked.push(what);
      return new Promise<never>(() => {});
    };
    const before = withinSellerTimeout(services, undefined, never('before'));

    stopping.abort();
    const after = withinSellerTimeout(services, undefined, never('after'));

    await expect(before).rejects.toMatchObject({ unresolved: true });
    await expect(after).rejects.toMatchObject({ unresolved: false });
    expect(asked).toEqual(['before']);
  });
});
