import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyIdOf } from '../../adapters/ports/secrets.ts';
import { stranger } from '../support/callers/agents.ts';
import { clientFor } from '../support/callers/client.ts';
import { program } from '../support/callers/programs.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type ManualClock, manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { runCommand, settingsFor } from '../support/server/service.ts';

const MINUTE_MS = 60_000;
const UNSIGNED = /^This process signs no tokens: .* SECRETS_KEY_PREVIOUS/;
const [ONE, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

// SQLite is served by one process at a time.
describe.runIf(engine === 'postgres')('two processes with different secrets keys', () => {
  const settings = { PUBLIC_URL: 'https://rialto.example', PROCESS_LEASE_MS: '600000' };
  const keys = (key: Buffer) => ({ ...settings, SECRETS_KEY: key.toString('base64') });
  let database: TestDatabase;
  let clock: ManualClock;
  let one: TestServer;
  let other: TestServer;
  let kids: readonly string[];
  let token: string;

  const kidsOf = async (server: TestServer): Promise<readonly string[]> => {
    const { status, body } = await program(server).get('/.well-known/jwks.json');
    expect(status).toBe(200);
    return body.keys.map(({ kid }: { kid: string }) => kid);
  };
  const ready = async ({ url }: TestServer) => {
    const { status, body } = await clientFor(url).send(`${url}/readyz`, {});
    return { status, body };
  };

  beforeAll(async () => {
    database = await freshDatabase();
    clock = manualClock(Date.now());
    one = await startTestServer({ database, clock, settings: keys(ONE) });
    kids = await kidsOf(one);
    other = await startTestServer({ database, clock, settings: keys(OTHER) });
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
    await database.drop();
  });

  test('leave the pair that signs as it is, minute after minute', async () => {
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(MINUTE_MS + 1);
      expect(await kidsOf(other)).toEqual(kids);
      expect(await kidsOf(one)).toEqual(kids);
    }

    expect((await one.running.app.keyring.signing()).kid).toBe(kids[0]);
  });

  test('believe each other’s tokens, and the one that cannot sign says so with 503', async () => {
    const { body: registered } = await stranger(one).post('/agent/identity', { type: 'anonymous' });
    const exchanged = await stranger(one).exchange(registered.identity.assertion);
    const read = await clientFor(other.url, exchanged.body.access_token).get('/buyer/advertisers');
    const asked = await stranger(other).post('/agent/identity', { type: 'anonymous' });
    const refused = await stranger(other).exchange(registered.identity.assertion);

    expect(read.status).toBe(200);
    expect([asked.status, refused.status]).toEqual([503, 503]);
    expect(asked.body.message).toMatch(UNSIGNED);
    expect(refused.body).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(UNSIGNED),
    });
    token = exchanged.body.access_token;
  });

  test('are told apart by readyz, and by one line of the log', async () => {
    expect((await ready(one)).status).toBe(200);
    for (const { status, body } of [await ready(other), await ready(other)]) {
      expect(status).toBe(503);
      expect(body.error).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(UNSIGNED),
      });
    }
    const told = other.log.lines.filter(({ message }) => String(message).startsWith('This process signs no'));
    expect(told).toEqual([
      expect.objectContaining({ level: 'warn', fields: { kid: kids[0], keyId: keyIdOf(ONE) } }),
    ]);
  });

  test('are named by doctor, and no pair is rotated that one of them could not open', async () => {
    const { folder } = database;
    const base = settingsFor(database, keys(ONE));
    const doctor = await runCommand('rialto.js', { folder, settings: base, args: ['doctor'] });
    const rotated = await runCommand('rialto.js', { folder, settings: base, args: ['keys', 'rotate'] });

    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(
      /^FAIL secrets key +Processes that serve together do not open what each other encrypts: /m,
    );
    for (const key of [ONE, OTHER]) expect(doctor.stdout).toContain(keyIdOf(key));
    expect(rotated.code).toBe(1);
    expect(rotated.stderr).toContain(`A process serves without the key ${keyIdOf(ONE)}`);
    expect(await kidsOf(one)).toEqual(kids);
  });

  test('go on with a new pair once the one that opened the old one is gone', async () => {
    await one.stop();

    const [newest, ...before] = await kidsOf(other);

    expect(before).toEqual(kids);
    expect(newest).not.toBe(kids[0]);
    expect((await ready(other)).status).toBe(200);
    expect((await clientFor(other.url, token).get('/buyer/advertisers')).status).toBe(200);
  });
});
