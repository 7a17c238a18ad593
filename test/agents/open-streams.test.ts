import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BrowsingPerson,
  type ClaimedAgent,
  claimedAgent,
  personAtBrowser,
  stranger,
} from '../support/callers/agents.ts';
import { readEvents } from '../support/callers/event-reader.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectEnded } from '../support/callers/refusals.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PUBLIC_URL = 'http://127.0.0.1:1';

// SQLite is served by one process at a time: there the other process is the same.
describe('what a claimed agent has open', () => {
  let database: TestDatabase;
  let one: TestServer;
  let other: TestServer;
  let ada: FarSeller;
  let owner: Person;
  let person: BrowsingPerson;
  beforeEach(async () => {
    database = await freshDatabase();
    // One address for both, as behind a balancer: what one signs the other believes.
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', PUBLIC_URL, ALLOWED_HOSTS: '127.0.0.1' };
    one = await startTestServer({ database, settings });
    other = engine === 'postgres' ? await startTestServer({ database, settings }) : one;
    ada = await farSeller(one, 'Ada');
    owner = await newPerson(one);
    person = await personAtBrowser(one, { organizationIds: [owner.organizationId] });
  });
  afterEach(async () => {
    if (other !== one) await other.stop();
    await one.stop();
    await ada.agent.stop();
    await database.drop();
  });

  const ends: Readonly<Record<string, (agent: ClaimedAgent) => Promise<unknown>>> = {
    'its person ends it': async ({ id }) => {
      const page = await person.get('/settings/agents');
      return person.submit(page, '/settings/agents', { id });
    },
    'a refresh token of it is used twice': async ({ refreshToken }) => {
      const body = { type: 'refresh', refresh_token: refreshToken };
      await stranger(one).post('/agent/identity', body);
      return stranger(one).post('/agent/identity', body);
    },
    'it gives itself up': ({ assertion }) => stranger(one).form('/auth/revoke', { token: assertion }),
  };

  test.each(Object.keys(ends))('ends when %s, in whichever process', async (how) => {
    const agent = await claimedAgent(stranger(one), person);
    const { body } = await stranger(one).exchange(agent.assertion);
    const held = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
    const advertiserId = await newAdvertiser(owner);
    const fields = { advertiserId, storefrontIds: [ada.storefrontId], waitSeconds: 0 };
    const { discoveryId } = done(await owner.post('/buyer/discovery/discover-products', fields));
    const events = await readEvents(other, { key: body.access_token }, { discoveryId: String(discoveryId) });

    await ends[how]?.(agent);
    const [last, ...more] = await events.rest();
    held.open();

    expect(events.status).toBe(200);
    expect(more).toEqual([]);
    expectEnded(last, { code: 'UNAUTHORIZED', words: 'The credential is unknown, expired or revoked.' });
  });
});
