import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '../../adapters/rest/routes.ts';
import { streams, tools } from '../../tools/registry.ts';
import { knownArguments } from '../journeys/journey.ts';
import type { Made } from '../journeys/step.ts';
import { walk } from '../journeys/walk.ts';
import { newPerson } from '../support/callers/people.ts';
import { casesOf, timeoutOf } from '../support/run/effort.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { type RawReply, requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Pieces that have hurt somebody before. */
const nasty = [
  '',
  '%',
  '%00',
  '%zz',
  '%c0%af',
  '%ed%a0%80',
  '..',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '0',
  '1e999',
  '9007199254740993',
  'null',
  'undefined',
  "'; drop table advertisers; --",
  '{}',
  '[]',
  '😀',
  '\u202e',
  'x'.repeat(600),
];

const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);
const inUrl = fc.oneof(
  fc.constantFrom(...nasty.filter((piece) => /^[\x21-\x7e]*$/.test(piece))),
  text.map((piece) => encodeURIComponent(piece.toWellFormed())),
);

const routes = routesOf(tools, streams);
const fieldNames = [...new Set(tools.flatMap((tool) => Object.keys(tool.input.shape)))];

/** The path of a route of ours with anything for its parameters, or any path at all. */
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...routes)
      .chain(({ path: template }) =>
        fc.array(inUrl, { minLength: 3, maxLength: 3 }).map((values) => fill(template, values)),
      ),
  },
  { weight: 1, arbitrary: fc.array(inUrl, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/', '/docs', '/openapi.json', '/style.css', '*', '//', '/api/v2/..'),
  },
);

function fill(template: string, values: readonly string[]): string {
  let next = 0;
  return template.replace(/\{\w+\}/g, () => values[next++ % values.length] ?? '');
}

const fieldName = fc.oneof(fc.constantFrom(...fieldNames), fc.constantFrom(...fieldNames), text);
const query = fc
  .array(
    fc.tuple(
      fieldName.map((name) => encodeURIComponent(name.toWellFormed())),
      inUrl,
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const json = fc
  .dictionary(fieldName, fc.oneof(text, fc.jsonValue({ maxDepth: 4 })), { maxKeys: 6, noNullPrototype: true })
  .map((value) => Buffer.from(JSON.stringify(value)));
const body = fc.oneof(
  { weight: 4, arbitrary: json },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
);

const headers = fc.record(
  {
    'Content-Type': fc.oneof(
      { weight: 6, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: fc.constantFrom('text/html', 'application/json; charset=utf-16', '/', '{') },
    ),
    Range: fc.constantFrom('bytes=0-1', 'bytes=999999-', 'lines=1'),
    'If-Match': fc.constantFrom('*', '"x"', 'W/"x"'),
    'If-None-Match': fc.constantFrom('*', '"x"'),
    'If-Modified-Since': fc.constantFrom('Tue, 01 Jan 2030 00:00:00 GMT', 'yesterday'),
    Accept: fc.constantFrom('text/html', '*/*', 'nothing'),
    'Accept-Encoding': fc.constantFrom('gzip', 'br;q=0', 'identity;q=0'),
    Cookie: fc.constantFrom('a=b', '%', '=;;'),
    Expect: fc.constantFrom('100-continue', '200-ok'),
    Origin: fc.constantFrom('null', 'http://localhost:1', 'https://stranger.example', '://'),
    'X-Forwarded-For': fc.constantFrom('garbage', '1.2.3.4', '::1, , x'),
    'X-HTTP-Method-Override': fc.constantFrom('DELETE'),
    'X-Request-Id': fc.constantFrom('a', '"', 'x'.repeat(200)),
    'Last-Event-ID': fc.constantFrom('1', '-1', 'x'),
    Upgrade: fc.constantFrom('websocket', 'h2c'),
  },
  { requiredKeys: [] },
);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether it comes with a key that may do everything. */
  readonly known: boolean;
}

const wild: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom(...methods),
  path,
  query,
  headers,
  body,
  known: fc.boolean(),
});

const argumentsOf = knownArguments();

/** A request as a good client makes it, with `{{name}}` for an id, but for one field that may be anything. */
const near: fc.Arbitrary<Sent> = fc
  .constantFrom(...routes)
  .chain((route) => {
    const args = argumentsOf.get('tool' in route.target ? route.target.tool.name : route.target.stream.name);
    const name =
      args === undefined ? fieldName : fc.oneof(fc.constantFrom(...Object.keys(args), 'x'), fieldName);
    return fc.tuple(fc.constant({ route, args }), name, fc.oneof(text, fc.jsonValue({ maxDepth: 2 })));
  })
  .map(([{ route, args }, name, value]) => {
    const given: Record<string, unknown> = Object.assign(Object.create(null), args, { [name]: value });
    const inPath = (field: string) => route.path.includes(`{${field}}`);
    const others = Object.entries(given).filter(([field]) => !inPath(field));
    const pairs = others.map(([field, one]) => [field.toWellFormed(), inWords(one)]);
    const isGet = route.method === 'GET';
    return {
      method: route.method,
      path: route.path.replace(/\{(\w+)\}/g, (_, field: string) => inUrlForm(given[field])),
      query: isGet ? new URLSearchParams(Object.fromEntries(pairs)).toString() : '',
      headers: isGet ? {} : { 'Content-Type': 'application/json' },
      body: Buffer.from(isGet ? '' : JSON.stringify(Object.fromEntries(others))),
      known: true,
    };
  });

/** A value as a text: `String` has none of an object that brings a `toString` of its own. */
function inWords(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).toWellFormed();
}

/** A value in a path. What names something made stays readable: it is filled in later. */
function inUrlForm(value: unknown): string {
  const written = inWords(value);
  return written.startsWith('{{') ? written : encodeURIComponent(written);
}

const sent = fc.oneof({ weight: 3, arbitrary: wild }, { weight: 1, arbitrary: near });

function hasNoBody({ method }: Sent, { status }: RawReply): boolean {
  return method === 'HEAD' || [204, 304, 308].includes(status);
}

/** A page, a file of a page, or a document. */
function isPage(sent: Sent, { status, headers: head }: RawReply): boolean {
  const type = head['content-type'] ?? '';
  if (status === 404) return type.startsWith('text/html') && isAtBrowser(sent);
  return status < 300 && (/^text\/(html|css|javascript)/.test(type) || /openapi|manifest/.test(sent.path));
}

/** Whoever is led on from an address where nothing is: a person, and not where programs call. */
function isAtBrowser({ method, path: address, headers: head }: Sent): boolean {
  return method === 'GET' && head['Accept'] === 'text/html' && !/^\/(api|mcp)\//.test(address);
}

const NOWHERE: Sent = {
  method: 'GET',
  path: '/%c0%af',
  query: '',
  headers: { Accept: 'text/html' },
  body: Buffer.alloc(0),
  known: false,
};

describe('whatever is sent', () => {
  let server: TestServer;
  let key: string;
  let made: Made;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const person = await newPerson(server);
    ({ made } = await walk(server, { walkers: { buyer: person, seller: person } }));
    key = person.key;
  });
  afterAll(() => server.stop());

  /** With the ids of what was made. */
  const fill = (written: string) =>
    written.replaceAll(/(?:\{\{|%7B%7B)(\w+)(?:\}\}|%7D%7D)/g, (_all, name: string) => made(name));

  const send = ({ method, path: address, query: asked, headers: head, body: raw, known }: Sent) => {
    const bytes = raw.includes('{{') ? Buffer.from(fill(raw.toString())) : raw;
    const all = {
      ...(known ? { Authorization: `Bearer ${key}` } : {}),
      ...head,
      ...(bytes.length === 0 ? {} : { 'Content-Length': String(bytes.length) }),
    };
    const target = fill(asked === '' ? address : `${address}?${asked}`);
    return sendBytes(server.url, requestText(`${method} ${target}`, all, bytes));
  };

  test(
    'to any address of ours, the answer is an envelope and no failure of ours',
    async () => {
      await fc.assert(
        fc.asyncProperty(sent, async (request) => {
          const reply = await send(request);

          expect(reply.status).toBeGreaterThanOrEqual(200);
          // What the contract documents and is not built is told so.
          if (reply.status !== 501) expect(reply.status).toBeLessThan(500);
          if (!hasNoBody(request, reply) && !isPage(request, reply)) expectEnvelope(reply);
        }),
        { numRuns: casesOf({ share: 0.3, tools: tools.length }), examples: [[NOWHERE]] },
      );
    },
    timeoutOf(120_000),
  );

  test(
    'in bytes that are hardly HTTP, the answer is an envelope',
    async () => {
      const line = fc.string({ unit: fc.constantFrom(...'GET /:HTP1.0\t\r\n\0\u00ff{}"'), maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(line, fc.array(line, { maxLength: 4 }), async (start, lines) => {
          const reply = await sendBytes(
            server.url,
            Buffer.from(`G${start}\r\n${lines.join('\r\n')}\r\n\r\n\r\n\r\n`, 'latin1'),
          );

          expect(reply.status).toBe(400);
          expectEnvelope(reply);
        }),
        { numRuns: casesOf({ share: 0.1, tools: 1 }) },
      );
    },
    timeoutOf(60_000),
  );

  test('the server stands, and nothing went wrong inside', async () => {
    const { status } = await fetch(`${server.url}/health`);

    expect(status).toBe(200);
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
