import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

// One side of the comparison was folded by the database, the other by us: SQLite folds ASCII alone.
describe('a name with letters beyond ASCII', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  test('pins a discovery to its storefront', async () => {
    await openStorefront(await newPerson(server), { name: 'Ärzteblatt' });
    const buyer = await newPerson(server);

    const found = done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId: await newAdvertiser(buyer),
        brief: 'Doctors',
        storefrontNames: ['Ärzteblatt'],
        waitSeconds: 30,
      }),
    );

    expect(found.summary.totalProducts).toBe(1);
  });
});
