import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NearAndFar, nearAndFar } from '../../support/buying/near-and-far.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater, takesChanges } from '../../support/sellers/changing-seller.ts';
import { farSeller } from '../../support/sellers/far-seller.ts';
import { done } from '../../support/sellers/market.ts';

describe('media_buy_pause', () => {
  let market: NearAndFar;
  beforeAll(async () => {
    market = await nearAndFar();
  });
  afterAll(() => market.stop());

  test('holds a buy of the embedded seller with 200, which then says who has to do what', async () => {
    const { buyer, near, boughtAt } = market;
    const id = await boughtAt(near);

    const { status, body } = await buyer.post(`/buyer/media-buys/${id}/pause`, { reason: 'Out of stock.' });

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ previousStatus: 'ACTIVE', newStatus: 'PAUSED', success: true });
    expect(done(await buyer.get(`/buyer/media-buys/${id}`)).mediaBuy).toMatchObject({
      status: 'PAUSED',
      adcpStatus: 'paused',
      explanation: 'It is held, and nothing is spent. You: reactivate it when it is to go on.',
    });
    const again = await buyer.post(`/buyer/media-buys/${id}/pause`, {});
    expectRefusal(again, 409, {
      code: 'CONFLICT',
      at: {
        media_buy_id: 'Winter – Shelf is PAUSED: only one that runs, or waits for its seller, can be paused.',
      },
    });
    expect(again.body.error.details.suggestion).toMatch(/^It is held: media_buy_reactivate lets it go on, /);
  });

  test('says what it waits for where its seller decides on it later, as to go on does', async () => {
    const { server, buyer, boughtAt } = market;
    const later = await farSeller(server, 'Later');
    takesChanges(later);
    const id = await boughtAt(later);
    const ask = async (what: string) => done(await buyer.post(`/buyer/media-buys/${id}/${what}`, {}));
    const waiting = (status: string) => ({
      previousStatus: status,
      newStatus: status,
      success: true,
      error: `Agent has not confirmed it yet: the media buy stays ${status} until then. Follow it with campaign_get_media_buy_status.`,
    });
    const held = await ask('pause');
    expect(held).toMatchObject({ newStatus: 'PAUSED', success: true });
    expect(held).not.toHaveProperty('error');

    decidesLater(later);
    expect(await ask('reactivate')).toMatchObject(waiting('PAUSED'));

    takesChanges(later);
    const runs = await boughtAt(later);
    decidesLater(later);
    expect(done(await buyer.post(`/buyer/media-buys/${runs}/pause`, {}))).toMatchObject(waiting('ACTIVE'));
    await later.agent.stop();
  });

  test('is refused upfront by a seller that has no way to change a buy, or speaks another major version', async () => {
    const { server, buyer, far, boughtAt } = market;
    const id = await boughtAt(far);
    const refused = await buyer.post(`/buyer/media-buys/${id}/pause`, {});
    expectRefusal(refused, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { media_buy_id: 'The seller has no way to change a media buy (update_media_buy).' },
    });
    expect(refused.body.error.details.unsupported).toMatchObject([
      { mediaBuyId: id, salesAgentId: far.agentId },
    ]);

    const old = await farSeller(server, 'Old');
    old.agent.on('update_media_buy', () => ({}));
    const other = await boughtAt(old);
    old.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
    expectRefusal(await buyer.post(`/buyer/media-buys/${other}/pause`, {}), 422, {
      code: 'VERSION_UNSUPPORTED',
      words:
        'The seller of this media buy speaks another major version of the protocol. Nothing was changed.',
    });
    await old.agent.stop();
  });
});
