import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaignGetDelivery } from '../../../tools/buyer/campaigns/campaign-get-delivery.ts';
import { campaignGetMediaBuyStatus } from '../../../tools/buyer/campaigns/campaign-get-media-buy-status.ts';
import { mediaBuyGet } from '../../../tools/buyer/media-buys/media-buy-get.ts';
import { jsonSchema } from '../../../tools/core/schemas/json-schema.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { partsOf } from '../../support/house/schema-walk.ts';
import { type SkippingClock, skippingClock } from '../../support/run/skipping-clock.ts';
import {
  done,
  draftCampaign,
  flightDates,
  newAdvertiser,
  openStorefront,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** What nobody would guess of a sandbox who reads figures before the flight has begun. */
const FAST = /an hour of the flight each second from the order on, before the flight begins too\.$/;

describe('the time of a sandbox', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let storefrontId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock });
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  const draft = async (sandbox: boolean) => {
    const advertiserId = await newAdvertiser(buyer, { sandbox });
    return draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
  };
  const execute = async (campaignId: string) =>
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

  test('runs before the flight begins, and whoever orders is told so', async () => {
    const { campaignId } = await draft(true);

    expect((await execute(campaignId)).nextStep).toMatch(FAST);

    clock.skip(60_000);
    const { delivery } = done(await buyer.get(`/buyer/campaigns/${campaignId}/delivery`));
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(delivery.totals.impressions).toBeGreaterThan(0);
    expect(Date.parse(campaign.flightDates.startDate)).toBeGreaterThan(clock.now());
  });

  test('is told to whoever orders in a batch', async () => {
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    const about = { advertiser_id: advertiserId, storefront_ids: [storefrontId], wait_seconds: 30 };
    const asked = { buying_mode: 'brief', brief: 'Mornings', ext: { interchange: about } };
    const found = done(await buyer.post('/buyer/products/query', asked));

    const { nextStep } = done(
      await buyer.post('/buyer/media-buys/batch', {
        productQueryId: found.ext.interchange.execution_id,
        campaign: { create: { advertiserId, name: 'Winter', budget: { total: 1_000 }, flightDates } },
        mode: 'execute',
        selections: [{ kind: 'product', productId: found.products[0].product_id, budget: 100 }],
      }),
    );

    expect(nextStep).toMatch(FAST);
  });

  test('is not that of what spends for real', async () => {
    const { campaignId } = await draft(false);

    expect((await execute(campaignId)).nextStep).not.toMatch(FAST);
  });

  test.each([campaignGetDelivery, campaignGetMediaBuyStatus, mediaBuyGet])(
    'is told where figures are read: $name',
    ({ output }) => {
      const said = partsOf(jsonSchema(output, 'output')).flatMap(({ path, schema }) =>
        /(^|\.)sandbox$/.test(path) ? [schema['description']] : [],
      );

      expect(said).toEqual([expect.stringMatching(FAST)]);
    },
  );
});
