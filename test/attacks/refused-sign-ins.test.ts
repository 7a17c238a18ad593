import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countRefusedSignIns } from '../../adapters/http/refused-sign-ins.ts';
import { makeApiKey } from '../../adapters/ports/keys.ts';
import { forgetOld, retentionOf } from '../../adapters/process/retention.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import { listRefusedSignIns, listRefusedSignInsOf } from '../../store/unscoped/refused-sign-ins.ts';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { browserClient } from '../support/callers/browser-client.ts';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { newPerson } from '../support/callers/people.ts';
import { program } from '../support/callers/programs.ts';
import { manualClock } from '../support/run/clock.ts';
import { everythingKept } from '../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const WRONG = 'five wrong words in here';
const DAY_MS = 86_400_000;

describe('a credential that is refused', () => {
  const clock = manualClock();
  let server: TestServer;
  let person: Browser;
  beforeAll(async () => {
    server = await startTestServer({ clock, own: true });
    person = await signedInPerson(server);
  });
  afterAll(() => server.stop());

  const written = async () => {
    await server.running.app.refused.write();
    const rows = await listRefusedSignIns(server.store.db, 10_000);
    return rows.map(({ kind, subject, network, count }) => ({ kind, subject, network, count }));
  };
  const network = '127.0.0.1';
  const renamed = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(server.store.db.withoutPlugins());
  const tryPassword = (email: string) =>
    browserClient(server.url).submit('/sign-in', { email, password: WRONG });

  test('is none where nobody could look it up', async () => {
    const before = await written();

    await renamed('api_keys', 'api_keys_away');
    const { status } = await clientFor(server.url, makeApiKey('rialto', 'live')).get('/buyer/campaigns');
    await renamed('api_keys_away', 'api_keys');

    expect(status).toBeGreaterThanOrEqual(500);
    expect(await written()).toEqual(before);
  });

  test('that nobody could look up keeps nobody from what is open to all, and is in the log', async () => {
    await renamed('api_keys', 'api_keys_away');
    const { status } = await clientFor(server.url, makeApiKey('rialto', 'live')).get(`${server.url}/health`);
    await renamed('api_keys_away', 'api_keys');

    expect(status).toBe(200);
    expect(server.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'recognising a caller failed' }),
    );
  });

  test('is counted with where it came from and whose it was, and what was shown is kept nowhere', async () => {
    const owner = await newPerson(server);
    await revokeKey(server.operator, { organizationId: owner.organizationId, id: owner.keyId });
    const unknown = makeApiKey('rialto', 'live');
    for (const key of [owner.key, unknown, unknown, 'word', 'a.b.c']) {
      expect((await clientFor(server.url, key).get('/buyer/campaigns')).status).toBe(401);
    }
    await tryPassword(person.email);
    await tryPassword('nobody.at.all@nowhere.example');
    await program(server).token({
      grant_type: 'client_credentials',
      client_id: 'no-such-client',
      client_secret: 'no-such-secret',
    });

    const rows = await written();

    expect(rows).toHaveLength(7);
    expect(rows).toEqual(
      expect.arrayContaining([
        { kind: 'api_key', subject: `api_key:${owner.keyId}`, network, count: 1 },
        { kind: 'api_key', subject: '', network, count: 2 },
        { kind: 'credential', subject: '', network, count: 1 },
        { kind: 'token', subject: '', network, count: 1 },
        { kind: 'password', subject: `user:${person.userId}`, network, count: 1 },
        { kind: 'password', subject: '', network, count: 1 },
        { kind: 'client_secret', subject: '', network, count: 1 },
      ]),
    );
    const kept = await everythingKept(server);
    for (const shown of [owner.key, unknown, 'nobody.at.all', WRONG, 'no-such-client', 'no-such-secret']) {
      expect(kept).not.toContain(shown);
    }
  });

  test('is read by the administrators of whom it concerns, and by nobody else', async () => {
    await tryPassword(person.email);
    await server.running.app.refused.write();
    const stranger = await signedInPerson(server);

    const own = await (await person.go(`${server.url}/settings/refused`)).text();
    const others = await (await stranger.go(`${server.url}/settings/refused`)).text();
    const of = (organizationId: number) =>
      listRefusedSignInsOf(server.store.db, makeTenant(organizationId), 100);

    expect(own).toContain(`Wrong password: <bdi>${person.email}</bdi>`);
    expect(own).toContain(network);
    expect(others).toContain('Nothing was refused.');
    expect((await of(person.organization.organizationId)).map(({ subject }) => subject)).toEqual([
      `user:${person.userId}`,
    ]);
    expect(await of(stranger.organization.organizationId)).toEqual([]);
  });

  test('fills no disk when it comes from everywhere, and hides no attack on somebody known', async () => {
    clock.advance(3_600_000);
    const counting = countRefusedSignIns(server.running.app.services);
    for (let index = 0; index < 20_000; index += 1) {
      counting.note({ kind: 'token', network: `10.0.${index >> 8}.${index & 255}` });
    }
    counting.note({ kind: 'password', network, subject: 'user:1' });
    await counting.write();
    counting.note({ kind: 'token', network: '10.0.0.1' });
    counting.note({ kind: 'token', network: 'one more' });
    await counting.stop();

    const rows = (await listRefusedSignIns(server.store.db, 10_000)).filter(
      ({ hour }) => hour === new Date(clock.now()).toISOString(),
    );
    expect(rows.length).toBeLessThanOrEqual(502);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(20_003);
    expect(rows).toContainEqual(expect.objectContaining({ subject: 'user:1', count: 1 }));
    expect(rows).toContainEqual(expect.objectContaining({ network: '10.0.0.1', count: 2 }));
    expect(rows).toContainEqual(expect.objectContaining({ subject: '', network: '', count: 19_501 }));
  });

  test('is written with the next where the database was gone, and counted once', async () => {
    clock.advance(3_600_000);
    const { services } = server.running.app;
    let isGone = true;
    const store = {
      ...services.store,
      get db() {
        if (isGone) throw new Error('gone');
        return services.store.db;
      },
    };
    const counting = countRefusedSignIns({ ...services, store });
    counting.note({ kind: 'password', network, subject: 'user:1' });
    await expect(counting.write()).rejects.toThrow('gone');
    counting.note({ kind: 'password', network, subject: 'user:1' });
    isGone = false;

    await Promise.all([counting.write(), counting.write()]);

    const rows = await listRefusedSignIns(server.store.db, 10_000);
    expect(rows.filter(({ hour }) => hour === new Date(clock.now()).toISOString())).toEqual([
      expect.objectContaining({ subject: 'user:1', count: 2 }),
    ]);
    await counting.stop();
  });

  test('is written down within seconds, and forgotten after a month', async () => {
    const before = (await listRefusedSignIns(server.store.db, 10_000)).length;
    clock.advance(3_600_000);
    await clientFor(server.url, 'word').get('/buyer/campaigns');
    clock.advance(5_000);
    await server.running.app.refused.write();
    expect(await listRefusedSignIns(server.store.db, 10_000)).toHaveLength(before + 1);

    clock.advance(31 * DAY_MS);
    await forgetOld(server.running.app.services, retentionOf(server.config));

    expect(await listRefusedSignIns(server.store.db, 10_000)).toEqual([]);
  });
});
