import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { everythingKept } from '../../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const FOR_ADMINISTRATORS =
  /^This call needs (an interactive session of a person; a key or token cannot make it|the permission buyer:admin)\.$/;

const PATH = '/org-api-keys';

describe('org_api_key_create', () => {
  let server: TestServer;
  let owner: Person;
  beforeAll(async () => {
    server = await startTestServer();
    owner = await newPerson(server);
  });
  afterAll(() => server.stop());

  const admin = async (person = owner) => clientFor(server.url, await person.browser());

  describe('201', () => {
    test('shows the value in this answer alone; every list shows it masked', async () => {
      const made = await (await admin()).post(PATH, { name: '  Reports ', permissions: ['buyer:read'] });

      const { value, ...key } = made.body.data.apiKey;
      expect(made.status).toBe(201);
      expect(value).toMatch(/^rialtok_live_[0-9A-Za-z]{46}$/);
      expect(key).toEqual({
        id: expect.stringMatching(/^key_/),
        name: 'Reports',
        permissions: ['buyer:read'],
        obfuscatedValue: `rialtok_live_…${value.slice(-4)}`,
        organizationId: owner.organizationId,
        createdByUserId: expect.any(Number),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        lastUsedAt: null,
        expiresAt: null,
      });
      const list = await (await admin()).get(PATH);
      expect(list.body.data.apiKeys[0]).toEqual(key);
      expect(list.text).not.toContain(value);
      expect(await everythingKept(server)).not.toContain(value);
    });

    test('makes a key that is the organization’s: it goes on when its maker is gone', async () => {
      const maker = await newBrowser(server, owner.organizationId);
      const client = clientFor(server.url, maker.credential);
      const { value } = (await client.post(PATH, { name: 'Stays', permissions: ['buyer:read'] })).body.data
        .apiKey;
      await server.store.db
        .deleteFrom('memberships')
        .where('organization_id', '=', owner.organizationId)
        .where('user_id', '=', maker.userId)
        .execute();

      expect((await client.get(PATH)).status).toBe(401);
      expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(200);
    });

    test('writes an entry that names the person, and not the value', async () => {
      const maker = await newBrowser(server, owner.organizationId);
      const made = await clientFor(server.url, maker.credential).post(PATH, {
        name: 'Logged',
        permissions: ['buyer:read'],
      });
      const logs = await owner.get('/buyer/audit-logs?detail=full&take=1&resourceTypes=API_KEY');

      const [entry] = logs.body.data.logs;
      expect(entry).toMatchObject({
        tool: 'org_api_key_create',
        resourceId: made.body.data.apiKey.id,
        userEmail: maker.email,
        userName: expect.stringMatching(/^Person /),
        actorOrigin: 'human',
      });
      expect(logs.text).not.toContain(made.body.data.apiKey.value);
    });
  });

  test.each([
    [[], 'permissions', '1 entry at the least.'],
    [['buyer:fly'], 'permissions.0', 'Give one of: buyer:read, buyer:write, buyer:admin, account:admin.'],
    [['buyer:read', 'buyer:read'], 'permissions', 'Give each permission once.'],
    [undefined, 'permissions', 'Required: give an array.'],
  ])('400 VALIDATION_ERROR for permissions %j', async (permissions, path, words) => {
    const reply = await (await admin()).post(PATH, { name: 'Odd', permissions });

    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [path]: words } });
  });

  test('403 FORBIDDEN for whatever is no person at a browser, and for people without buyer:admin', async () => {
    const member = await newBrowser(server, owner.organizationId, 'MEMBER');
    const countBefore = (await (await admin()).get(PATH)).body.data.total;

    for (const credential of [owner.key, member.credential]) {
      const client = clientFor(server.url, credential);
      const wanted = { name: 'No', permissions: ['buyer:read'] };
      for (const answer of [
        await client.get(PATH),
        await client.post(PATH, wanted),
        await client.delete(`${PATH}/key_nobodys`),
      ]) {
        expectRefusal(answer, 403, { code: 'FORBIDDEN', words: FOR_ADMINISTRATORS });
      }
    }
    expect((await owner.get(`${PATH}/widget-token`)).status).toBe(403);
    expect((await (await admin()).get(PATH)).body.data.total).toBe(countBefore);
  });

  test('409 CONFLICT beyond a hundred live keys', async () => {
    const full = await newPerson(server);
    const [row] = await server.store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('organization_id', '=', full.organizationId)
      .execute();
    const copies = Array.from({ length: 99 }, (_, index) => ({
      ...row,
      id: `${row?.id}${index}`,
      hash: `${row?.hash}${index}`,
    }));
    await server.store.db
      .insertInto('api_keys')
      .values(copies as never)
      .execute();

    const refused = await (await admin(full)).post(PATH, { name: 'One more', permissions: ['buyer:read'] });

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      words: 'The organization has 100 live keys, which is the most it may have.',
    });
  });
});
