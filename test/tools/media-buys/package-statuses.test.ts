import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putBuys } from '../../support/buying/running-campaign.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

interface Part {
  readonly packageId: string;
  readonly status: string;
  readonly budget: number;
  readonly delivery?: { readonly spend: number };
}

describe('the packages of a media buy', () => {
  let server: TestServer;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer();
    const products = [productFields({ name: 'One' }), productFields({ name: 'Two' })];
    const { storefrontId } = await openStorefront(await newPerson(server), { products });
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
  });
  afterAll(() => server.stop());

  /** Everywhere that they are shown. */
  const shown = async (): Promise<Record<string, Part[]>> => {
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    return { campaign: campaign.mediaBuys[0].packages, mediaBuy: mediaBuy.packages, packages };
  };
  const everywhere = <T>(of: T) => ({ campaign: of, mediaBuy: of, packages: of });
  const each = async <T>(read: (part: Part) => T) =>
    Object.fromEntries(Object.entries(await shown()).map(([where, parts]) => [where, parts.map(read)]));

  test.each([
    ['ACTIVE', 'active'],
    ['PAUSED', 'paused'],
    ['COMPLETED', 'active'],
    ['CANCELED', 'canceled'],
    ['REJECTED', 'canceled'],
    ['ARCHIVED', 'canceled'],
  ] as const)('are, where that is %s, all shown as %s', async (status, expected) => {
    await putBuys(server, { campaignId, status });

    expect(await each((part) => part.status)).toEqual(everywhere([expected, expected]));
  });

  test('have what they spent once they are called off, as their products', async () => {
    await putBuys(server, { campaignId, status: 'ACTIVE' });
    const [{ packageId = '' } = {}] = (await shown())['packages'] ?? [];
    const mediaBuys = [{ mediaBuyId, action: 'cancel', packageIds: [packageId] }];

    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys }));

    const [{ delivery: { spend = 0 } = {} } = {}] = (await shown())['packages'] ?? [];
    expect(await each(({ status, budget }) => [status, budget])).toEqual(
      everywhere([
        ['canceled', spend],
        ['active', 100],
      ]),
    );
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    expect(mediaBuy.products.map(({ budget }: { budget: number }) => budget)).toEqual([spend, 100]);
  });
});
