import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import { isLive } from '../../tools/domain/buying/machines.ts';
import { spentOf } from '../../tools/domain/buying/spend/buy-commitment.ts';
import { feeOf, mediaBudgetOf } from '../../tools/domain/ledger/pricing.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

describe('what a buy binds of its account', () => {
  test.each([
    ['ACTIVE', 'answered', true],
    ['PAUSED', 'answered', true],
    ['PENDING_APPROVAL', 'answered', true],
    ['INPUT_REQUIRED', 'answered', true],
    ['DRAFT', 'sending', true],
    ['FAILED', 'unknown', true],
    ['FAILED', 'answered', false],
    ['FAILED', 'unsent', false],
    ['REJECTED', 'answered', false],
    ['CANCELED', 'answered', false],
    ['COMPLETED', 'answered', false],
    ['ARCHIVED', 'answered', false],
  ] as const)('%s, %s: its budget %s', (status, submission, isBound) => {
    expect(isLive(mediaBuyRow({ status, submission }))).toBe(isBound);
  });

  test.each([
    [0, 0, 0],
    [4_000, 0, 4_000],
    [10_000, 0, 10_000],
    [12_000, 0, 10_000],
    // A tenth is a fee: 9,000 are the seller's.
    [9_000, 1_000, 10_000],
    [4_500, 1_000, 5_000],
    [1, 1_000, 2],
  ])('of 10,000 with %s spent at a fee of %s it keeps %s', (spend_minor, fee_bps, kept) => {
    expect(spentOf(mediaBuyRow({ spend_minor, fee_bps }))).toBe(kept);
  });

  test('is the whole budget where every product was delivered whole, however their fees were rounded', () => {
    const product = {
      product_id: 'p',
      name: 'P',
      pricing_option_id: 'o',
      budget_minor: 3_333,
      bid_price: null,
      format_ids: [],
    };
    const products = toJson([product, product, product]);
    const media = 3 * mediaBudgetOf(3_333, 1_250);
    const buy = mediaBuyRow({ budget_minor: 9_999, fee_bps: 1_250, products, spend_minor: media });

    expect(media).toBeLessThan(mediaBudgetOf(9_999, 1_250));
    expect(spentOf(buy)).toBe(9_999);
  });
});

describe('the fee', () => {
  const rule = (advertiser_id: number | null, agent_id: string | null, fee_bps: number) => ({
    advertiser_id,
    agent_id,
    fee_bps,
  });
  const all = [rule(null, null, 1), rule(null, 'a', 2), rule(7, null, 3), rule(7, 'a', 4)];

  test.each([
    [all, 4],
    [all.slice(0, 3), 3],
    [all.slice(0, 2), 2],
    [all.slice(0, 1), 1],
    [[rule(8, 'a', 5), rule(7, 'b', 6)], undefined],
    [[], undefined],
  ])('is that of the most particular rule of %j: %s', (rules, fee) => {
    expect(feeOf(rules, { advertiserId: 7, agentId: 'a' })).toBe(fee);
  });

  test('and the seller’s part make up the budget, to the cent', () => {
    expect(mediaBudgetOf(9_999, 1_250)).toBe(8_749);
    expect(mediaBudgetOf(9_007_199_254_740_991, 1)).toBe(9_006_298_534_815_516);
    expect(mediaBudgetOf(100, 0)).toBe(100);
  });
});
