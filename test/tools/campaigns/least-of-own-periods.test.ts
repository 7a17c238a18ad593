import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { boughtIn, type MoneyWorld, moneyWorld, refusesOrders } from '../../support/buying/money-world.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer } from '../../support/server/server.ts';

/** A media buy of 50 that its seller refused, of which the service takes an eighth. */
describe('what a product starts at has to fall to each period that a media buy has of its own', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    const clock = skippingClock();
    const server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    world = await moneyWorld({ server, clock });
    const { organizationId } = world.buyer;
    await setPricingRule(server.operator, { organizationId, feeBps: 1_250 });
  });
  afterAll(async () => {
    await world.server.stop();
    await world.far.agent.stop();
  });

  const sells = (option: object) =>
    world.far.agent.on('get_products', () => ({
      products: [
        adcpProduct('far-1', {
          pricing_options: [
            { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5, ...option },
          ],
        }),
      ],
    }));
  const ordered = () => {
    const orders = world.far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
    return [orders.at(-1)?.args['packages']].flat().map((one) => Reflect.get(Object(one), 'budget'));
  };

  test.each([
    [
      {},
      [49.99, 0.01],
      'Nothing of its budget is left for Product far-1 in one of pacingPeriods once its fee is taken.',
    ],
    [
      { min_spend_per_package: 20 },
      [30, 20],
      'Product far-1 starts at 20 USD; 17.5 USD of its budget fall to it once its fee is taken.',
    ],
  ])('of an option with %o, and is told with them', async (option, [one = 0, two = 0], words) => {
    const { clock, buyer } = world;
    sells(option);
    refusesOrders(world);
    const { campaignId, mediaBuyId } = await boughtIn(world, { each: 50 });
    const day = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    const periods = (...budgets: number[]) => ({
      mode: 'budget',
      periods: budgets.map((budget, at) => {
        return { label: `${at}`, start: day(at + 2), end: day(at + 2), budget };
      }),
    });
    const give = (...budgets: number[]) =>
      buyer.put(`/buyer/campaigns/${campaignId}`, {
        mediaBuys: [{ mediaBuyId, pacingPeriods: periods(...budgets) }],
      });

    expectRefusal(await give(one, two), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'mediaBuys.0.pacingPeriods': words },
    });

    done(await give(25, 25));
    takesChanges(world.far);
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    expect(ordered()).toEqual([21.87, 21.87]);
  });
});
