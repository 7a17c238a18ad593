import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/run/eventually.ts';
import { openSocket, parseReply, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** The looks at all connections are what passes. */
describe('a connection between two requests', () => {
  let server: TestServer;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    server = await startTestServer({ own: true });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await server.stop();
  });

  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);
  async function connected() {
    const socket = await openSocket(server.url);
    socket.on('end', () => socket.end());
    const ask = async (connection = 'keep-alive') => {
      socket.write(requestText('GET /api/v2/nothing', { Connection: connection }));
      const [bytes] = await once(socket, 'data');
      return parseReply(bytes);
    };
    return { ask, isClosed: () => socket.closed };
  }

  test('is kept for as long as its answers say, and closed then', async () => {
    const { ask, isClosed } = await connected();
    const { headers } = await ask();
    expect(headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=65' });

    pass(65);
    expect((await ask()).status).toBe(404);
    await eventually(() => {
      pass(67);
      expect(isClosed()).toBe(true);
    });
  });

  test('is kept for as long as it is used, however often others are closed meanwhile', async () => {
    const [used, idle] = [await connected(), await connected()];
    for (const { ask } of [used, idle, used]) await ask();

    for (let minutes = 0; minutes < 3; minutes += 1) {
      pass(60);
      expect((await used.ask()).status).toBe(404);
    }

    await eventually(() => expect(idle.isClosed()).toBe(true));
    expect(used.isClosed()).toBe(false);
  });

  test('is promised to nobody who asks for its end', async () => {
    const { ask } = await connected();

    const { headers } = await ask('close');

    expect(headers).toMatchObject({ connection: 'close' });
    expect(headers).not.toHaveProperty('keep-alive');
  });
});
