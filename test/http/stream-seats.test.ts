import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { needs } from '../../tools/core/access.ts';
import { notFound } from '../../tools/core/errors/refusals.ts';
import type { StreamDefinition } from '../../tools/core/streams.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { openSocket, requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SEATS = 5;

describe('the seats of a stream address', () => {
  let server: TestServer;
  let person: Person;
  let left: () => void;
  let readers: Socket[];

  /** Says one thing and then nothing, until its reader goes. */
  const quiet: StreamDefinition = {
    name: 'quiet',
    title: 'Follow quietly',
    description: 'Says hello.',
    access: needs('buyer:read'),
    path: '/quiet/{room}',
    input: z.strictObject({ room: z.string(), since: z.number().int().default(0) }),
    payload: z.object({}),
    resumesAfter: 'since',
    errors: ['NOT_FOUND'],
    open: async (ctx, { room, since }) => {
      if (room === 'over') return undefined;
      if (room === 'none') throw notFound({ word: 'room', lookUp: 'Take another.' });
      return speak(ctx.signal, Number(since));
    },
  };

  /** Of an account as a whole: its address names nothing. */
  const wide: StreamDefinition = {
    ...quiet,
    name: 'wide',
    path: '/wide',
    input: z.strictObject({ since: z.number().int().default(0) }),
    open: async (ctx, { since }) => speak(ctx.signal, Number(since)),
  };

  async function* speak(signal: AbortSignal, since: number) {
    yield { event: 'hello', id: String(since + 1), data: `{"since":${since}}` };
    if (!signal.aborted) await once(signal, 'abort');
    left();
  }

  beforeEach(async () => {
    readers = [];
    left = () => {};
    server = await startTestServer({ tools: [], streams: [quiet, wide] });
    person = await newPerson(server);
  });
  afterEach(async () => {
    for (const socket of readers) socket.destroy();
    await server.stop();
  });

  const auth = () => ({ Authorization: `Bearer ${person.key}` });

  const sit = (room: string, headers: Record<string, string> = {}) => follow(`quiet/${room}`, headers);

  /** A reader that has its first event. */
  const follow = async (path: string, headers: Record<string, string> = {}) => {
    const socket = await openSocket(server.url);
    readers.push(socket);
    let text = '';
    const first = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => {
        text += String(chunk);
        if (text.includes('data: ')) resolve(text);
      });
    });
    socket.write(requestText(`GET /api/v2/buyer/${path}`, { ...auth(), ...headers }));
    return { socket, text: await first };
  };

  const knock = (room: string, method = 'GET') =>
    sendBytes(server.url, requestText(`${method} /api/v2/buyer/quiet/${room}`, auth()));

  test('are five: the sixth reader is told to come back', async () => {
    for (let count = 0; count < SEATS; count += 1) await sit('a');

    const reply = await knock('a');

    expectEnvelope(reply);
    expectRefusal(reply, 429, {
      code: 'RATE_LIMITED',
      words: '5 readers follow this stream already, as many as it takes.',
    });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('are counted for each address by itself', async () => {
    for (let count = 0; count < SEATS; count += 1) await sit('a');

    expect((await sit('b')).text).toContain('event: hello');
  });

  test('are the same however the address is spelled', async () => {
    for (const spelling of ['a', 'a/', '%61', '%61/', 'a?since=3']) await sit(spelling);

    expect((await knock('a')).status).toBe(429);
  });

  test('are not those of what an account follows as a whole, however many follow it', async () => {
    for (let count = 0; count <= SEATS; count += 1) {
      expect((await follow('wide')).text).toContain('event: hello');
    }
  });

  test('come free when a reader goes', async () => {
    for (let count = 0; count < SEATS; count += 1) await sit('a');
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });

    readers[0]?.destroy();
    await gone;

    expect((await sit('a')).text).toContain('event: hello');
    expect((await knock('a')).status).toBe(429);
  });

  test('are not taken by whoever is refused', async () => {
    for (let count = 0; count <= SEATS; count += 1) expect((await knock('none')).status).toBe(404);
    const stranger = requestText('GET /api/v2/buyer/quiet/a');
    for (let count = 0; count <= SEATS; count += 1)
      expect((await sendBytes(server.url, stranger)).status).toBe(401);

    expect((await sit('a')).text).toContain('event: hello');
  });

  test('are not kept by HEAD, which answers with the headers of a stream', async () => {
    for (let count = 0; count <= SEATS; count += 1) {
      const head = await knock('a', 'HEAD');
      expect(head).toMatchObject({ status: 200, text: '' });
      expect(head.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    }
  });

  test('lead to frames with event, id and data, and headers that no proxy buffers or keeps', async () => {
    const { text } = await sit('a');

    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(/content-type: text\/event-stream; charset=utf-8/i);
    expect(text).toMatch(/cache-control: no-store/i);
    expect(text).toMatch(/x-accel-buffering: no/i);
    expect(text).toMatch(/x-request-id: /i);
    expect(text).toContain('event: hello\nid: 1\ndata: {"since":0}\n\n');
  });

  test('are taken up again where a reader was: Last-Event-ID, which comes before the query', async () => {
    expect((await sit('a', { 'Last-Event-ID': '7' })).text).toContain('id: 8\ndata: {"since":7}');
    expect((await sit('a?since=3', { 'Last-Event-ID': '7' })).text).toContain('id: 8\ndata: {"since":7}');
  });

  test('are not taken by whoever is told, with 204 and no body, that nothing will follow', async () => {
    for (let count = 0; count <= SEATS; count += 1) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await knock('over', method);
        expect(reply).toMatchObject({ status: 204, text: '' });
        expect(reply.headers).toMatchObject({
          'cache-control': 'no-store',
          'x-request-id': expect.any(String),
        });
        expect(reply.headers).not.toHaveProperty('content-type');
      }
    }
  });

  test('are refused in the envelope before a frame is sent: a bad Last-Event-ID', async () => {
    const reply = await sendBytes(
      server.url,
      requestText('GET /api/v2/buyer/quiet/a', { ...auth(), 'Last-Event-ID': 'seven' }),
    );

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { 'Last-Event-ID': 'Give a number.' } });
  });
});
