import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FarSeller, farSeller } from '../../support/far-seller.ts';
import { bought, done, newAdvertiser, openStorefront } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('media_buy_pause', () => {
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

  test('holds a buy of the embedded seller with 200, which then says who has to do what', async () => {
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
  });

  test('is refused upfront by a seller that has no way to change a buy, or speaks another major version', async () => {
    const id = await boughtAt(far.storefrontId);
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
    old.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
    const other = await boughtAt(old.storefrontId);
    expectRefusal(await buyer.post(`/buyer/media-buys/${other}/pause`, {}), 422, {
      code: 'VERSION_UNSUPPORTED',
      words:
        'The seller of this media buy speaks another major version of the protocol. Nothing was changed.',
    });
    await old.agent.stop();
  });
});
