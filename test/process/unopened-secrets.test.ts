import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providerSet } from '../../adapters/cli/people-tasks.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { connectAgent, done } from '../support/sellers/market.ts';
import { offerFields, type Planned, planned } from '../support/sellers/offers.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const DOMAIN = 'elsewhere.example';
const LOST = {
  code: 'SERVICE_UNAVAILABLE',
  words: 'A stored credential was encrypted with another SECRETS_KEY. Add that key to SECRETS_KEY_PREVIOUS.',
  details: { suggestion: expect.stringContaining('operator of this installation') },
} as const;

describe('what was encrypted with a key that is not here', () => {
  let database: TestDatabase;
  let server: TestServer;
  let made: Planned;
  let locked: { readonly storefrontId: string };
  let proposalId: number;
  let subscriptionId: string;

  const start = (filledWith: number) =>
    startTestServer({
      database,
      settings: {
        SECRETS_KEY: Buffer.alloc(32, filledWith).toString('base64'),
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
      },
    });
  const seller = () => clientFor(server.url, made.seller.key);
  const buyer = () => clientFor(server.url, made.buyer.key);

  beforeAll(async () => {
    database = await freshDatabase();
    server = await start(1);
    made = await planned(server);
    const other = await newPerson(server, { roles: ['SELLER'] });
    locked = await connectAgent(other, made.agent.url, {
      name: 'Locked',
      auth: { type: 'bearer', token: 'not-for-strangers' },
    });
    proposalId = done(await made.seller.post('/storefront/proposals', offerFields(made, made.buyer))).id;
    subscriptionId = (await subscribe(made.buyer, 'https://127.255.255.254/hook')).id;
    await providerSet(server.operator, server.config, {
      ...{ organization: made.buyer.organizationId, domain: DOMAIN, issuer: `https://${DOMAIN}` },
      ...{ clientId: 'rialto', clientSecret: 'hidden from others' },
    });
    await server.stop();
    server = await start(2);
  });
  afterAll(async () => {
    await server.stop();
    await made.agent.stop();
    await database.drop();
  });

  test('is said of the code of a proposal with 503, and the list shows the others with theirs', async () => {
    expectRefusal(await seller().get(`/storefront/proposals/${proposalId}`), 503, LOST);
    const anew = done(await seller().post('/storefront/proposals', offerFields(made, made.buyer)));

    const { status, body } = await seller().get('/storefront/proposals');

    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: anew.id, proposalCode: anew.proposalCode },
      { id: proposalId, proposalCode: null, label: 'Spring offer', status: 'active' },
    ]);
    expect(anew.proposalCode).toMatch(/^PRP-/);
  });

  test('keeps nobody from changing a proposal and taking it back', async () => {
    const path = `/storefront/proposals/${proposalId}`;

    expect(done(await seller().patch(path, { label: 'Renamed' }))).toMatchObject({ label: 'Renamed' });
    expect(done(await seller().post(`${path}/revoke`))).toMatchObject({
      proposalCode: null,
      status: 'revoked',
    });
  });

  test('is said of the secret of a webhook with 503, before an attempt is begun', async () => {
    const path = `/buyer/webhook-subscriptions/${subscriptionId}`;

    expectRefusal(await buyer().post(`${path}/test`, {}), 503, LOST);
    expectRefusal(await buyer().post(`${path}/test`, {}), 503, LOST);

    expect(done(await buyer().get(`${path}/deliveries`)).items).toEqual([]);
    expect((await buyer().get('/buyer/webhook-subscriptions')).status).toBe(200);
  });

  test('is said to who signs in at the identity provider of an organization with 503', async () => {
    const browser = browserClient(server.url);

    const { status, text } = await browser.submit('/sign-in/organization', { email: `ada@${DOMAIN}` });

    expect(status).toBe(503);
    expect(text).toContain('SECRETS_KEY_PREVIOUS');
    expect(text).toContain('operator of this installation');
    expect((await browserClient(server.url).get('/sign-in')).status).toBe(200);
  });

  test('leaves out its seller alone, who is named with what to do', async () => {
    const found = done(
      await buyer().post('/buyer/discovery/discover-products', {
        advertiserId: made.advertiserId,
        waitSeconds: 30,
        storefrontIds: [made.storefrontId, locked.storefrontId],
      }),
    );

    expect(found.summary.totalProducts).toBeGreaterThan(0);
    expect(found.incompleteAgents).toEqual([
      expect.objectContaining({
        reason: 'auth_required',
        message: expect.stringMatching(/cannot be opened.*inventory_source_update/),
      }),
    ]);
  });

  test('fails no call in a way that nobody foresaw', () => {
    const errors = server.log.lines.filter(({ level }) => level === 'error').map(({ message }) => message);

    // Events that cannot be signed are logged, each.
    const unsigned = 'an event is not sent: the secret that signs it cannot be opened';
    expect(errors.filter((message) => message !== unsigned)).toEqual([]);
  });
});
