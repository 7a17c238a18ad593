import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientFor } from '../support/callers/client.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('an address', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer({ tools: echoTools });
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  /** As it stands: clients of the library correct what they send. */
  const get = (target: string) => sendBytes(server.url, requestText(`GET ${target}`));

  test.each([
    '/api',
    '/api/',
    '/api/v2',
    '/api/v2/nothing',
    '/api/v2/buyer/nothing',
    '/api/v2/buyer/echo/a/b/c',
    '/api/v2/BUYER/echo',
    '/api/v3/buyer/echo',
    '/api/v2/buyer/../../../etc/passwd',
    '/api//v2/buyer/echo',
    '/nothing',
    '/healthy',
    '/docs/../../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '//example.com/api/v2/buyer/echo',
    '/%zz',
    '/api%00',
    '/web/docs.html',
    '/mcp/v3/buyer',
  ])('where nothing is answers 404 in the envelope: %s', async (target) => {
    const reply = await get(target);

    expectEnvelope(reply);
    expectRefusal(reply, 404, {
      code: 'NOT_FOUND',
      words: 'There is nothing at this address.',
      details: { suggestion: expect.stringContaining('/openapi.json') },
    });
  });

  test.each([
    '/api/v2/buyer/echo/counts/%',
    '/api/v2/buyer/echo/counts/%zz',
    '/api/v2/buyer/echo/counts/%E2%82',
  ])('with a broken %% escape answers 400: %s', async (target) => {
    const reply = await get(target);

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'The path holds a broken % escape.' });
  });

  test.each([
    ['a NUL', 'a%00b', /NUL/],
    ['nothing but a NUL', '%00', /NUL/],
  ])('with %s in it answers 400', async (_what, word, message) => {
    const reply = await anybody.put(`/buyer/echo/${word}`, {});

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'A text holds a NUL character.' });
    expect(reply.body.error.message).toMatch(message);
    // What to do next is about what was wrong.
    expect(reply.body.error.details.suggestion).toMatch(/./);
    expect(reply.body.error.details.suggestion).not.toContain('application/json');
  });

  test('keeps the escapes of its parameters apart from its own slashes', async () => {
    const { body } = await anybody.put(`/buyer/echo/${encodeURIComponent('a/b c?d#é😀')}`, {});

    expect(body.data.given).toEqual({ word: 'a/b c?d#é😀' });
  });

  test('reads its parameters by the types of the schema', async () => {
    expect((await anybody.get('/buyer/echo/counts/12')).body.data.given).toEqual({ count: 12 });
    expectRefusal(await anybody.get('/buyer/echo/counts/twelve'), 400, {
      code: 'VALIDATION_ERROR',
      at: { count: 'Give a number.' },
    });
  });

  test('is the same with a slash at its end', async () => {
    expect((await anybody.get('/buyer/echo/?count=1')).body.data).toEqual({ given: { count: 1 } });
  });

  test('that is very long is refused in the envelope, short of and beyond what HTTP takes', async () => {
    const long = await get(`/api/v2/buyer/echo?word=${'x'.repeat(8_000)}`);
    const longer = await get(`/api/v2/buyer/echo?word=${'x'.repeat(100_000)}`);
    const parameter = await get(`/api/v2/buyer/echo/counts/${'1'.repeat(2_000)}`);

    expectEnvelope(long);
    expectRefusal(long, 400, { code: 'VALIDATION_ERROR', at: { word: '100 characters at the most.' } });
    expectEnvelope(longer);
    expect(longer.status).toBe(431);
    expectEnvelope(parameter);
    expect([400, 404]).toContain(parameter.status);
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a method that is none', 'FLY /api/v2/buyer/echo HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET /api/v2/buyer/echo HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v2/buyer/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length beside chunks',
      'POST /api/v2/buyer/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a raw NUL in the path', 'GET /api/v2/buyer/\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 'GET /api/v2/buyer/echo HTTP/1.1\r\n\r\n'],
    ['a tunnel', 'CONNECT /api/v2/buyer/echo HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('in what is not HTTP answers 400 in the envelope and hangs up: %s', async (_what, text) => {
    const reply = await sendBytes(server.url, text);

    expectEnvelope(reply);
    expect(reply.status).toBe(400);
    expect(reply.headers['connection']).toBe('close');
    expect(reply.body.error.details.suggestion).toMatch(/./);
    expect(reply.body.error.details.suggestion).not.toContain('application/json');
  });

  test('in the absolute form of a proxy is an address like any other', async () => {
    const reply = await get(`${server.url}/api/v2/buyer/echo?count=1`);

    expectEnvelope(reply);
    expect(reply.status).toBe(200);
  });
});
