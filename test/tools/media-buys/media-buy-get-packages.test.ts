import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FarSeller, farSeller } from '../../support/far-seller.ts';
import { bought, done, newAdvertiser, openStorefront } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('media_buy_get_packages', () => {
  let server: TestServer;
  let far: FarSeller;
  let near: string;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    near = (await openStorefront(await newPerson(server))).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const boughtAt = (storefrontId: string) => bought(buyer, { advertiserId, storefrontIds: [storefrontId] });

  test('lists with 200 what the seller confirmed, and that a package was changed', async () => {
    const id = await boughtAt(near);
    const path = `/buyer/media-buys/${id}/packages`;

    const { status, body } = await buyer.get(path);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      mediaBuyId: id,
      packageCount: 1,
      packages: [{ productName: 'Morning display', status: 'active', budget: 100, budgetCurrency: 'USD' }],
    });
    const [{ packageId }] = body.data.packages;
    done(
      await buyer.patch(`/buyer/media-buys/${id}`, {
        packages: [{ packageId, budget: 150, pacing: 'asap' }],
      }),
    );
    expect(done(await buyer.get(path)).packages).toMatchObject([{ budget: 150, pacing: 'asap' }]);
    const elsewhere = `/buyer/media-buys/${await boughtAt(far.storefrontId)}/packages`;
    expect(done(await buyer.get(elsewhere)).packageCount).toBe(1);
  });
});
