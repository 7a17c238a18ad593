import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorefront } from '../../support/market.ts';
import { newNewcomer } from '../../support/newcomers.ts';
import { newPerson } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('sponsored_buyer_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with who came by the links', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const { slug } = (await seller.post('/storefront/join-links', {})).body.data;
    const newcomer = await newNewcomer(server);
    await newcomer.post(`/signup/join-links/${slug}`, { name: 'Sponsored' });

    const reply = await seller.get('/storefront/sponsored-buyers');

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({
      total: 1,
      items: [{ buyerName: 'Sponsored', status: 'pending' }],
    });
  });
});
