import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAILY = { interval: 1, unit: 'days' };

describe('an order is sent under the frequency cap of its advertiser', () => {
  let server: TestServer;
  let buyer: Person;
  let seller: FarSeller;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    seller = await farSeller(server, 'Ada');
    buyer = await newPerson(server);
  });
  afterEach(() => seller.agent.on('create_media_buy', accepted));
  afterAll(async () => {
    await server.stop();
    await seller.agent.stop();
  });

  const accepted = () => ({ media_buy_id: 'far_1', status: 'pending_creatives', packages: [] });
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const lastOrder = () => seller.agent.calls.findLast(({ tool }) => tool === 'create_media_buy')?.args;

  test('beside what the campaign itself wants', async () => {
    const cap = { max_impressions: 3, window: DAILY };
    const advertiserId = await newAdvertiser(buyer, { frequencyCaps: [cap] });
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [seller.storefrontId],
      campaign: { constraints: { geo_countries: ['US'] } },
    });

    done(await execute(campaignId));

    expect(lastOrder()).toMatchObject({
      packages: [
        { targeting_overlay: { geo_countries: ['US'], frequency_cap: { ...cap, per: 'individuals' } } },
      ],
    });
  });

  test('that it has by then, where it was refused and is sent again', async () => {
    const advertiserId = await newAdvertiser(buyer, {
      frequencyCaps: [{ max_impressions: 3, window: DAILY }],
    });
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [seller.storefrontId] });
    seller.agent.on('create_media_buy', () => ({ errors: [{ code: 'POLICY', message: 'Not so often.' }] }));
    await execute(campaignId);
    const cap = { max_impressions: 1, window: DAILY };
    done(await buyer.put(`/buyer/advertisers/${advertiserId}`, { frequencyCaps: [cap] }));
    seller.agent.on('create_media_buy', accepted);

    done(await execute(campaignId));

    expect(lastOrder()).toMatchObject({
      packages: [{ targeting_overlay: { frequency_cap: { ...cap, per: 'individuals' } } }],
    });
  });

  test('which no choice loosens, and which one that only keeps ads apart leaves', async () => {
    const cap = { max_impressions: 3, window: DAILY };
    const advertiserId = await newAdvertiser(buyer, { frequencyCaps: [cap] });
    const people = { per: 'individuals', window: DAILY };
    const pause = { suppress: { interval: 2, unit: 'hours' } };
    const devices = { max_impressions: 9, per: 'devices', window: DAILY };

    const sent = [
      await orderedWith(advertiserId, { ...people, max_impressions: 9 }),
      await orderedWith(advertiserId, { ...people, max_impressions: 2 }),
      await orderedWith(advertiserId, pause),
      await orderedWith(advertiserId, devices),
    ];

    expect(sent).toEqual([
      { ...people, max_impressions: 3 },
      { ...people, max_impressions: 2 },
      { ...people, ...pause, max_impressions: 3 },
      devices,
    ]);
  });

  /** The cap that its seller is told where the choice has one of its own. */
  async function orderedWith(advertiserId: string, own: object): Promise<object> {
    const draft = await draftCampaign(buyer, { advertiserId, storefrontIds: [seller.storefrontId] });
    const { campaignId, discoveryId } = draft;
    const products = draft.products.map((one: object) => ({
      ...one,
      targetingOverlay: { frequency_cap: own },
    }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    done(await execute(campaignId));
    const { packages } = lastOrder() as { packages: [{ targeting_overlay: { frequency_cap: object } }] };
    return packages[0].targeting_overlay.frequency_cap;
  }
});
