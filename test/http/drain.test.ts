import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { open } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import type { StreamDefinition } from '../../tools/core/streams.ts';
import { gate } from '../support/run/gate.ts';
import { openSocket, parseReply, readToEnd, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';
import { slowTool } from '../support/server/slow-tool.ts';

describe('a stop', () => {
  let server: TestServer;
  let slow: ReturnType<typeof slowTool>;

  const endless: StreamDefinition = {
    name: 'endless',
    title: 'Follow for ever',
    description: 'Ends with the service.',
    access: open,
    path: '/endless',
    input: z.strictObject({}),
    payload: z.object({}),
    resumesAfter: 'since',
    errors: [],
    open: async (ctx) => follow(ctx.services.stopping),
  };

  async function* follow(stopping: AbortSignal) {
    yield { event: 'begun', id: '1', data: '{}' };
    if (!stopping.aborted) await once(stopping, 'abort');
    yield { event: 'ended', id: '2', data: '{}' };
  }

  beforeEach(async () => {
    slow = slowTool();
    server = await startTestServer({
      tools: [slow.tool],
      streams: [endless],
      // Longer than any test: what waits for it fails.
      settings: { SHUTDOWN_GRACE_MS: '600000' },
    });
  });
  afterEach(async () => {
    slow.held.open();
    await server.stop();
  });

  /** A connection that stays open until the server closes it. */
  const keepAlive = async () => {
    const socket = await openSocket(server.url);
    return { socket, bytes: readToEnd(socket) };
  };

  const ask = (path: string) => requestText(`GET ${path}`, { Connection: 'keep-alive' });

  test('finishes a request under way, and closes its connection although it was to be kept', async () => {
    const { socket, bytes } = await keepAlive();
    socket.write(ask('/api/v2/buyer/slow'));
    await slow.begun.passed;

    const stopped = server.running.stop();
    slow.held.open();
    await stopped;

    expect(parseReply(await bytes)).toMatchObject({ status: 200, body: { data: { done: true } } });
  });

  test('does so too when the request takes longer than idle connections are left', async () => {
    const idle = await keepAlive();
    const { socket, bytes } = await keepAlive();
    socket.write(ask('/api/v2/buyer/slow'));
    await slow.begun.passed;

    const stopped = server.running.stop();
    await idle.bytes;
    slow.held.open();
    await stopped;

    expect(parseReply(await bytes).status).toBe(200);
  });

  test('says with the answer to a request under way that its connection ends, before another is sent', async () => {
    const { socket, bytes } = await keepAlive();
    socket.write(ask('/api/v2/buyer/slow'));
    await slow.begun.passed;

    const stopped = server.running.stop();
    slow.held.open();
    await stopped;

    expect(parseReply(await bytes).headers['connection']).toBe('close');
  });

  test('says so with the last of several answers that a connection waits for, and with no other', async () => {
    const { socket, bytes } = await keepAlive();
    socket.write(Buffer.concat([ask('/api/v2/buyer/slow'), ask('/api/v2/nothing')]));
    await slow.begun.passed;
    const other = await keepAlive();

    const stopped = server.running.stop();
    socket.write(ask('/api/v2/nowhere'));
    // When this is answered, what was sent before it was read.
    other.socket.write(ask('/api/v2/nothing'));
    await other.bytes;
    slow.held.open();
    await stopped;

    const heads = (await bytes).toString().match(/HTTP\/1\.1 \d+|connection: close/gi);
    expect(heads).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 404', 'Connection: close']);
  });

  test('that was held up answers what came meanwhile before it closes what waits for nothing', async () => {
    const busy = await keepAlive();
    busy.socket.write(ask('/api/v2/buyer/slow'));
    await slow.begun.passed;
    const late = await keepAlive();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

    void server.running.stop();
    setTimeout(() => {
      late.socket.write(ask('/api/v2/nothing'));
      vi.advanceTimersByTime(10_000);
    });
    const reply = parseReply(await late.bytes);
    vi.useRealTimers();
    slow.held.open();
    await server.running.stop();

    expect(reply.status).toBe(404);
  });

  test('closes connections that wait for nothing', async () => {
    const { socket, bytes } = await keepAlive();
    socket.write(ask('/api/v2/nothing'));
    await once(socket, 'data');

    await server.running.stop();

    expect(parseReply(await bytes).status).toBe(404);
  });

  test('does not wait for an answer of another server that was never read to its end', async () => {
    const other = await startTestServer();
    const unread = await fetch(`${other.url}/openapi.json`);

    await server.stop();

    expect(unread.bodyUsed).toBe(false);
    await unread.body?.cancel();
  });

  test('closes connections that never asked for anything', async () => {
    const { bytes } = await keepAlive();

    await server.running.stop();

    expect((await bytes).length).toBe(0);
  });

  test('still answers a request that was on its way on an open connection, and says that it closes', async () => {
    const busy = await keepAlive();
    busy.socket.write(ask('/api/v2/buyer/slow'));
    await slow.begun.passed;
    const late = await keepAlive();

    const stopped = server.running.stop();
    late.socket.write(ask('/api/v2/nothing'));
    const reply = parseReply(await late.bytes);
    slow.held.open();
    await stopped;

    expect(reply).toMatchObject({ status: 404, headers: { connection: 'close' } });
  });

  test('takes no new connection', async () => {
    const busy = await keepAlive();
    busy.socket.write(ask('/api/v2/buyer/slow'));
    await slow.begun.passed;

    const stopped = server.running.stop();
    const refused = await openSocket(server.url).then(
      () => 'taken',
      (error: NodeJS.ErrnoException) => error.code,
    );
    slow.held.open();
    await stopped;

    expect(refused).toBe('ECONNREFUSED');
    expect(parseReply(await busy.bytes).status).toBe(200);
  });

  test('ends the streams of events, their last frame sent', async () => {
    const { socket, bytes } = await keepAlive();
    socket.write(ask('/api/v2/buyer/endless'));
    await once(socket, 'data');

    await server.running.stop();

    const text = (await bytes).toString();
    expect(text).toContain('event: begun');
    expect(text).toContain('event: ended');
  });

  test('called twice stops once', async () => {
    await Promise.all([server.running.stop(), server.running.stop()]);

    await expect(openSocket(server.url)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('a stop at the end of its grace', () => {
  test('cuts the request that does not end', async () => {
    const begun = gate();
    const never = defineTool({
      name: 'never',
      title: 'Never end',
      description: 'Never answers.',
      effect: 'read',
      access: open,
      rest: { method: 'GET', path: '/never' },
      input: z.strictObject({}),
      output: z.object({}),
      errors: [],
      handler: (ctx) => {
        begun.open();
        return new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve({})));
      },
    });
    const server = await startTestServer({ tools: [never], settings: { SHUTDOWN_GRACE_MS: '100' } });
    const socket = await openSocket(server.url);
    const bytes = readToEnd(socket);
    socket.write(requestText('GET /api/v2/buyer/never', { Connection: 'keep-alive' }));
    await begun.passed;

    await server.stop();

    expect((await bytes).toString()).toBe('');
  });
});
