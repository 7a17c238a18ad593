import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyIdOf, sealWith } from '../../adapters/ports/secrets.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { setProvider } from '../../store/organization-providers.ts';
import { providerOwner } from '../../tools/domain/organizations/secret-owners.ts';
import { sealedPlaces } from '../../tools/domain/sealing/places.ts';
import { sealAnew, sealedShares } from '../../tools/domain/sealing/rotation.ts';
import { secretOwner } from '../../tools/domain/webhooks/secret-owner.ts';
import { walk } from '../journeys/walk.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { tablesOf } from '../support/database/tables.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SEALED = /^v\d+\.[0-9a-f]{8}\.[\w-]{38,}$/;
const OLD = Buffer.alloc(32, 1);
const KEY = OLD.toString('base64');

describe('what is encrypted', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { SECRETS_KEY: KEY } });
  });
  afterAll(() => server.stop());

  /** Columns, each as `table.column`, in which something is that looks encrypted. */
  async function columnsFound(): Promise<string[]> {
    const found = new Set<string>();
    for (const { name } of await tablesOf(server.store)) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
        server.store.db.withoutPlugins(),
      );
      for (const [column, value] of rows.flatMap((row) => Object.entries(row))) {
        if (typeof value === 'string' && SEALED.test(value)) found.add(`${name}.${column}`);
      }
    }
    return [...found].sort();
  }

  test('stands after everything was called in the columns alone that are encrypted anew', async () => {
    const found = new Set<string>();
    const look = async () => {
      for (const column of await columnsFound()) found.add(column);
    };
    const { walkers } = await walk(server, {
      after: async ({ capability }) => {
        if (capability.name.endsWith('_create')) await look();
      },
    });
    const { ports } = server.running.app.services;
    const seller = await newPerson(server, { roles: ['SELLER'] });
    await seller.post('/storefront', { name: 'Far', defaultCurrency: 'USD', acceptsAllCountries: true });
    await seller.post('/storefront/inventory-sources', {
      name: 'Agent',
      executionType: 'AGENT',
      endpointUrl: 'https://far.example/mcp',
      authenticationType: 'API_KEY',
      auth: { type: 'bearer', token: 'token-of-the-far-seller' },
    });
    await setProvider(server.store.db, makeTenant(walkers.buyer.organizationId), {
      domain: 'walk.example',
      issuer: 'https://login.walk.example',
      client_id: 'walk',
      secret_sealed: ports.secrets.seal('secret', providerOwner('walk.example')),
      created_at: server.operator.now,
    });
    await fetch(`${server.url}/.well-known/jwks.json`);

    await look();
    expect([...found].sort()).toEqual(sealedPlaces.map(({ table, column }) => `${table}.${column}`).sort());
  });
});

describe('a new key', () => {
  const FRESH = randomBytes(32);
  const both = sealWith(FRESH, OLD);
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: { SECRETS_KEY: KEY, WEBHOOK_SUBSCRIPTIONS_PER_ACCOUNT: '1000' },
    });
    person = await newPerson(server);
    for (let index = 0; index < 250; index += 1) {
      await person.post('/buyer/webhook-subscriptions', {
        url: `https://hooks.example/${index}`,
        secret: `the secret number ${index}`,
        eventTypes: ['discovery.revision'],
      });
    }
  });
  afterAll(() => server.stop());

  const shares = async () => {
    const all = await sealedShares(server.store.db);
    return Object.fromEntries(
      all
        .filter(({ where }) => where === 'webhook_subscriptions.secret')
        .map(({ keyId, count }) => [keyId, count]),
    );
  };

  test('takes over in small steps, which can be stopped and begun again', async () => {
    const { store } = server;
    let steps = 0;
    const stopped: Pick<typeof store, 'db' | 'transaction'> = {
      db: store.db,
      transaction: (work) => {
        steps += 1;
        if (steps > 2) throw new Error('stopped');
        return store.transaction(work);
      },
    };

    await expect(sealAnew(stopped, both)).rejects.toThrow('stopped');
    const between = await shares();
    expect(between[keyIdOf(FRESH)]).toBeGreaterThan(0);
    expect(between[keyIdOf(OLD)]).toBeGreaterThan(0);

    await sealAnew(store, both);
    expect(await shares()).toEqual({ [keyIdOf(FRESH)]: 250 });
    expect(await sealAnew(store, both)).toBe(0);
    const rows = await store.db
      .selectFrom('webhook_subscriptions')
      .select(['id', 'url', 'secret'])
      .where('organization_id', '=', person.organizationId)
      .execute();
    for (const { id, url, secret } of rows) {
      const number = url.replace('https://hooks.example/', '');
      expect(sealWith(FRESH).open(secret, secretOwner(id))).toBe(`the secret number ${number}`);
    }
  });

  /** The ids of two of the subscriptions, in their order. */
  async function twoFrom(place: number): Promise<readonly [string, string]> {
    const rows = await server.store.db
      .selectFrom('webhook_subscriptions')
      .select('id')
      .where('organization_id', '=', person.organizationId)
      .orderBy('id')
      .offset(place)
      .limit(2)
      .execute();
    const [one = '', other = ''] = rows.map(({ id }) => id);
    return [one, other];
  }

  const put = (id: string, secret: ReturnType<typeof both.seal>) =>
    server.store.db
      .updateTable('webhook_subscriptions')
      .set({ secret })
      .where('organization_id', '=', person.organizationId)
      .where('id', '=', id)
      .execute();

  test('leaves what somebody wrote in the meantime, and what no known key opens', async () => {
    const { store } = server;
    const lost = sealWith(randomBytes(32)).seal('lost', 'row');
    const written = both.seal('written meanwhile', 'row');
    const before = sealWith(OLD);
    const [one, other] = await twoFrom(0);
    await put(one, lost);
    await put(other, before.seal('of before', secretOwner(other)));
    const busy: Pick<typeof store, 'db' | 'transaction'> = {
      db: store.db,
      transaction: async (work) => {
        await put(other, written);
        return store.transaction(work);
      },
    };

    await sealAnew(busy, both);

    const found = await store.db
      .selectFrom('webhook_subscriptions')
      .select('secret')
      .where('organization_id', '=', person.organizationId)
      .orderBy('id')
      .limit(2)
      .execute();
    expect(found.map(({ secret }) => secret)).toEqual([lost, written]);
  });

  test('goes on behind a value that its own key does not open, and names it', async () => {
    const { store } = server;
    const [damaged, whole] = await twoFrom(2);
    const before = sealWith(OLD);
    await put(damaged, before.seal('of another row', 'elsewhere'));
    await put(whole, before.seal('as it was', secretOwner(whole)));
    const told: string[] = [];

    expect(await sealAnew(store, both, (where) => told.push(where))).toBe(1);

    expect(told).toEqual([`webhook_subscriptions.secret of ${damaged}`]);
    const { secret } = await store.db
      .selectFrom('webhook_subscriptions')
      .select('secret')
      .where('organization_id', '=', person.organizationId)
      .where('id', '=', whole)
      .executeTakeFirstOrThrow();
    expect(sealWith(FRESH).open(secret, secretOwner(whole))).toBe('as it was');
  });
});
