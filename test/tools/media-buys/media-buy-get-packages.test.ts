import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NearAndFar, nearAndFar } from '../../support/buying/near-and-far.ts';
import { done } from '../../support/sellers/market.ts';

describe('media_buy_get_packages', () => {
  let market: NearAndFar;
  beforeAll(async () => {
    market = await nearAndFar();
  });
  afterAll(() => market.stop());

  test('lists with 200 what the seller confirmed, and that a package was changed', async () => {
    const { buyer, near, far, boughtAt } = market;
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
    const elsewhere = `/buyer/media-buys/${await boughtAt(far)}/packages`;
    expect(done(await buyer.get(elsewhere)).packageCount).toBe(1);
  });
});
