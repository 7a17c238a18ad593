import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type ManualClock, manualClock } from '../support/run/clock.ts';
import { lookUntil } from '../support/run/looking.ts';
import { discover } from '../support/sellers/discovery.ts';
import { newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const [ONE, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const LEASE_MS = 600_000;

// SQLite is served by one process at a time.
describe.runIf(engine === 'postgres')('a webhook whose secret one of two processes cannot open', () => {
  let database: TestDatabase;
  let clock: ManualClock;
  let authority: Authority;
  let hook: Receiver;
  let one: TestServer;
  let other: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  let lockedId: string;

  const start = (key: Buffer) =>
    startTestServer({
      database,
      clock,
      settings: {
        SECRETS_KEY: key.toString('base64'),
        PUBLIC_URL: 'https://rialto.example',
        PROCESS_LEASE_MS: String(LEASE_MS),
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: authority.file,
      },
    });
  beforeAll(async () => {
    database = await freshDatabase();
    clock = manualClock(Date.now());
    authority = await newAuthority();
    hook = await startReceiver(authority);
    one = await start(ONE);
    buyer = await newPerson(one);
    advertiserId = await newAdvertiser(buyer);
    storefrontId = (await openStorefront(await newPerson(one))).storefrontId;
    lockedId = (await subscribe(buyer, `${hook.url}locked`)).id;
    other = await start(OTHER);
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
    await hook.stop();
    authority.remove();
    await database.drop();
  });

  const rowsOf = (subscriptionId: string) =>
    other.store.db
      .selectFrom('webhook_deliveries')
      .select(['state', 'outcome', 'owner'])
      .where('organization_id', '=', buyer.organizationId)
      .where('subscription_id', '=', subscriptionId)
      .orderBy('id')
      .execute();
  const over = (subscriptionId: string, events: number) =>
    lookUntil(
      async () => {
        // Rows that other processes wrote are found by the clock.
        clock.advance(1_001);
        return rowsOf(subscriptionId);
      },
      (rows) => rows.filter(({ state }) => !['pending', 'attempting'].includes(state)).length >= events,
    );

  test('is sent every event by the one that can, whichever process the event came from', async () => {
    const atOther = clientFor(other.url, buyer.key);
    for (let event = 0; event < 8; event += 1) {
      await discover(event % 2 === 0 ? buyer : atOther, advertiserId, [storefrontId]);
    }

    const rows = await over(lockedId, 8);

    expect(new Set(rows.map(({ state, outcome }) => `${state} ${outcome}`))).toEqual(
      new Set(['delivered null']),
    );
  });

  test('waits for nobody else once that one is gone, and holds up no other', async () => {
    const before = (await rowsOf(lockedId)).length;
    await one.stop();
    const { key } = buyer;
    const again = { ...buyer, ...clientFor(other.url, key) };
    const { id: own } = await subscribe(again, `${hook.url}own`);
    await discover(again, advertiserId, [storefrontId]);

    expect(await over(own, 1)).toMatchObject([{ state: 'delivered' }]);
    expect((await over(lockedId, before + 1)).at(-1)).toMatchObject({
      state: 'skipped',
      outcome: 'secret_not_opened',
    });
  });
});
