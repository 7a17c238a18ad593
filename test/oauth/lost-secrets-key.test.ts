import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../support/callers/client.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { connect, program } from '../support/callers/programs.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { freePort } from '../support/run/free-port.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOOK = 'https://127.255.255.254/hook';

describe('an installation whose stored credentials no key of its opens', () => {
  let database: TestDatabase;
  let server: TestServer;
  let person: Person;
  let before: { readonly kids: readonly string[]; readonly token: string; readonly subscriptionId: string };

  const start = async (port: number, filledWith: number) =>
    startTestServer({
      database,
      settings: { PORT: String(port), SECRETS_KEY: Buffer.alloc(32, filledWith).toString('base64') },
    });
  const kids = async (): Promise<readonly string[]> => {
    const { status, body } = await program(server).get('/.well-known/jwks.json');
    expect(status).toBe(200);
    return body.keys.map(({ kid }: { kid: string }) => kid);
  };
  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

  beforeAll(async () => {
    database = await freshDatabase();
    const port = await freePort();
    server = await start(port, 1);
    person = await newPerson(server);
    const { tokens } = await connect(server, await signedInPerson(server, { organization: person }));
    const { id: subscriptionId } = await subscribe(person, HOOK);
    before = { kids: await kids(), token: tokens.access_token, subscriptionId };
    await server.stop();
    server = await start(port, 2);
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  test('believes the tokens that it gave before, and publishes what they were signed with', async () => {
    const { status } = await clientFor(server.url, before.token).get('/buyer/campaigns');

    expect(status).toBe(200);
    expect(await kids()).toEqual(expect.arrayContaining([...before.kids]));
  });

  test('gives new ones, signed by one new pair however many ask at once', async () => {
    const asking = Array.from({ length: 4 }, () => server.running.app.keyring.signing());
    const pairs = new Set((await Promise.all(asking)).map(({ kid }) => kid));
    const { tokens } = await connect(server, await signedInPerson(server));
    const { status } = await clientFor(server.url, tokens.access_token).get('/buyer/campaigns');

    expect(status).toBe(200);
    expect([...pairs]).toEqual([kidOf(tokens.access_token)]);
    expect(before.kids).not.toContain(kidOf(tokens.access_token));
    expect(await kids()).toEqual([kidOf(tokens.access_token), ...before.kids]);
    expect(server.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'the pair that signed tokens cannot be opened: a new one signs from now on',
      }),
    );
  });

  test('lets agents register', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ type: 'anonymous' });
    const { status } = await fetch(`${server.url}/agent/identity`, { method: 'POST', headers, body });

    expect(status).toBe(200);
  });

  test('takes a webhook with its secret again', async () => {
    const again = await subscribe(clientFor(server.url, person.key), HOOK);

    expect(again.id).not.toBe(before.subscriptionId);
  });
});
