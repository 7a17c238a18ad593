import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { health } from '../../tools/platform/system/health.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a method', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer({ tools: [...echoTools, health] });
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  describe('HEAD', () => {
    test('answers as GET does, with its length and without its body', async () => {
      const get = await sendBytes(server.url, requestText('GET /api/v2/buyer/echo?word=a'));
      const head = await sendBytes(server.url, requestText('HEAD /api/v2/buyer/echo?word=a'));

      expect(head.status).toBe(200);
      expect(head.text).toBe('');
      for (const name of ['content-type', 'content-length', 'cache-control', 'x-content-type-options'])
        expect(head.headers[name]).toBe(get.headers[name]);
      expect(head.headers['content-length']).toBe(String(get.text.length));
    });

    test.each([
      ['/api/v2/buyer/echo?count=x', 400],
      ['/api/v2/buyer/nothing', 404],
      ['/nothing', 404],
      ['/health', 200],
      ['/openapi.json', 200],
      ['/docs', 200],
    ])('has no body on %s, which answers %i', async (target, status) => {
      const head = await sendBytes(server.url, requestText(`HEAD ${target}`));

      expect(head).toMatchObject({ status, text: '' });
    });
  });

  describe('that a known address does not take', () => {
    test.each([
      ['DELETE', '/buyer/echo', 'GET, HEAD, POST'],
      ['PATCH', '/buyer/echo', 'GET, HEAD, POST'],
      ['OPTIONS', '/buyer/echo', 'GET, HEAD, POST'],
      ['POST', '/buyer/echo/word', 'PUT'],
      ['GET', '/buyer/echo/word', 'PUT'],
      ['HEAD', '/buyer/echo/word', 'PUT'],
      ['PUT', '/buyer/echo/counts/1', 'GET, HEAD'],
      ['DELETE', '/health', 'GET, HEAD'],
    ])('answers 405 with Allow: %s %s', async (method, path, allow) => {
      const target = `${server.url}${path === '/health' ? '' : '/api/v2'}${path}`;
      const reply = await anybody.send(target, { method });

      expect(reply.status).toBe(405);
      expect(reply.headers.get('allow')).toBe(allow);
      if (method !== 'HEAD') {
        expectEnvelope(reply);
        expect(reply.body.error).toMatchObject({
          code: 'BAD_REQUEST',
          message: expect.stringContaining(allow),
        });
      }
    });

    test.each(['TRACE', 'PROPFIND', 'LINK'])(
      'answers 405 when it is one that nothing takes: %s',
      async (method) => {
        const reply = await sendBytes(server.url, requestText(`${method} /api/v2/buyer/echo`));

        expectEnvelope(reply);
        expect(reply.status).toBe(405);
        expect(reply.headers['allow']).toBe('GET, HEAD, POST');
      },
    );

    test('answers 404 where there is nothing for any method, without Allow', async () => {
      const reply = await anybody.post('/buyer/nothing', {});

      expect(reply.status).toBe(404);
      expect(reply.headers.has('allow')).toBe(false);
    });
  });

  describe('OPTIONS of a page', () => {
    const preflight = (origin: string, path = '/api/v2/buyer/echo') =>
      anybody.send(path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });

    test('that may call us is answered, with the methods and the headers it may use', async () => {
      const { status, headers, text } = await preflight(server.url);

      expect({ status, text }).toEqual({ status: 204, text: '' });
      expect(headers.get('access-control-allow-origin')).toBe(server.url);
      expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE');
      expect(headers.get('access-control-allow-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'last-event-id', 'x-request-id']),
      );
      expect(headers.get('vary')).toBe('Origin');
    });

    test('that is a stranger gets no leave', async () => {
      for (const origin of ['https://stranger.example', 'null', 'garbage']) {
        const { headers } = await preflight(origin);
        expect(headers.has('access-control-allow-origin')).toBe(false);
      }
    });

    test('named in the settings may read the answer and its limit headers', async () => {
      const other = await startTestServer({
        tools: echoTools,
        settings: { ALLOWED_ORIGINS: 'https://app.example, https://other.example' },
      });

      const client = clientFor(other.url);
      const named = await client.send('/buyer/echo', { headers: { origin: 'https://app.example' } });
      const stranger = await client.send('/buyer/echo', { headers: { origin: 'https://app.example.org' } });
      await other.stop();

      expect(named.headers.get('access-control-allow-origin')).toBe('https://app.example');
      expect(named.headers.get('access-control-expose-headers')).toMatch(
        /RateLimit.*Retry-After.*X-Request-Id/,
      );
      expect(named.headers.has('access-control-allow-credentials')).toBe(false);
      expect(stranger.headers.has('access-control-allow-origin')).toBe(false);
    });
  });
});
