import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, consentAt, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { authorizeUrl, newPkce, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const FORGED = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-port': '8443',
  'x-forwarded-prefix': '/evil.example',
  'x-forwarded-proto': 'evil.example',
  forwarded: 'host=evil.example;proto=https',
};

/** The same browser, of whose requests somebody on the way says where they were sent to; and what it was answered. */
function misled(browser: Browser, headers: Readonly<Record<string, string>> = FORGED) {
  const locations: string[] = [];
  const answers: string[] = [];
  const go: Browser['go'] = async (address, init = {}) => {
    const own = Object.fromEntries(new Headers(init.headers));
    const answer = await browser.go(address, { ...init, headers: { ...own, ...headers } });
    const location = answer.headers.get('location');
    if (location !== null) locations.push(location);
    answers.push(`${[...answer.headers].join('\n')}\n${await answer.clone().text()}`);
    return answer;
  };
  return { browser: { ...browser, go }, locations, answers };
}

/** What stands in front of a service: takes `/market` away, and calls it by the name that it has inside. */
async function inFront(inside: () => string) {
  const proxy = createServer((req, res) => {
    const path = req.url?.replace(/^\/market/, '') ?? '/';
    const { hostname, port } = new URL(inside());
    const headers = { ...req.headers, host: 'localhost:9' };
    const passed = request({ hostname, port, path, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(res);
    });
    req.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, stop: () => proxy.close() };
}

describe('where a consent leads', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function addressOf(on: TestServer): Promise<URL> {
    const { body } = await program(on).register({ client_name: 'App', redirect_uris: [CALLBACK] });
    return authorizeUrl(on.url, body.client_id, { code_challenge: newPkce().challenge });
  }

  test.each([...Object.entries(FORGED), ['all of them', '']])(
    'is nowhere that a request made up: %s',
    async (name, value) => {
      const forged = value === '' ? FORGED : { [name]: value };
      const { browser, locations, answers } = misled(await signedInPerson(server), forged);

      const back = await consentAt(browser, await addressOf(server));

      expect(back.href.startsWith(CALLBACK)).toBe(true);
      expect(locations.map((location) => new URL(location).origin)).toEqual([
        server.url,
        server.url,
        new URL(CALLBACK).origin,
      ]);
      for (const answer of answers) expect(answer).not.toMatch(/evil\.example|:8443/);
    },
  );

  test('is nowhere that a request made up where it is refused, or the person does not allow it', async () => {
    const { browser, answers } = misled(await signedInPerson(server));
    const address = await addressOf(server);

    expect((await consentAt(browser, address, { answer: 'deny' })).searchParams.get('error')).toBe(
      'access_denied',
    );
    await browser.go(`${server.url}/authorize?client_id=oc_nobody`);
    await browser.go(`${server.url}/authorize/nothing`);
    await browser.go(`${server.url}/auth/interaction/nothing`);

    for (const answer of answers) expect(answer).not.toMatch(/evil\.example|:8443/);
  });

  test('is below the path of the public address, whatever the service is called inside', async () => {
    let inside = '';
    const front = await inFront(() => inside);
    const base = `${front.url}/market`;
    const within = await startTestServer({ settings: { PUBLIC_URL: base } });
    inside = within.url;
    const { browser, locations } = misled(await signedInPerson(within), {});
    const address = new URL((await addressOf(within)).search, `${base}/authorize`);

    const back = await consentAt(browser, address);
    front.stop();
    await within.stop();

    expect(back.searchParams.get('code')).toMatch(/^[\w-]{40,}$/);
    expect(locations).toEqual([
      expect.stringMatching(new RegExp(`^${base}/auth/interaction/`)),
      expect.stringMatching(new RegExp(`^${base}/authorize/`)),
      expect.stringMatching(new RegExp(`^${CALLBACK}`)),
    ]);
  });
});
