import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTokens, rotateSigningKey } from '../../adapters/auth/tokens.ts';
import { clientFor } from '../support/callers/client.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { recordQueries } from '../support/database/recorded-queries.ts';
import { manualClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const forged = (kid: string) =>
  `${part({ alg: 'ES256', typ: 'at+jwt', kid })}.${part({ sub: '1' })}.${Buffer.alloc(64).toString('base64url')}`;

describe('tokens that name a key nobody knows', () => {
  const clock = manualClock();
  const recorder = recordQueries();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ clock, store: recorder.options });
    recorder.watch(server.store);
    await server.running.app.keyring.pairs();
  });
  afterAll(() => server.stop());

  const readsOf = async (tokens: number) => {
    const before = recorder.ran.length;
    const { status } = await clientFor(server.url, forged('first')).get('/buyer/campaigns');
    for (let index = 1; index < tokens; index += 1) {
      expect(await server.running.app.keyring.verify(forged(`key-${index}`), 'at+jwt')).toBeNull();
    }
    expect(status).toBe(401);
    return recorder.ran.slice(before).filter(({ sql }) => /^select \* from "signing_keys"/.test(sql)).length;
  };

  test('have the keys read anew once in some seconds, however many come', async () => {
    // Word of the key that the service made for itself may still be on its way to it.
    await eventually(async () => expect(await readsOf(100)).toBe(0));
    clock.advance(5_000);
    expect(await readsOf(100)).toBe(1);
  });
});

// SQLite is served by one process at a time: whoever signs is who verifies.
describe.runIf(engine === 'postgres')('a key that another process made', () => {
  let database: TestDatabase;
  let one: TestServer;
  let other: TestServer;
  beforeAll(async () => {
    database = await freshDatabase();
    const settings = { PUBLIC_URL: 'https://rialto.example' };
    one = await startTestServer({ database, settings });
    other = await startTestServer({ database, settings, clock: manualClock(Date.now()) });
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
    await database.drop();
  });

  test('is known by its first token, also while others name keys that are not there', async () => {
    const { services, keyring } = other.running.app;
    const { clock, secrets } = services.ports;
    await keyring.pairs();
    for (let index = 0; index < 10; index += 1) await keyring.verify(forged(`key-${index}`), 'at+jwt');
    const parts = { store: one.store, clock, secrets, news: { take: () => false } };

    const kid = await rotateSigningKey(parts);
    const token = await createTokens({
      ...parts,
      log: one.log,
      publicUrl: () => 'https://rialto.example',
      opensElsewhere: async () => false,
    }).sign({
      type: 'at+jwt',
      audience: 'https://rialto.example',
      subject: '1',
      seconds: 60,
    });

    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid).toBe(kid);
    await eventually(async () => expect(await keyring.verify(token, 'at+jwt')).toMatchObject({ sub: '1' }));
  });
});
