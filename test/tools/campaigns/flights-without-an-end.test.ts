import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { boughtIn, DAY_MS, type MoneyWorld, moneyWorld, tenDays } from '../../support/buying/money-world.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const LAST = '9999-12-31T23:59:59.000Z';

/** What whoever knows no end gives for one: what is reckoned from it comes in a year of five digits. */
describe('a flight to the last day of the calendar', () => {
  const clock = skippingClock();
  let server: TestServer;
  let world: MoneyWorld;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    world = await moneyWorld({ server, clock });
    world.far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    return () => world.far.agent.stop();
  });

  const endless = () => {
    const { begins, flightDates } = tenDays(world);
    return { begins, flightDates: { ...flightDates, endDate: LAST } };
  };
  const statusOf = async (campaignId: string) =>
    done(await world.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

  test('goes on, however often it is asked where its media buys stand', async () => {
    const { begins, flightDates } = endless();
    const { campaignId } = await boughtIn(world, { campaign: { flightDates } });
    clock.skip(begins + DAY_MS - clock.now());

    await statusOf(campaignId);

    expect(await statusOf(campaignId)).toMatchObject({
      campaign_status: 'ACTIVE',
      media_buys: [{ internal_status: 'ACTIVE' }],
    });
  });

  test('is bought in periods of which the last one has no end either', async () => {
    const { flightDates } = endless();
    const [start] = flightDates.startDate.split('T');
    const periods = [{ label: 'Always', start, end: '9999-12-31', weight: 1 }];

    const { campaignId } = await boughtIn(world, {
      campaign: { flightDates, pacingPeriods: { mode: 'weight', periods } },
    });

    const [order] = world.far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
    expect(order?.args['packages']).toMatchObject([{ end_time: LAST }]);
    expect(await statusOf(campaignId)).toMatchObject({ media_buys: [{ internal_status: 'ACTIVE' }] });
  });
});
