import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import type { BuyProduct } from '../../store/media-buy-packages.ts';
import { graceOf, reportedAt, reportingDelay } from '../../tools/domain/buying/answers/awaited-figures.ts';
import { extrasOf } from '../../tools/domain/discovery/asking/extras-reading.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const HOUR_MS = 3_600_000;
const DAYS_30 = 30 * 24 * 60;
const buyOf = (...delays: readonly (number | undefined)[]) => {
  const products = delays.map((minutes, index) => ({
    ...{ product_id: `p${index}`, name: 'P', pricing_option_id: 'o', budget_minor: 1, bid_price: null },
    ...{ format_ids: [], ...(minutes === undefined ? {} : { reporting_delay_minutes: minutes }) },
  }));
  return mediaBuyRow({ products: toJson<readonly BuyProduct[]>(products) });
};

describe('the delay that a seller declares for its reports', () => {
  test.each([
    [{ expected_delay_minutes: 240 }, 240],
    [{ expected_delay_minutes: 0 }, undefined],
    [{ expected_delay_minutes: -5 }, undefined],
    [{ expected_delay_minutes: '240' }, undefined],
    ['late', undefined],
    [undefined, undefined],
  ])('is read of a product: %j', (reporting_capabilities, minutes) => {
    expect(extrasOf({ reporting_capabilities }, undefined).reportingDelayMinutes).toBe(minutes);
  });

  test.each([
    [[], 0],
    [[undefined], 0],
    [[30, 240, undefined], 240],
    [[10 * DAYS_30], DAYS_30],
  ])('of the products %j is the longest of them, 30 days at the most', (delays, minutes) => {
    expect(reportingDelay(buyOf(...delays))).toBe(minutes);
  });

  test('is waited for where it is longer than others are, and not where nobody is', () => {
    expect(graceOf(buyOf(60), 2 * HOUR_MS)).toBe(2 * HOUR_MS);
    expect(graceOf(buyOf(180), 2 * HOUR_MS)).toBe(3 * HOUR_MS);
    expect(graceOf(buyOf(180), 0)).toBe(0);
  });

  test.each([
    ['2026-12-01T12:59:59.999Z', {}],
    ['2026-12-01T13:00:00.000Z', { figures_reported_at: '2026-12-01T13:00:00.000Z' }],
  ])('keeps a report of %s from saying what is owed, until it is over', (now, columns) => {
    const over = { status: 'CANCELED' as const, figures_awaited_since: '2026-12-01T10:00:00.000Z' };
    const ended = { ...buyOf(180), ...over, end_time: '2026-12-09T00:00:00.000Z' };
    const report = { impressions: 1, spend: 1, clicks: 0 };

    expect(reportedAt(ended, report, now)).toEqual(columns);
    expect(reportedAt(ended, { ...report, isFinal: true }, now)).toEqual({ figures_reported_at: now });
  });
});
