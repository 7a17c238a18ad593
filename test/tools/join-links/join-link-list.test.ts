import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('join_link_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the links that nobody disabled', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    const { storefrontId } = await openStorefront(seller);
    await seller.post('/storefront/join-links', {});

    const reply = await seller.get('/storefront/join-links');

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({
      total: 1,
      items: [{ storefrontId: Number(storefrontId), approvalPolicy: 'manual_approve', uses: 0 }],
    });
  });
});
