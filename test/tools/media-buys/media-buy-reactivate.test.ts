import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longPause, TOO_MUCH_A_DAY } from '../../support/buying/long-pause.ts';
import { type NearAndFar, nearAndFar } from '../../support/buying/near-and-far.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { farSeller } from '../../support/sellers/far-seller.ts';
import { done } from '../../support/sellers/market.ts';

describe('media_buy_reactivate', () => {
  let market: NearAndFar;
  beforeAll(async () => {
    market = await nearAndFar();
  });
  afterAll(() => market.stop());

  /** As if its seller had held it. */
  const paused = (id: string) =>
    market.server.store.db
      .updateTable('media_buys')
      .set({ status: 'PAUSED' })
      .where('organization_id', '=', market.buyer.organizationId)
      .where('id', '=', id)
      .execute();

  test('lets a paused buy go on with 200, and refuses one that runs', async () => {
    const { buyer, near, boughtAt } = market;
    const id = await boughtAt(near);
    const running = await buyer.post(`/buyer/media-buys/${id}/reactivate`, {});
    expectRefusal(running, 409, {
      code: 'CONFLICT',
      at: {
        media_buy_id:
          'Winter – Shelf is ACTIVE: only one that is PAUSED, or packages that its seller holds, can go on.',
      },
    });
    expect(running.body.error.details.suggestion).toMatch(/^It runs: media_buy_pause holds it, /);
    done(await buyer.post(`/buyer/media-buys/${id}/pause`, {}));

    const { status, body } = await buyer.post(`/buyer/media-buys/${id}/reactivate`, {});

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ previousStatus: 'PAUSED', newStatus: 'ACTIVE', success: true });
  });

  test('is refused where the fee cannot be determined any more, and where the seller cannot do it', async () => {
    const { server, buyer, near, far, boughtAt } = market;
    const id = await boughtAt(near);
    const there = await boughtAt(far);
    done(await buyer.post(`/buyer/media-buys/${id}/pause`, {}));
    await paused(there);
    const path = `/buyer/media-buys/${there}/reactivate`;
    expectRefusal(await buyer.post(path, {}), 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { media_buy_id: 'The seller has no way to change a media buy (update_media_buy).' },
    });
    const old = await farSeller(server, 'Old');
    old.agent.on('update_media_buy', () => ({}));
    const other = await boughtAt(old);
    old.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
    await paused(other);
    const elsewhere = await buyer.post(`/buyer/media-buys/${other}/reactivate`, {});
    expectRefusal(elsewhere, 422, {
      code: 'VERSION_UNSUPPORTED',
      words:
        'The seller of this media buy speaks another major version of the protocol. Nothing was changed.',
    });
    await old.agent.stop();

    await server.store.db
      .deleteFrom('pricing_rules')
      .where('organization_id', '=', buyer.organizationId)
      .execute();
    const unpriced = await buyer.post(`/buyer/media-buys/${id}/reactivate`, {});
    expectRefusal(unpriced, 409, {
      code: 'PRICING_NOT_CONFIGURED',
      words: 'The advertiser has no pricing rule for Shelf.',
    });
  });
});

describe('media_buy_reactivate after a long pause', () => {
  const paused = longPause();

  test('is 409 INSUFFICIENT_MEDIA_BUDGET where the days that are left would take more than the cap', async () => {
    const { buyer, mediaBuyId } = paused;

    expectRefusal(await buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`, {}), 409, TOO_MUCH_A_DAY);

    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    expect(mediaBuy.status).toBe('PAUSED');
  });
});
