import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtDisk } from '../../adapters/cli/machine.ts';
import { lookAtSellers } from '../../adapters/cli/sellers.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { signature } from '../../adapters/webhooks/request.ts';
import { openStore } from '../../store/open.ts';
import { beat } from '../../store/unscoped/processes.ts';
import { emptyDatabase, freshDatabase } from '../support/database/database.ts';
import { freePort } from '../support/run/free-port.ts';
import { farSeller } from '../support/sellers/far-seller.ts';
import { runHere } from '../support/server/command-line.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { type Authority, newAuthority, startReceiver } from '../support/server/receiver.ts';
import { startTestServer } from '../support/server/server.ts';
import { runCommand, startService } from '../support/server/service.ts';

const SECRET = 'sixteen-characters-and-more';
const HOUR_MS = 3_600_000;
const LOCAL_SELLERS = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', SELLER_ALLOWED_ORGANIZATIONS: '*' };

const fresh = freshPlaces();

/** The same whose commands are processes, as who runs an installation has them. */
async function freshByProcess(make = freshDatabase) {
  const { launch } = await fresh({}, make);
  return { rialto: (...args: string[]) => runCommand('rialto.js', { ...launch, args }) };
}

describe('the commands about an installation', () => {
  test('bring an empty database to the shape of this version, and say so when nothing was due', async () => {
    const { rialto } = await freshByProcess(emptyDatabase);

    expect((await rialto('migrate')).stdout).toMatch(
      /^Steps run: 0001-organizations, .+ The database is at \d{4}-/,
    );
    expect((await rialto('migrate')).stdout).toMatch(/^Nothing was due\. The database is at \d{4}-/);
  });

  test('make the sandbox once', async () => {
    const { rialto } = await freshByProcess();

    expect((await rialto('seed')).stdout).toMatch(/shown this once:\nrialtok_test_\w{46}\n$/);
    expect((await rialto('seed')).stdout).toContain('The sandbox is there already.');
    expect((await rialto('org', 'list')).stdout).toContain('Sandbox');
  });

  test('go on to their end where nobody reads what they print any more', async () => {
    const { launch, settings } = await fresh();
    const child = spawn(process.execPath, [join(packageRoot, 'dist/bundle/rialto.js'), 'seed'], {
      cwd: launch.folder,
      env: { PATH: process.env['PATH'] ?? '', ...settings },
    });
    child.stdout.destroy();
    const said = text(child.stderr);

    const [code] = await once(child, 'close');

    expect({ code, said: await said }).toEqual({ code: 0, said: '' });
    expect((await runHere(settings, ['seed'])).stdout).toContain('The sandbox is there already.');
  });

  test('serve, until told to stop', async () => {
    const { launch } = await fresh();

    const service = await startService({ ...launch, script: 'rialto.js', args: ['serve'] });
    const alive = await fetch(`${service.url}/healthz`);
    service.signal('SIGTERM');

    expect(alive.status).toBe(200);
    expect((await service.ended).code).toBe(0);
  });
});

describe('doctor', () => {
  test('finds nothing wrong where nothing is, beside the service that runs', async () => {
    const port = String(await freePort());
    const { launch, rialto } = await fresh({ PORT: port });
    await startService(launch);

    const { code, stdout } = await rialto('doctor');

    expect({ code, stdout }).toMatchObject({ code: 0 });
    for (const about of ['settings', 'database', 'secrets key', 'clock', 'sellers', 'disk', 'port']) {
      expect(stdout).toMatch(new RegExp(`^(ok|warn) +${about} `, 'm'));
    }
    expect(stdout).toContain(`A service answers at 127.0.0.1:${port}.`);
  });

  test('names every setting that cannot be used, and what to do', async () => {
    const { rialto } = await fresh({ PORT: '70000', BRAND: 'Big Brand' });

    const { code, stdout } = await rialto('doctor');

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL settings +PORT: /m);
    expect(stdout).toMatch(/^FAIL settings +BRAND: /m);
    expect(stdout).toContain('→ Correct it');
  });

  test('finds files that keep the service from starting', async () => {
    const { settings, folder } = await fresh();
    const text = join(folder, 'ca.pem');
    writeFileSync(text, 'no certificate\n');
    writeFileSync(join(folder, 'secrets.key'), 'no key\n');
    const newHere = { ...settings, DATABASE_URL: `file:${join(folder, 'new.db')}`, SECRETS_KEY: '' };

    const missing = await runHere({ ...settings, OUTBOUND_CA_FILE: join(folder, 'none.pem') }, ['doctor']);
    const others = await runHere({ ...newHere, OUTBOUND_CA_FILE: text }, ['doctor']);

    expect([missing.code, others.code]).toEqual([1, 1]);
    expect(missing.stdout).toMatch(/^FAIL settings +OUTBOUND_CA_FILE: ENOENT.*Name a file that is there/m);
    expect(others.stdout).toMatch(/^FAIL settings +OUTBOUND_CA_FILE: .* holds no certificate/m);
    expect(others.stdout).toMatch(/^FAIL settings +SECRETS_KEY: .* does not hold 32 bytes/m);
  });

  test('and the start tell of settings that contradict each other, and what to set', async () => {
    const { launch, rialto } = await fresh({ SHUTDOWN_GRACE_MS: '20000' });
    const service = await startService(launch);

    const { code, stdout } = await rialto('doctor');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^warn settings +.*SHUTDOWN_GRACE_MS=20000, SELLER_TIMEOUT_MS=30000/m);
    expect(stdout).toContain('→ Set SHUTDOWN_GRACE_MS to 34000 or more');
    await service.says('Set SHUTDOWN_GRACE_MS to 34000 or more');
  });

  test('finds a port that another program has, and a database of a newer version or that is not there', async () => {
    const stranger = createServer((_req, res) => res.end('hello')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const address = stranger.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { rialto } = await fresh({
      PORT: String(port),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    });

    const { code, stdout } = await rialto('doctor');
    stranger.close();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL database +It does not answer: /m);
    expect(stdout).toContain(`Another program listens at 127.0.0.1:${port}.`);
    expect(stdout).toContain('→ Stop it, or set PORT to another port.');
  });

  test('finds a clock that is behind what the service has seen', async () => {
    const { url, rialto } = await fresh();
    const store = openStore(url, { connections: 1 });
    await beat(store.db, { id: 'gone', now: new Date(Date.now() + HOUR_MS).toISOString(), keyIds: [] });
    await store.close();

    const { code, stdout } = await rialto('doctor');

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL clock +It was 3[56]\d\d s ahead when the service was last seen\./m);
    expect(stdout).toContain('→ Let the machine keep its time by NTP');
  });

  test('finds sellers that do not answer, or that the settings close', async () => {
    const server = await startTestServer({ own: true, settings: LOCAL_SELLERS });
    const here = await farSeller(server, 'Here');
    const all = await lookAtSellers(readConfig(LOCAL_SELLERS), server.store);
    const gone = await farSeller(server, 'Gone');
    await gone.agent.stop();

    const open = await lookAtSellers(readConfig(LOCAL_SELLERS), server.store);
    const closed = await lookAtSellers(readConfig({}), server.store);
    await here.agent.stop();
    await server.stop();

    expect(open).toMatchObject([
      { state: 'warned', said: '1 of 2 answer.' },
      { state: 'warned', said: expect.stringContaining(`${gone.agent.url} (organization `) },
    ]);
    expect(open[1]?.remedy).toBe('Ask the seller, or disable the source.');
    expect(closed.map(({ state }) => state)).toEqual(['warned', 'warned', 'warned']);
    expect(all).toMatchObject([{ state: 'fine', said: '1 of 1 answer.' }]);
    expect(closed[1]?.remedy).toContain('SELLER_ALLOWED_CIDRS');
  });

  test('says that it asked some of many sellers alone', async () => {
    const server = await startTestServer({ own: true, settings: LOCAL_SELLERS });
    const { agent } = await farSeller(server, 'Here');
    const db = server.store.db.withoutPlugins();
    const source = await db.selectFrom('inventory_sources').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('inventory_sources')
      .values(
        Array.from({ length: 50 }, (_, count) => ({
          ...{ ...source, id: `src_${count}`, source_id: `copy-${count}`, agent_id: `agent_${count}` },
          endpoint_url: `${source.endpoint_url}?${count}`,
        })),
      )
      .execute();

    const [found] = await lookAtSellers(readConfig(LOCAL_SELLERS), server.store);
    await agent.stop();
    await server.stop();

    expect(found?.said).toBe('50 of 50 answer. There are more, which were not asked.');
  });

  test.each([
    ['fails one that is as good as full', { free: 99, of: 10_000 }, 'failed'],
    ['fails a small one in the same way', { free: 99, of: 100 }, 'failed'],
    ['warns of one with less than a tenth free', { free: 999, of: 10_000 }, 'warned'],
    ['finds nothing wrong with one that has a tenth free', { free: 1_000, of: 10_000 }, 'fine'],
  ])('looks at the disk: %s', async (_, { free, of }, state) => {
    const config = readConfig({ DATABASE_URL: `file:${join(tmpdir(), 'rialto-not-made-yet', 'rialto.db')}` });
    const asked: string[] = [];

    const found = await lookAtDisk(config, async (at) => {
      asked.push(at);
      return { bavail: free, blocks: of, bsize: 1_048_576 };
    });

    expect(asked).toEqual([tmpdir()]);
    expect(found).toMatchObject([{ state, about: 'disk', said: `${free} MiB are free at ${tmpdir()}.` }]);
    expect(found[0]?.remedy).toBe(state === 'fine' ? undefined : 'Make room: a full disk takes no writes.');
  });

  test('finds a secrets key that is not the one with which things were encrypted', async () => {
    const { launch, settings } = await fresh();
    const service = await startService(launch);
    // The first token that is signed makes the pair that signs.
    await fetch(`${service.url}/.well-known/jwks.json`);
    const other = { ...settings, SECRETS_KEY: Buffer.alloc(32, 8).toString('base64') };

    const { code, stdout } = await runHere(other, ['doctor']);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL secrets key +What is stored was encrypted with another key\./m);
  });
});

describe('webhooks that are tried', () => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await newAuthority();
  });
  afterAll(() => authority.remove());

  test('are sent signed, as those of subscriptions are', async () => {
    const receiver = await startReceiver(authority);
    const { rialto } = await fresh({ OUTBOUND_CA_FILE: authority.file });

    const { code, stdout } = await rialto('webhook', 'send', receiver.url, '--secret', SECRET);
    await receiver.stop();

    expect(code).toBe(0);
    expect(stdout).toContain('Delivered: 204.');
    const [delivery] = receiver.deliveries;
    expect(delivery?.headers['x-webhook-signature']).toBe(signature(SECRET, delivery?.raw ?? ''));
    expect(delivery?.payload).toMatchObject({ event: 'test', test: true });
  });

  test('go to no address that is closed, and say which setting opens it', async () => {
    const receiver = await startReceiver(authority);
    const { rialto } = await fresh({ WEBHOOK_ALLOWED_CIDRS: '', OUTBOUND_CA_FILE: authority.file });

    const { code, stdout } = await rialto('webhook', 'send', receiver.url, '--secret', SECRET);
    await receiver.stop();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^Not delivered: blocked_address\. .*WEBHOOK_ALLOWED_CIDRS/);
    expect(receiver.deliveries).toEqual([]);
  });

  test('are received, checked and printed: one that is signed with another secret is refused', async () => {
    const given = await fresh({ OUTBOUND_CA_FILE: authority.file });
    const port = String(await freePort());
    const [cert, key] = [join(given.folder, 'cert.pem'), join(given.folder, 'key.pem')];
    writeFileSync(cert, authority.certificate);
    writeFileSync(key, authority.key);
    const files = ['--cert', cert, '--key', key];
    const listening = await startService({
      ...given.launch,
      script: 'rialto.js',
      args: ['webhook', 'listen', '--port', port, '--secret', SECRET, '--count', '2', ...files],
      ready: 'Listening at ',
    });
    const url = `https://127.0.0.1:${port}/`;

    const right = await given.rialto('webhook', 'send', url, '--secret', SECRET);
    const wrong = await given.rialto('webhook', 'send', url, '--secret', `${SECRET}!`);
    const { code, stdout } = await listening.ended;

    expect([right.stdout, wrong.stdout].map((text) => text.split('\n')[0])).toEqual([
      'Delivered: 204.',
      'Not delivered: http_401. Give the receiver the secret that signs here, and have it ask for nothing beside the signature.',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/signature fits, delivery "test_\w+"\n"\{/);
    expect(stdout).toContain('SIGNATURE DOES NOT FIT');
  });
});
