import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedSandbox } from '../../adapters/sandbox/sandbox.ts';
import { listOrganizations } from '../../store/unscoped/organizations.ts';
import { clientFor } from '../support/callers/client.ts';
import { withStore } from '../support/callers/operator.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import {
  type Ending,
  killServices,
  runCommand,
  type Service,
  settingsFor,
  startService,
} from '../support/server/service.ts';

const KEY = /rialtok_test_[0-9A-Za-z]{46}/;

describe('the seeding of a sandbox', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  test('that is cut short leaves nothing behind, and the next start begins anew', async () => {
    const { store } = server;
    const { services } = server.running.app;
    let products = 0;
    const make = (prefix: string) => {
      if (prefix === 'prd') products += 1;
      if (products === 30) throw new Error('The power is gone.');
      return services.ports.ids.make(prefix);
    };

    await expect(seedSandbox({ ...services, ports: { ...services.ports, ids: { make } } })).rejects.toThrow(
      'The power is gone.',
    );
    expect(await listOrganizations(store.db)).toEqual([]);

    expect(await seedSandbox(services)).toMatch(KEY);
    expect(await seedSandbox(services)).toBeUndefined();
  });
});

describe('a fresh installation', () => {
  let database: TestDatabase;
  let settings: Readonly<Record<string, string>>;
  let service: Service;
  let first: string;
  let key: string;
  let keyFile: string;

  beforeAll(async () => {
    database = await emptyDatabase();
    settings = { ...settingsFor(database), NODE_ENV: 'development' };
    service = await startService({ folder: database.folder, settings });
    first = service.output();
    [, keyFile = ''] = /^ {2}(\/.*sandbox\.key)$/m.exec(first) ?? [];
    key = readFileSync(keyFile, 'utf8').trim();
  });
  afterAll(async () => {
    await killServices();
    await database.drop();
  });

  test('prints its address, where the sandbox key is, and three things to try with them', () => {
    expect(first).toContain(`is ready at ${service.url}`);
    expect(first).toContain('Sandbox key, in a file that this user alone can read:');
    expect(first).toContain(`curl -s ${service.url}/api/v2/buyer/discovery/discover-products`);
    expect(first).toContain('modelcontextprotocol/inspector');
    expect(first).toContain('"mcpServers"');
  });

  test('keeps the key out of what is no terminal, in a file that its user alone can read', () => {
    expect(service.output()).not.toMatch(KEY);
    expect(key).toMatch(KEY);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  });

  test('the request it prints works as it is printed', async () => {
    const [, body = ''] = /-d '([^']+)'/.exec(first) ?? [];

    const { status, body: answer } = await clientFor(service.url, key).post(
      '/buyer/discovery/discover-products',
      JSON.parse(body),
    );

    expect(status).toBe(200);
    expect(answer.data).toMatchObject({ resultsComplete: true, incompleteAgents: [] });
    expect(answer.data.summary.totalProducts).toBeGreaterThan(0);
  });

  test('has two storefronts with about forty products between them', async () => {
    const buyer = clientFor(service.url, key);
    const storefronts = done(await buyer.get('/buyer/storefronts'));
    expect(storefronts.items).toHaveLength(2);
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });

    const found = done(
      await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30 }),
    );

    expect(found.summary.totalProducts).toBeGreaterThanOrEqual(38);
    expect(found.summary.totalProducts).toBeLessThanOrEqual(44);
  });

  test('keeps the key as a hash alone', async () => {
    const rows = await withStore(settings, ({ db }) => db.selectFrom('api_keys').selectAll().execute());

    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(service.output().replace(first, '')).not.toContain(key);
  });

  describe('started again', () => {
    let ended: Ending;
    let second: string;
    beforeAll(async () => {
      service.signal('SIGTERM');
      ended = await service.ended;
      service = await startService({ folder: database.folder, settings });
      second = service.output();
    });

    test('prints no key and makes none, and the first one goes on working', async () => {
      expect(ended.code).toBe(0);
      expect(second).not.toMatch(KEY);
      expect(second).toContain('npm run rialto -- key create --sandbox');
      expect((await clientFor(service.url, key).get('/buyer/advertisers')).status).toBe(200);
      const keys = await withStore(settings, ({ db }) => db.selectFrom('api_keys').select('id').execute());
      expect(keys).toHaveLength(1);
    });

    test('has the same two storefronts and no others', async () => {
      const rows = await withStore(settings, ({ db }) =>
        db.selectFrom('storefronts').select('platform_id').execute(),
      );

      expect(rows).toHaveLength(2);
    });

    test('gives another key on the operator’s word', async () => {
      const made = await runCommand('rialto.js', {
        folder: database.folder,
        settings,
        args: ['key', 'create', '--sandbox'],
      });
      const [another = ''] = made.stdout.match(KEY) ?? [];

      expect(made.code).toBe(0);
      expect(another).not.toBe(key);
      expect((await clientFor(service.url, another).get('/buyer/advertisers')).status).toBe(200);
    });
  });
});
