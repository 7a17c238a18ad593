import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A seller may be asked what it takes before a change is stored, and reports what it delivered at any time. */
describe('a change of a media buy that runs', () => {
  const between = writesBeforeStoring(
    ...['media_buy_pause', 'media_buy_update', 'campaign_update', 'campaign_pause', 'campaign_cancel'],
  );
  let server: TestServer;
  let seller: KeepingSeller;
  let buyer: Person;
  let path: string;
  let buyPath: string;
  let packageId: string;
  let impressions = 0;
  let from: number;
  beforeAll(async () => {
    server = await startTestServer({
      families: between.families,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    seller = await keepingSeller(server, 'Far');
  });
  afterAll(async () => {
    await server.stop();
    await seller.agent.stop();
  });
  beforeEach(async () => {
    from = seller.told.length;
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const { storefrontId } = seller;
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    path = `/buyer/campaigns/${campaignId}`;
    const { mediaBuys } = done(await buyer.post(`${path}/execute`));
    buyPath = `/buyer/media-buys/${mediaBuys[0].mediaBuyId}`;
    ({ packageId } = done(await buyer.get(`${buyPath}/packages`)).packages[0]);
  });

  /** How often its seller was told of a change. */
  const told = () => seller.told.length - from;
  const delivers = async () => {
    impressions += 1_000;
    const totals = { impressions, spend: impressions / 1_000, clicks: 1 };
    seller.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [media_buy_ids]
        .flat()
        .map((media_buy_id) => ({ media_buy_id, status: 'active', totals })),
    }));
    done(await buyer.get(`${path}/delivery`));
  };
  const raised = (budget: number) => ({ packages: [{ packageId, budget }] });
  const changes: Readonly<Record<string, () => ReturnType<Person['post']>>> = {
    media_buy_pause: () => buyer.post(`${buyPath}/pause`, {}),
    media_buy_update: () => buyer.patch(buyPath, raised(200)),
    campaign_update: () =>
      buyer.put(path, { mediaBuys: [{ mediaBuyId: buyPath.split('/').at(-1), ...raised(200) }] }),
    campaign_pause: () => buyer.post(`${path}/pause`),
    campaign_cancel: () => buyer.post(`${path}/cancel`),
  };

  test.each(Object.entries(changes))('goes through by %s while figures come in', async (_tool, change) => {
    between.next(delivers);

    const reply = await change();

    done(reply);
    expect(told()).toBe(1);
    expect(done(await buyer.get(buyPath)).mediaBuy.performance.impressions).toBe(impressions);
  });

  test('is 409 where somebody else changes it meanwhile, with figures or without', async () => {
    between.next(async () => {
      done(await buyer.patch(buyPath, raised(150)));
      await delivers();
    });

    const reply = await buyer.patch(buyPath, raised(200));

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'The media buy was changed by somebody else in the meantime.',
    });
    expect(told()).toBe(1);
  });
});
