import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('sponsored_buyer_update', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 for each way on, and CONFLICT for one that leads nowhere', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const { slug } = (await seller.post('/storefront/join-links', {})).body.data;
    const newcomer = await newNewcomer(server);
    await newcomer.post(`/signup/join-links/${slug}`, { name: 'Sponsored' });
    const { buyerId } = (await seller.get('/storefront/sponsored-buyers')).body.data.items[0];
    const tell = (action: string) => seller.post(`/storefront/sponsored-buyers/${buyerId}/${action}`, {});

    const reply = await tell('approve');

    expect(reply.status).toBe(200);
    expect(reply.body.data.status).toBe('active');
    expectRefusal(await tell('reactivate'), 409, {
      code: 'CONFLICT',
      words: 'A buyer that is active cannot be told to reactivate.',
    });
    expect((await tell('suspend')).body.data.status).toBe('suspended');
    expect((await tell('reactivate')).body.data.status).toBe('active');
  });

  test('answers NOT_FOUND for a buyer of another seller', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const { slug } = (await seller.post('/storefront/join-links', {})).body.data;
    const newcomer = await newNewcomer(server);
    await newcomer.post(`/signup/join-links/${slug}`, { name: 'Sponsored' });
    const { buyerId } = (await seller.get('/storefront/sponsored-buyers')).body.data.items[0];
    const stranger = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(stranger);

    const reply = await stranger.post(`/storefront/sponsored-buyers/${buyerId}/approve`, {});

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such sponsored buyer.' });
  });
});
