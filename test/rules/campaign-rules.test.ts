import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CampaignStatus, campaignStatuses } from '../../store/campaigns.ts';
import { toJson } from '../../store/engine/codec.ts';
import {
  type MediaBuyRow,
  type MediaBuyStatus,
  mediaBuyStatuses,
  submissions,
} from '../../store/media-buys.ts';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { next } from '../../tools/core/machines.ts';
import { isTaken, isToBeSent } from '../../tools/domain/buying/answers/taken-orders.ts';
import { planOf } from '../../tools/domain/buying/choice/allocation.ts';
import { campaignMachine } from '../../tools/domain/buying/machines.ts';
import { takenMinor } from '../../tools/domain/buying/spend/taking.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

describe('executing a campaign', () => {
  // One that is over asks after orders of which nobody knows, and stays over: others are refused by what they are.
  const expected: Readonly<Record<CampaignStatus, CampaignStatus>> = {
    DRAFT: 'ACTIVE',
    ACTIVE: 'ACTIVE',
    PAUSED: 'PAUSED',
    COMPLETED: 'COMPLETED',
    CANCELED: 'CANCELED',
    ARCHIVED: 'ARCHIVED',
  };

  test.each(campaignStatuses)('of a %s one is what the table of states says', (status) => {
    expect(next(campaignMachine, status, 'execute')).toBe(expected[status]);
  });
});

describe('a further execute', () => {
  const sent: readonly MediaBuyStatus[] = ['DRAFT', 'FAILED'];

  test.each(mediaBuyStatuses.flatMap((status) => submissions.map((submission) => ({ status, submission }))))(
    'of a buy that is $status and $submission sends it only if it never arrived and is not on its way',
    (buy) => {
      expect(isToBeSent({ ...buy, adcp_media_buy_id: null })).toBe(
        sent.includes(buy.status) && buy.submission !== 'sending',
      );
      expect(isToBeSent({ ...buy, adcp_media_buy_id: 'far_1' })).toBe(false);
    },
  );

  test.each(mediaBuyStatuses)('counts a buy that ends up %s as placed, or not', (status) => {
    expect(isTaken(status)).toBe(!['DRAFT', 'FAILED', 'REJECTED'].includes(status));
  });
});

describe('what the media buys of a campaign take of its budget', () => {
  const held: readonly MediaBuyStatus[] = ['PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE', 'PAUSED'];
  const taken = (...buys: readonly MediaBuyRow[]) => takenMinor({ buys, open: [] });

  test.each(mediaBuyStatuses)(
    'is the budget of a %s one if a seller holds it, else what was spent',
    (status) => {
      const buy = mediaBuyRow({ status, budget_minor: 7, spend_minor: 3 });

      expect(taken(buy)).toBe(held.includes(status) ? 7 : 3);
    },
  );

  test('adds up over all of them', () => {
    const buys = mediaBuyStatuses.map((status, index) =>
      mediaBuyRow({ status, budget_minor: 10 ** index, spend_minor: 0 }),
    );

    // After DRAFT these stand first in the list: PENDING_APPROVAL, INPUT_REQUIRED, ACTIVE, PAUSED.
    expect(taken(...buys)).toBe(11_110);
    expect(taken()).toBe(0);
  });

  test('has the fee in it of what one spent that was called off', () => {
    const called = { budget_minor: 300, fee_bps: 5_000, products: toJson([]), spend_minor: 150 };

    expect(taken(mediaBuyRow({ ...called, status: 'CANCELED' }))).toBe(300);
  });

  test('is the whole of an order of which nobody knows, and with what was asked of its seller', () => {
    const lost = mediaBuyRow({ id: 'mb_1', status: 'FAILED', submission: 'unknown', budget_minor: 7 });
    const runs = mediaBuyRow({ id: 'mb_2', status: 'ACTIVE', budget_minor: 20 });
    const open = [{ media_buy_id: 'mb_2', committed_minor: 50 }];

    expect(takenMinor({ buys: [lost, runs], open })).toBe(57);
  });
});

describe('allocating a budget', () => {
  const budget = fc.integer({ min: 1, max: 1e14 });
  const choices = fc.array(fc.option(fc.integer({ min: 1, max: 1e12 })), { minLength: 1, maxLength: 40 });

  const split = (total: number, given: readonly (number | null)[]) => {
    const { budgets, problem } = planOf(
      { budget_minor: total, currency: 'USD' },
      given.map((budget_minor) => ({ budget_minor })),
    );
    return problem ?? budgets;
  };

  test('gives each product its own budget and shares the rest exactly, or refuses', () => {
    fc.assert(
      fc.property(budget, choices, (total, given) => {
        const own = given.reduce<number>((sum, minor) => sum + (minor ?? 0), 0);
        const sharing = given.filter((minor) => minor === null).length;
        const parts = split(total, given);
        const fits = sharing === 0 ? own <= total : total - own >= sharing;
        expect(parts instanceof AppError).toBe(!fits);
        if (parts instanceof AppError) {
          expect(parts).toMatchObject({
            code: 'INSUFFICIENT_MEDIA_BUDGET',
            status: 409,
            field: 'budget.total',
          });
          return;
        }
        expect(parts).toHaveLength(given.length);
        given.forEach((minor, index) => {
          if (minor !== null) expect(parts[index]).toBe(minor);
        });
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(1);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(sharing === 0 ? own : total);
      }),
    );
  });

  test('names both sums and the least that would do', () => {
    expect(split(100, [60, null, 39, null])).toMatchObject({
      message:
        'The campaign has 1.00 USD (budget.total); the chosen products take 0.99 USD, which leaves nothing for 2 without a budget.',
      details: {
        requestedTotal: 1,
        committedAllocation: 0.99,
        minimumAllowedBudget: 1.01,
        currency: 'USD',
      },
    });
  });
});
