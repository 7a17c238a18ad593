import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { manualClock } from '../support/clock.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database.ts';
import { readEvents } from '../support/event-reader.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../support/far-seller.ts';
import { done, newAdvertiser } from '../support/market.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// SQLite is served by one process at a time: there is nobody to tell.
describe.runIf(engine === 'postgres')('two processes on one database', () => {
  let database: TestDatabase;
  let one: TestServer;
  let other: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  beforeEach(async () => {
    database = await freshDatabase();
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', RATE_LIMIT_STANDARD: '100000' };
    one = await startTestServer({ database, settings });
    // Its clock stands still: what it does, it does because it was told.
    other = await startTestServer({ database, settings, clock: manualClock() });
    ada = await farSeller(one, 'Ada');
    buyer = await newPerson(one);
  });
  afterEach(async () => {
    await other.stop();
    await one.stop();
    await ada.agent.stop();
    await database.drop();
  });

  const begin = async () => {
    const held = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
    const advertiserId = await newAdvertiser(buyer);
    const fields = { advertiserId, storefrontIds: [ada.storefrontId], waitSeconds: 0 };
    const { discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields));
    return { discoveryId: String(discoveryId), held };
  };
  test('what lands in one wakes who waits in the other', async () => {
    const { discoveryId, held } = await begin();
    const events = await readEvents(other, buyer, { discoveryId });

    held.open();

    expect((await events.rest()).map(({ event }) => event)).toEqual(['complete']);
  });

  test('a credential that ends in one ends what it has open in the other', async () => {
    const reader = await buyer.withKey(['buyer:read']);
    const { discoveryId, held } = await begin();
    const events = await readEvents(other, reader, { discoveryId });

    await revokeKey(one.operator, { organizationId: reader.organizationId, id: reader.keyId });
    const [last] = await events.rest();
    held.open();

    expect(last).toMatchObject({ event: 'error', payload: { error: { code: 'UNAUTHORIZED' } } });
  });

  test('calls to one count in the other', async () => {
    const calls = 20;
    const left = async (server: TestServer) => {
      const answer = await fetch(`${server.url}/api/v2/buyer/advertisers`, {
        headers: { authorization: `Bearer ${buyer.key}` },
      });
      return Number(answer.headers.get('ratelimit-remaining'));
    };
    for (let call = 0; call < calls; call += 1) await left(one);

    let asked = 0;
    await vi.waitUntil(
      async () => {
        asked += 1;
        return (await left(other)) === 100_000 - asked - calls;
      },
      { timeout: 20_000 },
    );
  });
});
