import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('join_link_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200, and NOT_FOUND once it is gone', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await openStorefront(seller);
    const { id } = (await seller.post('/storefront/join-links', {})).body.data;

    const reply = await seller.delete(`/storefront/join-links/${id}`);

    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({ disabled: true, id });
    expectRefusal(await seller.delete(`/storefront/join-links/${id}`), 404, {
      code: 'NOT_FOUND',
      words: 'No such join link.',
    });
  });
});
