import { describe, expect, test } from 'vitest';
import { costOfAll, exposuresOf } from '../../tools/domain/sale-forecast.ts';

const step = (budget: number | undefined, mid: number, spend?: number) => ({
  budget,
  metrics: { impressions: { mid }, ...(spend === undefined ? {} : { spend: { mid: spend } }) },
});
const curve = { currency: 'USD', points: [step(10, 100), step(50, 400), step(90, 600)] };
const all = { forecast_range_unit: 'availability', currency: 'USD' };
const packages = { forecast_range_unit: 'package', currency: 'USD', points: [step(10, 100), step(50, 400)] };

/** What a product says of itself (AdCP, core/delivery-forecast). */
describe('the forecast of a product says', () => {
  test.each<[string, object, object | undefined, number | undefined]>([
    ['the end of its curve', { forecast: curve }, undefined, 600],
    ['the step of the budget', { forecast: curve }, { max: 50 }, 400],
    ['the next step of a budget between two', { forecast: curve }, { max: 51 }, 600],
    ['the first step of a budget below it', { forecast: curve }, { max: 1 }, 100],
    ['its last step of a budget beyond it', { forecast: curve }, { max: 100 }, 600],
    ['its end in another currency', { forecast: curve }, { max: 10, currency: 'EUR' }, 600],
    ['its end of a budget without a most', { forecast: curve }, {}, 600],
    ['the packages that the budget buys', { forecast: packages }, { max: 49 }, 100],
    ['all packages without one', { forecast: packages }, undefined, 500],
    ['none of packages that are dearer', { forecast: packages }, { max: 1 }, 0],
    ['all there is', { forecast: { ...all, points: [step(undefined, 5), step(undefined, 6)] } }, {}, 11],
    [
      'the middle of a range',
      { forecast: { points: [{ metrics: { impressions: { low: 2, high: 4 } } }] } },
      {},
      3,
    ],
    ['what AdCP 2 has for it', { estimated_exposures: 7 }, {}, 7],
    [
      'that, where the forecast has none',
      { forecast: { points: [{ budget: 5 }] }, estimated_exposures: 7 },
      {},
      7,
    ],
    [
      'nothing of a whole by its weeks',
      { forecast: { ...curve, forecast_range_unit: 'weekly' } },
      {},
      undefined,
    ],
    ['nothing', {}, {}, undefined],
    ['nothing that can be read', { forecast: 'much', estimated_exposures: -1 }, {}, undefined],
    [
      'nothing by half a range',
      { forecast: { points: [{ metrics: { impressions: { low: 2 } } }] } },
      {},
      undefined,
    ],
  ])('%s', (...[, product, budget, exposures]) => {
    const range = budget === undefined ? undefined : { currency: 'USD', ...budget };
    expect(exposuresOf(product, range)).toBe(exposures);
  });

  test.each<[string, object, number | undefined]>([
    ['what all of it costs', { ...all, points: [step(undefined, 5, 70), step(undefined, 6, 30)] }, 100],
    ['it without the word', { currency: 'USD', points: [step(undefined, 5, 70)] }, 70],
    [
      'nothing where a part has no price',
      { ...all, points: [step(undefined, 5, 70), step(undefined, 6)] },
      undefined,
    ],
    ['nothing in another currency', { ...all, currency: 'EUR', points: [step(undefined, 5, 70)] }, undefined],
    ['nothing by a curve', curve, undefined],
    ['nothing by packages', packages, undefined],
    ['nothing without points', all, undefined],
  ])('%s', (_, forecast, cost) => {
    expect(costOfAll({ forecast }, 'USD')).toBe(cost);
  });
});
