import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../../support/answers.ts';
import { done } from '../../support/market.ts';
import { offerFields, type Planned, planned } from '../../support/offers.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('proposal_get', () => {
  let server: TestServer;
  let made: Planned;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    made = await planned(server);
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
  });

  test('200: gives what was made, and 404 NOT_FOUND for what is not there', async () => {
    const created = done(await made.seller.post('/storefront/proposals', offerFields(made, made.buyer)));

    const reply = await made.seller.get(`/storefront/proposals/${created.id}`);

    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(created);
    expect(refusalOf(await made.seller.get('/storefront/proposals/999999'))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    });
  });
});
