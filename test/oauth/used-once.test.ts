import { hash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { storageFor } from '../../adapters/oauth/storage.ts';
import { openStore } from '../../store/open.ts';
import { saveArtifact } from '../../store/unscoped/oauth-artifacts.ts';
import { clientFor } from '../support/callers/client.ts';
import { consentAt, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { authorizeUrl, connect, newPkce, program } from '../support/callers/programs.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { type Child, startChild } from '../support/run/child.ts';
import { startTestServer } from '../support/server/server.ts';

const ROUNDS = 20;

/** Uses up one code after another as soon as it is told to, and says which of them it got. */
const USES = `
  import { once } from 'node:events';
  import { openStore } from './dist/store/open.js';
  import { useArtifact } from './dist/store/unscoped/oauth-artifacts.js';
  const store = openStore(process.argv[1], { connections: 2 });
  await store.db.selectFrom('oauth_artifacts').select('hash').execute();
  console.log('open');
  await once(process.stdin, 'data');
  const got = [];
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    const key = { kind: 'AuthorizationCode', hash: 'h' + round, now: '2026-12-01T09:00:00.000Z' };
    if (await useArtifact(store.db, key)) got.push(round);
  }
  console.log(JSON.stringify(got));
  await store.close();
  process.exit(0);
`;

describe('a code or refresh token', () => {
  const children: Child[] = [];
  let database: TestDatabase | undefined;
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => child.kill('SIGKILL')));
    await database?.drop();
    database = undefined;
  });

  test('is used up by one of two processes that try at once', async () => {
    database = await freshDatabase();
    const store = openStore(database.url, { connections: 1 });
    for (let round = 0; round < ROUNDS; round += 1) {
      await saveArtifact(store.db, {
        kind: 'AuthorizationCode',
        hash: `h${round}`,
        payload: '{}',
        grant_id: null,
        expires_at: '2026-12-01T10:00:00.000Z',
      });
    }
    await store.close();
    const url = database.url;
    children.push(startChild(USES, url), startChild(USES, url));
    for (const child of children) expect(await child.line()).toBe('open');

    for (const child of children) child.send('go');
    const got = await Promise.all(children.map(async (child) => JSON.parse(await child.line()) as number[]));

    expect(got.flat().sort((one, other) => one - other)).toEqual(
      Array.from({ length: ROUNDS }, (_, at) => at),
    );
  });

  test('opens once, however many ask at the same moment, and who came second ends what the first got', async () => {
    const server = await startTestServer();
    const person = await signedInPerson(server);
    const { body: client } = await program(server).register({ redirect_uris: [CALLBACK] });
    const { verifier, challenge } = newPkce();
    const address = authorizeUrl(server.url, client.client_id, { code_challenge: challenge });
    const code = (await consentAt(person, address)).searchParams.get('code') ?? '';
    const exchange = () =>
      program(server).token({
        grant_type: 'authorization_code',
        client_id: client.client_id,
        code,
        code_verifier: verifier,
        redirect_uri: CALLBACK,
      });

    const answers = await Promise.all([exchange(), exchange(), exchange(), exchange()]);
    const given = answers.filter(({ status }) => status === 200);

    expect(given.length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe('invalid_grant');
    for (const { body } of given) {
      expect((await clientFor(server.url, body.access_token).get('/buyer/campaigns')).status).toBe(401);
    }
    await server.stop();
  });

  test.each(['AuthorizationCode', 'RefreshToken'])(
    'is refused to the second of two requests that found it unused, and what came of it ends: %s',
    async (kind) => {
      const server = await startTestServer();
      const ended: string[] = [];
      const usedUp = new Error('It was used up.');
      const kept = storageFor({
        services: server.running.app.services,
        saveRefreshToken: (artifact) => saveArtifact(server.store.db, artifact),
        endGrant: async (id) => void ended.push(id),
        usedUp: () => usedUp,
      })(kind);
      const value = `${kind} of ${crypto.randomUUID()}`;
      await kept.upsert(value, { grantId: 'a grant', kind, jti: value, exp: 0 }, 60);
      const found = await Promise.all([kept.find(value), kept.find(value)]);
      expect(found.map((payload) => payload && 'consumed' in payload)).toEqual([false, false]);

      await kept.consume(value);

      await expect(kept.consume(value)).rejects.toBe(usedUp);
      expect(ended).toEqual(['a grant']);
      expect(await kept.find(value)).toHaveProperty('consumed');
    },
  );

  test('stands nowhere in the database as it was given', async () => {
    const server = await startTestServer();
    const person = await signedInPerson(server);
    const { code, tokens } = await connect(server, person);
    const rows = await server.store.db.selectFrom('oauth_artifacts').selectAll().execute();
    const text = JSON.stringify(rows);

    for (const secret of [code, tokens.refresh_token, tokens.access_token])
      expect(text).not.toContain(secret);
    expect(rows.map((row) => row.hash)).toContain(hash('sha256', tokens.refresh_token, 'hex'));
    await server.stop();
  });

  test('is refused in another process as soon as it was ended in one', async () => {
    const one = await startTestServer({ own: true });
    const person = await signedInPerson(one);
    const { tokens } = await connect(one, person);
    const { get } = clientFor(one.url, tokens.access_token);
    expect((await get('/buyer/campaigns')).status).toBe(200);

    // Another process, as far as this one can tell.
    const other = openStore(one.database.url, { connections: 1 });
    await other.db
      .withoutPlugins()
      .updateTable('oauth_grants')
      .set({ ended_at: '2026-12-01T09:00:00.000Z' })
      .where('user_id', '=', person.userId)
      .execute();
    await other.close();

    expect((await get('/buyer/campaigns')).status).toBe(401);
    await one.stop();
  });
});
