import type { OutgoingHttpHeaders } from 'node:http';
import express, { type Express, type RequestHandler } from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createHandler, expressAdapter } from '../../adapters/process/handler.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lanes } from '../support/callers/tool-lanes.ts';
import { listen, type RawServer } from '../support/sellers/seller-agent.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { served } from '../support/server/family.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** As session and compression middleware do it: headers by name, and nothing else, when they are written. */
const waitForHeaders: RequestHandler = (_req, res, next) => {
  const { writeHead } = res;
  const late = (status: number, headers: OutgoingHttpHeaders = {}) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value ?? '');
    return writeHead.call(res, status);
  };
  Object.assign(res, { writeHead: late });
  next();
};

/** Ways in which an application mounts the adapter; each gives the prefix under which it stands. */
const mounts: Readonly<
  Record<string, { prefix: string; mount(app: Express, adapter: ReturnType<typeof expressAdapter>): void }>
> = {
  'at the root': { prefix: '', mount: (app, adapter) => app.use(adapter) },
  'under a prefix': { prefix: '/market', mount: (app, adapter) => app.use('/market', adapter) },
  'at the root behind express.json()': {
    prefix: '',
    mount: (app, adapter) => app.use(express.json()).use(adapter),
  },
  'under a prefix behind express.json()': {
    prefix: '/deep/market',
    mount: (app, adapter) => app.use(express.json()).use('/deep/market', adapter),
  },
  'behind middleware that waits for the headers': {
    prefix: '',
    mount: (app, adapter) => app.use(waitForHeaders).use(adapter),
  },
  'in a router': {
    prefix: '/inner',
    mount: (app, adapter) => app.use('/inner', express.Router().use(adapter)),
  },
};

describe('the adapter in an Express application', () => {
  let server: TestServer;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({ tools: echoTools });
    person = await newPerson(server);
  });
  afterAll(() => server.stop());

  describe.each(Object.entries(mounts))('%s', (_name, { prefix, mount }) => {
    let outer: RawServer;
    let client: Client;
    beforeAll(async () => {
      const app = express();
      app.get('/own', (_req, res) => {
        res.send('before');
      });
      mount(app, expressAdapter(server.running.app));
      app.get(['/own-too', `${prefix}/api/own`, `${prefix}/api`], (_req, res) => {
        res.send('after');
      });
      outer = await listen(app);
      client = clientFor(outer.url, person.key);
    });
    afterAll(() => outer.stop());

    const at = (path: string) => `${outer.url}${prefix}${path}`;

    test('answers REST: query, path and body', async () => {
      const get = await client.get(at('/api/v2/buyer/echo?count=1'));
      const put = await client.put(at('/api/v2/buyer/echo/a%2Fb'), { count: 2 });
      const post = await client.post(at('/api/v2/buyer/echo'), { word: 'é😀' });

      expectEnvelope(get);
      expect(get.body.data).toEqual({ given: { count: 1 } });
      expect(put.body.data).toEqual({ given: { word: 'a/b', count: 2 } });
      expect(post.body.data).toEqual({ given: { word: 'é😀' } });
    });

    test('refuses in the envelope: input, method, address, type', async () => {
      const text = { method: 'POST', body: 'word', headers: { 'content-type': 'text/plain' } };
      const replies = [
        [await client.post(at('/api/v2/buyer/echo'), { wrod: 1 }), 400],
        [await client.post(at('/api/v2/buyer/echo'), { tree: { constructor: 1 } }), 400],
        [await client.post(at('/api/v2/buyer/echo'), []), 400],
        [await client.send(at('/api/v2/buyer/echo'), text), 400],
        [await client.delete(at('/api/v2/buyer/echo')), 405],
        [await client.get(at('/api/v2/buyer/nothing')), 404],
      ] as const;

      for (const [reply, status] of replies) {
        expectEnvelope(reply);
        expect(reply.status).toBe(status);
      }
    });

    test.each(Object.entries(lanes))('answers MCP and REST alike: %s', async (_lane, lane) => {
      const [, tool] = echoTools;
      if (tool === undefined) throw new Error('No tool.');

      const outcome = await lane({
        url: `${outer.url}${prefix}`,
        key: person.key,
        tool: served(tool),
        args: { word: 'w' },
      });

      expect(outcome).toMatchObject({ status: 200, failed: false, content: { given: { word: 'w' } } });
    });

    test('leads unversioned addresses on below the same prefix', async () => {
      const { status, headers } = await client.send(at('/api/buyer/echo?count=1'), {});

      expect(status).toBe(308);
      expect(headers.get('location')).toBe(`${prefix}/api/v2/buyer/echo?count=1`);
    });

    test('leaves the application its own routes, before and behind it', async () => {
      expect((await client.send(`${outer.url}/own`, {})).text).toBe('before');
      expect((await client.send(`${outer.url}/own-too`, {})).text).toBe('after');
      expect((await client.send(at('/api/own'), {})).text).toBe('after');
      expect((await client.send(at('/api'), {})).text).toBe('after');
      const nothing = await client.send(`${outer.url}/nobodys`, {});
      expect(nothing.status).toBe(404);
      expect(nothing.headers.get('content-type')).toMatch(/^text\/html/);
    });
  });
});

describe('the handler on plain node:http', () => {
  let server: TestServer;
  let outer: RawServer | undefined;
  beforeAll(async () => {
    server = await startTestServer({ tools: echoTools });
  });
  afterEach(async () => {
    await outer?.stop();
    outer = undefined;
  });
  afterAll(() => server.stop());

  test('says whether a request was its own, and leaves the others untouched', async () => {
    const { handle, close } = createHandler(server.running.app);
    outer = await listen((req, res) => {
      if (!handle(req, res)) res.end('mine');
    });
    const client = clientFor(outer.url);

    const own = await client.get('/buyer/echo?count=1');
    const others = await client.send(`${outer.url}/elsewhere`, { method: 'POST', body: 'x' });
    await close();

    expect(own.body.data).toEqual({ given: { count: 1 } });
    expect(others.text).toBe('mine');
  });

  test('answers many requests on one connection in their order', async () => {
    const { handle, close } = createHandler(server.running.app);
    outer = await listen(handle);
    const { url } = outer;

    const counts = Array.from({ length: 50 }, (_, index) => index);
    const replies = await Promise.all(
      counts.map((count) => clientFor(url).get(`/buyer/echo?count=${count}`)),
    );
    await close();

    expect(replies.map(({ body }) => body.data.given.count)).toEqual(counts);
  });
});
