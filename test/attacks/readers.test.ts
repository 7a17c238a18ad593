import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { z as schema } from 'zod';
import { open } from '../../tools/core/access.ts';
import type { StreamDefinition } from '../../tools/core/streams.ts';
import { eventually } from '../support/run/eventually.ts';
import { type OpenFront, openFront } from '../support/server/front.ts';
import { openSocket, readToEnd, requestText } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUNDLE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

describe('a caller', () => {
  let server: TestServer;
  let front: OpenFront;
  /** How many readers the stream has at the moment. */
  let reading = 0;

  async function* follow(signal: AbortSignal) {
    reading += 1;
    try {
      yield { event: 'begun', id: '1', data: '{}' };
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      reading -= 1;
    }
  }

  const endless: StreamDefinition = {
    name: 'endless',
    title: 'Follow for ever',
    description: 'Ends with its reader.',
    access: open,
    path: '/endless',
    input: schema.strictObject({}),
    payload: schema.object({}) satisfies z.ZodObject,
    resumesAfter: 'since',
    errors: [],
    open: async (ctx) => follow(ctx.signal),
  };

  beforeAll(async () => {
    server = await startTestServer({
      streams: [endless],
      settings: { READER_TIMEOUT_MS: '200', PIPELINED_MAX: '20' },
    });
    front = await openFront(server.running.app);
  });
  afterAll(async () => {
    await front.drain(0);
    await server.stop();
  });

  const deaf = async (text: string): Promise<Socket> => {
    const socket = await openSocket(front.url);
    socket.on('error', () => {});
    socket.pause();
    socket.write(text);
    return socket;
  };
  const expectNobody = () => eventually(async () => expect(await front.connections()).toBe(0));

  test('who takes nothing of its answers is cut', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => deaf(BUNDLE.repeat(10))));

    await expectNobody();
    for (const socket of sockets) socket.destroy();
  });

  test('who takes them gets them all, one behind the other', async () => {
    const socket = await openSocket(front.url);
    const bytes = readToEnd(socket);
    socket.write(BUNDLE.repeat(9));
    socket.write(requestText('GET /docs/swagger-ui-bundle.js'));

    const length = (await bytes).length;

    expect(length).toBeGreaterThan(10 * 1_000_000);
  });

  test('who reads an event stream that says nothing is not cut', async () => {
    const socket = await openSocket(front.url);
    const bytes = readToEnd(socket);
    socket.write(requestText('GET /api/v2/buyer/endless'));
    await eventually(() => expect(reading).toBe(1));

    // By then whoever does not read is gone, and was looked at as often.
    const other = await deaf(BUNDLE.repeat(10));
    await eventually(async () => expect(await front.connections()).toBe(1));

    expect(reading).toBe(1);
    other.destroy();
    socket.destroy();
    await bytes;
    await eventually(() => expect(reading).toBe(0));
  });

  test('who leaves ends the streams too that waited behind another answer', async () => {
    const socket = await deaf(
      `${BUNDLE.repeat(6)}${'GET /api/v2/buyer/endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(5)}`,
    );
    await eventually(() => expect(reading).toBe(5));

    socket.destroy();

    await eventually(() => expect(reading).toBe(0));
    await expectNobody();
  });

  test('who asks for more at a time than it may is cut', async () => {
    const socket = await deaf(BUNDLE.repeat(200));

    await expectNobody();
    socket.destroy();
  });
});
