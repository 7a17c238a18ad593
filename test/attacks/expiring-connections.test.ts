import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { clientFor } from '../support/callers/client.ts';
import { readEvents } from '../support/callers/event-reader.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectEnded, expectRefusal } from '../support/callers/refusals.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const VALID_MS = 20_000;

let server: TestServer;
let clock: SkippingClock;
let ada: FarSeller;
let owner: Person;
beforeAll(async () => {
  clock = skippingClock();
  server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  ada = await farSeller(server, 'Ada');
  owner = await newPerson(server);
});
afterAll(async () => {
  await server.stop();
  await ada.agent.stop();
});

test('what is open when its key expires ends then, and says why', async () => {
  const held = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
  const { discoveryId } = done(
    await owner.post('/buyer/discovery/discover-products', {
      advertiserId: await newAdvertiser(owner),
      storefrontIds: [ada.storefrontId],
      waitSeconds: 0,
    }),
  );
  const { value: key } = await createKey(server.operator, {
    organizationId: owner.organizationId,
    name: 'Short',
    permissions: ['buyer:read'],
    expiresAt: new Date(clock.now() + VALID_MS).toISOString(),
  });
  const reader = { ...owner, ...clientFor(server.url, key), key };
  const events = await readEvents(server, reader, { discoveryId });
  const polling = reader.get(`/buyer/discovery/${discoveryId}/browse-products?waitSeconds=30`);

  clock.skip(VALID_MS);
  const [last, ...more] = await events.rest();
  held.open();

  expect(more).toEqual([]);
  expectEnded(last, { code: 'UNAUTHORIZED', words: 'The credential is unknown, expired or revoked.' });
  expectRefusal(await polling, 401, {
    code: 'UNAUTHORIZED',
    words: 'The credential is unknown, expired or revoked.',
  });
});
