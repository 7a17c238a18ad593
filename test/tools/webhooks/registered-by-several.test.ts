import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveGrant } from '../../../tools/domain/organizations/grants.ts';
import { revokeKey } from '../../../tools/domain/organizations/keys.ts';
import { grantedOnly } from '../../support/buying/access.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { newServiceToken } from '../../support/callers/service-tokens.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/webhook-subscriptions';
const fields = {
  url: 'https://hooks.acme.example/in',
  secret: 'a-secret-nobody-guesses',
  eventTypes: ['discovery.revision'],
};

describe('webhook_create, of what a colleague registered', () => {
  let server: TestServer;
  let owner: Person;
  let first: string;
  beforeAll(async () => {
    server = await startTestServer();
  });
  beforeEach(async () => {
    owner = await newPerson(server);
    first = done(await owner.post(PATH, fields)).subscription.id;
  });
  afterAll(() => server.stop());

  async function idsOf(): Promise<string[]> {
    const { subscriptions } = done(await owner.get(PATH));
    return subscriptions.map(({ id }: { id: string }) => id);
  }

  test('gives the subscription that is there, so that no event is sent twice', async () => {
    const colleague = await owner.withKey(['buyer:admin', 'buyer:write']);

    const again = await colleague.post(PATH, fields);

    expect([again.status, again.body.data.subscription.id]).toEqual([200, first]);
    expect(await idsOf()).toEqual([first]);
  });

  test('keeps it when the key it was first made with is replaced, and says so in the log', async () => {
    const before = await owner.withKey(['buyer:admin', 'buyer:write', 'buyer:read']);
    const made = { ...fields, url: 'https://hooks.acme.example/rotated' };
    const { subscription } = done(await before.post(PATH, made));

    done(await owner.post(PATH, made));
    await revokeKey(server.operator, { organizationId: owner.organizationId, id: before.keyId });

    expect(await idsOf()).toContain(subscription.id);
    const [entry] = await auditOf(server, owner, 'webhook_create');
    expect(entry).toMatchObject({ action: 'UPDATE', resource_id: subscription.id });
    expect(JSON.parse(entry?.changes ?? '')).toEqual({
      principal: { from: `api_key:${before.keyId}`, to: `api_key:${owner.keyId}` },
    });
  });

  test('gives one of their own to those whom grants narrow, and to the others one that none narrow', async () => {
    const granted = await grantedOnly(server, owner, await newAdvertiser(owner));
    const theirs = { ...fields, url: 'https://hooks.acme.example/narrow' };

    const narrow = await granted.post(PATH, theirs);
    const wide = await owner.post(PATH, theirs);

    expect([narrow.status, wide.status]).toEqual([201, 201]);
    expect((await granted.post(PATH, fields)).status).toBe(201);
  });

  test('gives a narrowed person what they made with another credential, to be seen and ended with each', async () => {
    const { maker, bearer } = await newServiceToken(server, owner, { role: 'ADMIN' });
    const person = clientFor(server.url, maker.credential);
    const made = done(await person.post('/service-tokens', { role: 'ADMIN' }));
    const renewed = clientFor(server.url, `${made.accessClientId}.${made.accessClientSecret}`);
    const advertiserId = Number(await newAdvertiser(owner));
    const { organizationId } = owner;
    await giveGrant(server.operator, { organizationId, holder: `user:${maker.userId}`, advertiserId });
    const theirs = { ...fields, url: 'https://hooks.acme.example/renewed' };
    const { id } = done(await clientFor(server.url, bearer).post(PATH, theirs)).subscription;

    const again = await renewed.post(PATH, theirs);

    expect([again.status, again.body.data.subscription.id]).toEqual([200, id]);
    for (const client of [renewed, person]) {
      expect(done(await client.get(PATH)).subscriptions).toMatchObject([{ id }]);
    }
    done(await person.delete(`${PATH}/${id}`));
  });
});
