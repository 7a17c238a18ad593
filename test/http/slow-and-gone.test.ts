import { once } from 'node:events';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readJson } from '../../adapters/http/body.ts';
import { createFront } from '../../adapters/process/front.ts';
import { createHandler } from '../../adapters/process/handler.ts';
import { open } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { openSocket, parseReply, readToEnd, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Ask {
  readonly reached: () => void;
  readonly gone: Promise<unknown>;
  readonly signal: (aborted: boolean) => void;
}

/** Looks whether its caller is still there only after the caller has left. */
function lateLooker(ask: () => Ask) {
  return defineTool({
    name: 'look_late',
    title: 'Look late',
    description: 'Looks late whether anybody still waits.',
    effect: 'read',
    access: open,
    rest: { method: 'GET', path: '/late' },
    input: z.strictObject({}),
    output: z.object({}),
    errors: [],
    handler: async (ctx) => {
      const { reached, gone, signal } = ask();
      reached();
      await gone;
      signal(ctx.signal.aborted);
      return {};
    },
  });
}

describe('a caller', () => {
  let server: TestServer;
  let asked: Ask;
  beforeAll(async () => {
    server = await startTestServer({ tools: [lateLooker(() => asked)] });
  });
  afterAll(() => server.stop());

  test('who left is known to have left, however late a call looks', async () => {
    const { handle, close } = createHandler(server.running.app);
    let leave: (res: ServerResponse) => void = () => {};
    const gone = new Promise((resolve) => {
      leave = (res) => res.once('close', resolve);
    });
    const outer = createServer((req, res) => {
      leave(res);
      handle(req, res);
    });
    outer.listen(0, '127.0.0.1');
    await once(outer, 'listening');
    const address = outer.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const saw = new Promise<boolean>((signal) => {
      asked = { gone, signal, reached: () => socket.destroy() };
    });
    const socket = await openSocket(`http://127.0.0.1:${port}`);
    socket.write(requestText('GET /api/v2/buyer/late'));

    const aborted = await saw;
    outer.close();
    await close();

    expect(aborted).toBe(true);
  });

  describe('who is slow', () => {
    test('has 15 seconds for the head of a request, and a minute for all of it', async () => {
      const front = createFront(server.running.app);

      expect(front.server.headersTimeout).toBe(15_000);
      expect(front.server.requestTimeout).toBe(60_000);
      await front.drain(0);
    });

    test('is told so in the envelope when the time is over', async () => {
      const front = createFront(server.running.app);
      front.server.listen(0, '127.0.0.1');
      await once(front.server, 'listening');
      const address = front.server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const connected = once(front.server, 'connection') as Promise<[Socket]>;
      const socket = await openSocket(`http://127.0.0.1:${port}`);
      const bytes = readToEnd(socket);
      socket.write('GET /api/v2/buyer/late HTTP/1.1\r\nHost');
      const [theirs] = await connected;

      // What Node says of a connection whose time is over.
      const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      front.server.emit('clientError', timeout, theirs);

      const reply = parseReply(await bytes);
      await front.drain(0);
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 408, headers: { connection: 'close' } });
    });
  });
});

describe('a body', () => {
  test('whose sender left before anybody asked for it is refused and not waited for', async () => {
    const req = new IncomingMessage(new Socket());
    Object.assign(req.headers, { 'content-length': '2', 'content-type': 'application/json' });
    req.destroy();

    await expect(readJson(req, { maxBytes: 100, maxDepth: 2, maxValues: 10 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The body ended before it was whole.',
    });
  });
});
