import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newLegacyKey } from '../support/callers/legacy-keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** More than one call of a list gives. */
const MANY = 101;

type Make = (server: TestServer, owner: Person, named: { name: string; admin: Client }) => Promise<unknown>;

const LISTS: Readonly<Record<string, Make>> = {
  keys: ({ operator }, { organizationId }, { name }) =>
    createKey(operator, { organizationId, name, permissions: ['buyer:read'] }),
  applications: async (_server, _owner, { name, admin }) => {
    const made = await admin.post('/m2m-applications', { name, permissions: ['buyer:read'] });
    expect(made.status).toBe(201);
  },
  'legacy-keys': (server, owner, { name }) => newLegacyKey(server, owner, { name }),
};

describe('the settings pages', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { APPLICATIONS_PER_ORGANIZATION: '1000' } });
  });
  afterAll(() => server.stop());

  test.each(Object.keys(LISTS))(
    'show all %s, also where they are more than a list gives at once',
    async (page) => {
      const owner = await newPerson(server);
      const { credential } = await newBrowser(server, owner.organizationId);
      const admin = clientFor(server.url, credential);
      const names = Array.from({ length: MANY }, (_none, at) => `Made as no. ${at}.`);
      for (const name of names) await LISTS[page]?.(server, owner, { name, admin });

      const shown = await admin.get(`${server.url}/settings/${page}`);

      expect(names.filter((name) => !shown.text.includes(name))).toEqual([]);
    },
  );

  test('say where there are more than they show', async () => {
    const owner = await newPerson(server);
    const { organizationId } = owner;
    const { credential } = await newBrowser(server, organizationId);
    const admin = clientFor(server.url, credential);
    const db = server.store.db.withoutPlugins();
    const keys = db.selectFrom('api_keys').selectAll().where('organization_id', '=', organizationId);
    const { id: _id, ...key } = await keys.executeTakeFirstOrThrow();
    const copies = (from: number, to: number) =>
      Array.from({ length: to - from }, (_none, at) => {
        const own = `${organizationId}-${from + at}`;
        return { ...key, id: own, hash: own };
      });
    const shown = async () => (await admin.get(`${server.url}/settings/keys`)).text;
    await db.insertInto('api_keys').values(copies(0, 999)).execute();

    const full = await shown();
    await db.insertInto('api_keys').values(copies(999, 1_000)).execute();

    expect(full).not.toContain('There are more');
    expect(await shown()).toContain('There are more than the 1,000 that are shown here');
  });
});
