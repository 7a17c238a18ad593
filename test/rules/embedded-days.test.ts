import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EmbeddedBuyRow } from '../../store/embedded-buys.ts';
import { toJson } from '../../store/engine/codec.ts';
import { deliveredAt, deliveredBetween } from '../../tools/domain/sellers/embedded/delivery.ts';

const DAY_MS = 86_400_000;
const start = Date.parse('2026-12-10T00:00:00.000Z');
const created = Date.parse('2026-12-01T00:00:00.000Z');

/** A sandbox buy of ten days, of which an hour passes in a second; its terms were changed after four of them. */
const buy = {
  sandbox: 1,
  status: 'active',
  currency: 'USD',
  start_time: new Date(start).toISOString(),
  end_time: new Date(start + 10 * DAY_MS).toISOString(),
  created_at: new Date(created).toISOString(),
  changed_at: new Date(created + 4 * 24_000).toISOString(),
  packages: toJson([
    {
      package_id: 'p',
      product_id: 'x',
      pricing_option_id: 'o',
      budget_minor: 100_000,
      rate: 10,
      spent_minor: 30_000,
      impressions: 30_000,
    },
  ]),
} as unknown as EmbeddedBuyRow;

describe('the delivery of the embedded seller', () => {
  test('in days one after the other comes to what was delivered in all', () => {
    const moments = fc.record({
      days: fc.integer({ min: 4, max: 12 }),
      cut: fc.integer({ min: 0, max: 12 * DAY_MS }),
    });
    fc.assert(
      fc.property(moments, ({ days, cut }) => {
        const now = created + days * 24_000;
        const between = (from: number, until: number) =>
          deliveredBetween(buy, { from: start + from, until: start + until }, now).spendMinor;

        const all = deliveredAt(buy, now).spendMinor;
        expect(between(-DAY_MS, cut) + between(cut, 20 * DAY_MS)).toBe(all);
      }),
    );
  });
});
