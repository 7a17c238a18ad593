import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import type { AppError } from '../../tools/core/errors/app-error.ts';
import {
  capabilityNotSupported,
  targetingNotSupported,
  versionUnsupported,
} from '../../tools/core/errors/change-refusals.ts';
import { insufficientMediaBudget, pricingNotConfigured } from '../../tools/core/errors/money-refusals.ts';
import { asOne, problemsOf } from '../../tools/domain/buying/choice/choice-problems.ts';

const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const buys = (count: number) =>
  numbered(count, (index) => ({
    mediaBuyId: `mb_${index}`,
    salesAgentId: `agt_${index}`,
    field: `mediaBuys.${index}.action`,
    reason: 'The seller declares none.',
  }));
const products = (count: number) =>
  buys(count).map(({ mediaBuyId: productId, ...others }) => ({ productId, ...others }));

const DROP = { suggestion: 'Drop it.', others: [] };

describe('a refusal of more than is named at once', () => {
  test.each<[string, (count: number) => AppError]>([
    ['changes that sellers do not declare', (count) => capabilityNotSupported(buys(count))],
    ['targeting that sellers do not declare', (count) => targetingNotSupported(products(count), DROP)],
    ['sellers of another version', (count) => versionUnsupported(buys(count))],
  ])('of %s names twenty, and says how many more there are', (_, refuse) => {
    const all = refuse(20);
    const one = refuse(21);
    const many = refuse(25);

    expect(all.details).not.toHaveProperty('moreIssues');
    expect(all.message).not.toContain('more problem');
    expect(one.details).toMatchObject({ moreIssues: 1 });
    expect(one.message).toContain('There is 1 more problem. Nothing was changed.');
    expect(many.details).toMatchObject({ moreIssues: 5 });
    expect(many.details?.['unsupported']).toHaveLength(20);
    expect(many.message).toContain('There are 5 more problems. Nothing was changed.');
  });

  test.each<[string, (count: number) => AppError]>([
    ['changes', (count) => capabilityNotSupported(buys(count))],
    ['targeting', (count) => targetingNotSupported(products(count), DROP)],
  ])('of %s has each of the twenty in its words, and no other', (_, refuse) => {
    const said = [...refuse(25).message.matchAll(/mediaBuys\.(\d+)\.action: The seller declares none\./g)];

    expect(said.map(([, index]) => Number(index))).toEqual(numbered(20, (index) => index));
  });

  test('says once what several sellers say alike', () => {
    const alike = buys(3).map((buy) => ({ ...buy, field: 'endTime' }));

    expect(capabilityNotSupported(alike).message).toBe(
      'endTime: The seller declares none. Nothing was changed.',
    );
  });

  test('counts what is wrong beside with what sellers do not declare', () => {
    const others = numbered(3, (index) => ({ path: `mediaBuys.${index}.name`, message: 'Too long.' }));

    const { details, message } = capabilityNotSupported(buys(19), others);

    expect(details).toMatchObject({ moreIssues: 2 });
    expect(details?.['issues']).toHaveLength(20);
    expect(message).toContain('There are 2 more problems.');
  });

  test('of sellers without a price names twenty, and has the ids of all', () => {
    const agents = numbered(23, (index) => ({ agentId: `agt_${index}`, agentName: `Seller ${index}` }));

    const { details, message } = pricingNotConfigured(agents);

    expect(message).toMatch(/Seller 18, Seller 19 and 3 more\.$/);
    expect(details).toEqual({ salesAgentIds: agents.map(({ agentId }) => agentId) });
  });
});

test('problems of several codes are one refusal with the sums and the ids of each', () => {
  const sums = { requestedTotal: 80, committedAllocation: 100, currency: 'USD' };
  const unpriced = pricingNotConfigured([{ agentId: 'agt_1', agentName: 'Ada', mediaBuyId: 'mb_1' }]);

  const refused = asOne([insufficientMediaBudget('The campaign has 80.00 USD.', sums), unpriced]);

  expect(refused).toMatchObject({
    code: 'VALIDATION_ERROR',
    status: 422,
    details: {
      ...sums,
      salesAgentIds: ['agt_1'],
      unpricedBuyIds: ['mb_1'],
      issues: [{ path: 'budget.total' }, { path: '' }],
    },
  });
});

test('a problem of a campaign that the call itself would make is told at its place in the call, in all that is told of it', () => {
  const terms = {
    ...{
      budget_minor: 50_000,
      currency: 'USD',
      start_at: '2027-01-01T00:00:00Z',
      end_at: '2027-02-01T00:00:00Z',
    },
    ...{ constraints: null, storefront_ids: toJson([2]), pacing_periods: null, optimization_goals: null },
  };
  const product = toJson({
    ...{ name: 'Display', salesAgentName: 'Ada', storefrontId: '1', formatIds: [] },
    pricingOptions: [{ pricingOptionId: 'cpm', currency: 'USD', fixedPrice: 5, isFixed: true }],
  });
  const chosen = {
    ...{ product, product_id: 'prd_1', agent_id: 'agt_1', pricing_option_id: 'cpm' },
    ...{ budget_minor: null, targeting_overlay: null },
  };

  const [problem] = problemsOf(terms, [chosen], { naming: 'new batch' });

  expect(problem).toMatchObject({
    field: 'campaign.create.storefrontIds',
    message: expect.stringMatching(/^campaign\.create\.storefrontIds: Display is sold by Ada/),
    details: { issues: [{ path: 'campaign.create.storefrontIds' }] },
  });
});
