import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserClient } from '../support/callers/browser-client.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newNewcomer } from '../support/callers/newcomers.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { newAccount } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const NUL = { code: 'BAD_REQUEST', words: 'A text holds a NUL character.' } as const;

describe('the query of an address of signup', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer();
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  test('is refused with a broken escape', async () => {
    const reply = await anybody.get('/signup/email-availability?email=ada%E9@acme.example');

    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'The query holds a broken % escape.' });
  });

  test.each([
    ['/signup?email=a@acme.example', { email: 'Unknown field. No field is known here: leave it out.' }],
    ['/signup/join-links/none?name=Acme', { name: 'Unknown field. No field is known here: leave it out.' }],
    [
      '/signup/email-availability?email=a@acme.example&emial=b',
      { emial: 'Unknown field: leave it out, email is given already.' },
    ],
    ['/signup/email-availability?email=a@acme.example&email=b@acme.example', { email: 'Give it once.' }],
    ['/signup/email-availability', { email: 'Required: give a string.' }],
  ])('says nothing that is not read: GET %s', async (path, at) => {
    expectRefusal(await anybody.get(path), 400, { code: 'VALIDATION_ERROR', at });
  });

  test('gives no field of a form, which stands in its body', async () => {
    expectRefusal(await anybody.post('/signup/previews?email=a@acme.example', {}), 400, {
      code: 'VALIDATION_ERROR',
      at: { email: 'Send it in the body: nothing else is read here.' },
    });
  });
});

describe('a NUL in an address, which one of the databases cannot be asked for', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer();
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  test('is refused as the link of a seller, to whoever asks and to whoever joins', async () => {
    const newcomer = await newNewcomer(server);

    expectRefusal(await anybody.get('/signup/join-links/a%00b'), 400, NUL);
    expectRefusal(await newcomer.post('/signup/join-links/a%00b', { name: 'Acme' }), 400, NUL);
    expectRefusal(await anybody.get('/signup/email-availability?email=a%00b'), 400, NUL);
  });

  test('is refused on a page as the link of a seller', async () => {
    const { status, text } = await (await newAccount(server)).get('/join/a%00b');

    expect(status).toBe(400);
    expect(text).toContain(NUL.words);
  });

  test.each(['client_id', 'state', 'scope'])(
    'is refused as %s of a program that sends a person to be asked',
    async (field) => {
      const { status, text } = await browserClient(server.url).get(
        `/authorize?client_id=unknown&response_type=code&${field}=a%00b`,
      );

      expect(status).toBe(400);
      expect(text).toContain(NUL.words);
    },
  );
});
