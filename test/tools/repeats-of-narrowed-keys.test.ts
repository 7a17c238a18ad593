import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { grantedOnly } from '../support/buying/access.ts';
import { type Client, clientFor, type Reply } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BEYOND = {
  code: 'CONFLICT' as const,
  at: {
    'Idempotency-Key':
      /^This call was made at \S+ by a credential that reached beyond this one, and nothing was done now\.$/,
  },
};

describe('the answer that is kept for the repeat of a change', () => {
  let server: TestServer;
  let owner: Person;
  let theirs: string;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    owner = await newPerson(server);
    theirs = await newAdvertiser(owner);
  });

  const send = (by: Client, path: string, body: object): Promise<Reply> =>
    by.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
      body: JSON.stringify(body),
    });
  const register = (by: Client) =>
    send(by, '/buyer/webhook-subscriptions', {
      url: 'https://hooks.acme.example/in',
      secret: 'a-secret-nobody-guesses',
      eventTypes: ['discovery.revision'],
    });
  const plan = (by: Client, advertiserId = theirs) =>
    send(by, '/buyer/campaigns', {
      advertiserId,
      name: 'Winter',
      flightDates,
      budget: { total: 1_000 },
    });
  const trialKey = async () => {
    const { value } = await createKey(server.operator, {
      organizationId: owner.organizationId,
      name: 'Trial',
      permissions: ['buyer:write'],
      environment: 'test',
    });
    return clientFor(server.url, value);
  };
  const isReplayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

  test('is not for a colleague whom grants narrow, and who never saw it', async () => {
    const made = await register(owner);
    const narrow = await grantedOnly(server, owner, theirs);

    const reply = await register(narrow);

    expectRefusal(reply, 409, BEYOND);
    expect(reply.text).not.toContain(made.body.data.subscription.id);
  });

  test('is not for the key that made the change, once grants leave it another advertiser alone', async () => {
    const maker = await owner.withKey(['buyer:admin', 'buyer:write', 'buyer:read']);
    const made = await plan(maker);
    await giveGrant(server.operator, {
      organizationId: owner.organizationId,
      holder: `api_key:${maker.keyId}`,
      advertiserId: Number(await newAdvertiser(owner, { name: 'Other' })),
    });

    const reply = await plan(maker);

    expectRefusal(reply, 409, BEYOND);
    expect(reply.text).not.toContain(made.body.data.campaign.campaignId);
  });

  test('is for a narrowed key that made the change, for one of the same grants, and for one without any', async () => {
    const maker = await grantedOnly(server, owner, theirs);
    const alike = await grantedOnly(server, owner, theirs);
    const made = await plan(maker);

    const replies = [await plan(maker), await plan(alike), await plan(owner)];

    expect(made.status).toBe(201);
    expect(replies.map(({ text }) => text)).toEqual(replies.map(() => made.text));
    expect(replies.every(isReplayed)).toBe(true);
  });

  test('is for every test key of the account, and not for one where a live key made the change', async () => {
    const [maker, alike] = [await trialKey(), await trialKey()];
    const sandbox = await newAdvertiser(maker);
    const made = await plan(maker, sandbox);

    const replies = [await plan(alike, sandbox), await plan(maker, sandbox)];

    expect(made.status).toBe(201);
    expect(replies.map(({ text }) => text)).toEqual(replies.map(() => made.text));
    expect(replies.every(isReplayed)).toBe(true);
    await register(owner);
    expectRefusal(await register(alike), 409, BEYOND);
  });
});
