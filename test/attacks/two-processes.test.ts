import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { readEvents } from '../support/callers/event-reader.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectEnded } from '../support/callers/refusals.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { manualClock } from '../support/run/clock.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

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

  test('one key sent to both at once is one change, and one answer', async () => {
    const body = JSON.stringify({
      name: 'Acme',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });
    const create = (server: TestServer, key: string) =>
      buyer.send(`${server.url}/api/v2/buyer/advertisers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body,
      });
    const keys = ['one', 'two', 'three', 'four', 'five'];
    const replies = await Promise.all(
      keys.map((key) => Promise.all([one, other, one, other].map((server) => create(server, key)))),
    );

    for (const of of replies) {
      expect(of.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set(of.map(({ text }) => text)).size).toBe(1);
    }
    const { items } = done(await buyer.get('/buyer/advertisers?take=100'));
    expect(items).toHaveLength(keys.length);
  });

  test('one key of a call that waits for a seller, sent to both at once, is one session', async () => {
    const held = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
    const advertiserId = await newAdvertiser(buyer);
    const body = JSON.stringify({ advertiserId, storefrontIds: [ada.storefrontId], waitSeconds: 30 });
    const ask = (server: TestServer) =>
      buyer.send(`${server.url}/api/v2/buyer/discovery/discover-products`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'session' },
        body,
      });
    const first = ask(one);
    await ada.agent.called('get_products');
    const meanwhile = await ask(other);
    held.open();
    const answered = await first;
    const after = await ask(other);

    expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([409, '1']);
    expect([answered.status, after.text]).toEqual([200, answered.text]);
    expect(after.headers.get('idempotency-replayed')).toBe('true');
    expect(ada.agent.calls.filter(({ tool }) => tool === 'get_products')).toHaveLength(1);
  });

  test('a credential that ends in one ends what it has open in the other', async () => {
    const reader = await buyer.withKey(['buyer:read']);
    const { discoveryId, held } = await begin();
    const events = await readEvents(other, reader, { discoveryId });

    await revokeKey(one.operator, { organizationId: reader.organizationId, id: reader.keyId });
    const [last] = await events.rest();
    held.open();

    expectEnded(last, { code: 'UNAUTHORIZED', words: 'The credential is unknown, expired or revoked.' });
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
