import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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

  test('turns pages', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const { slug } = (await seller.post('/storefront/join-links', {})).body.data;
    for (const name of ['One', 'Two', 'Three']) {
      await (await newNewcomer(server)).post(`/signup/join-links/${slug}`, { name });
    }

    const [first, last] = [
      (await seller.get('/storefront/sponsored-buyers?take=2')).body,
      (await seller.get('/storefront/sponsored-buyers?limit=2&offset=2')).body,
    ];

    expect(first.data).toMatchObject({
      items: [{ buyerName: 'One' }, { buyerName: 'Two' }],
      ...{ total: 3, hasMore: true, nextOffset: 2 },
    });
    expect(first.meta.pagination).toEqual({ skip: 0, take: 2, total: 3, hasMore: true });
    expect(last.data).toMatchObject({
      items: [{ buyerName: 'Three' }],
      ...{ total: 3, hasMore: false, nextOffset: null },
    });
  });
});
