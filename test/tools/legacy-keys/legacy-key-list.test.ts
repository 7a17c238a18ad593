import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../../tools/registry.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { legacyValue, newLegacyKey } from '../../support/callers/legacy-keys.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { everythingKept } from '../../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('legacy_key_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 lists to account administrators all of them, to others their own', async () => {
    const owner = await newPerson(server);
    const member = await newBrowser(server, owner.organizationId, 'MEMBER');
    const ofAccount = await newLegacyKey(server, owner);
    const ofMember = await newLegacyKey(server, owner, { email: member.email });
    await newLegacyKey(server, await newPerson(server));
    const idsFor = async (credential: string) => {
      const { status, body } = await clientFor(server.url, credential).get('/legacy-keys');
      expect(status).toBe(200);
      return body.data.items.map(({ id, scope }: { id: string; scope: string }) => [id, scope]).sort();
    };

    expect(await idsFor(await owner.browser())).toEqual(
      [
        [ofAccount, 'customer'],
        [ofMember, 'user'],
      ].sort(),
    );
    expect(await idsFor(member.credential)).toEqual([[ofMember, 'user']]);
    const stranger = await newBrowser(server, owner.organizationId, 'READ_ONLY');
    expect(await idsFor(stranger.credential)).toEqual([]);
  });

  test('a key works for the account or the person, every answer says that its kind goes, and it is kept nowhere', async () => {
    const owner = await newPerson(server);
    const reader = await newBrowser(server, owner.organizationId, 'READ_ONLY');
    const [ofAccount, ofReader] = [legacyValue(), legacyValue()];
    await newLegacyKey(server, owner, { value: ofAccount });
    await newLegacyKey(server, owner, { value: ofReader, email: reader.email });
    const write = (value: string) =>
      clientFor(server.url, value).post('/buyer/advertisers', {
        name: 'Acme',
        brand: 'acme.example',
        saveBrand: true,
        primaryCurrency: 'USD',
      });

    const made = await write(ofAccount);
    const refused = await write(ofReader);

    expect([made.status, refused.status]).toEqual([201, 403]);
    for (const { headers } of [made, refused]) expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect((await owner.get('/buyer/campaigns')).headers.get('deprecation')).toBeNull();
    const kept = await everythingKept(server);
    expect([kept.includes(ofAccount), kept.includes(ofReader)]).toEqual([false, false]);
  });

  test('a key of a person keeps to the account that it names, as one of the account does', async () => {
    const owner = await newPerson(server);
    const admin = await newBrowser(server, owner.organizationId, 'ADMIN');
    const [ofAccount, ofPerson] = [legacyValue(), legacyValue()];
    await newLegacyKey(server, owner, { value: ofAccount });
    await newLegacyKey(server, owner, { value: ofPerson, email: admin.email });

    for (const value of [ofAccount, ofPerson]) {
      const client = clientFor(server.url, value);
      expect((await client.get('/buyer/campaigns')).status).toBe(200);
      expectRefusal(await client.get('/storefront/products'), 403, {
        code: 'FORBIDDEN',
        words: 'This organization has no storefront account.',
      });
    }
  });

  test('is all there is beside ending them: nothing makes, changes or shows one', () => {
    const about = tools.filter(({ name }) => name.startsWith('legacy_key'));

    expect(about.map(({ name, effect }) => [name, effect])).toEqual([
      ['legacy_key_list', 'read'],
      ['legacy_key_delete', 'delete'],
    ]);
  });

  test('the setting retires every one of them at once', async () => {
    const server2 = await startTestServer({ settings: { LEGACY_KEYS_RETIRE_AT: '2026-12-01T08:00:00Z' } });
    try {
      const owner = await newPerson(server2);
      const value = legacyValue();
      await newLegacyKey(server2, owner, { value });
      expect((await clientFor(server2.url, value).get('/buyer/campaigns')).status).toBe(401);
    } finally {
      await server2.stop();
    }
  });

  test('an expired one is 401', async () => {
    const owner = await newPerson(server);
    const value = legacyValue();
    await newLegacyKey(server, owner, { value, expiresAt: '2026-11-01T00:00:00.000Z' });
    expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(401);
  });
});
