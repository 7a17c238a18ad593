import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/callers/refusals.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { openSocket, parseReply, type RawReply, readToEnd } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the head of a request that servers read differently', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const send = async (text: string): Promise<RawReply> => {
    const socket = await openSocket(server.url);
    const bytes = readToEnd(socket);
    socket.write(text);
    return parseReply(await bytes);
  };

  test.each([
    [
      'two Hosts',
      'GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'The request names more than one Host.',
    ],
    [
      'the same Host twice',
      'GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n',
      'The request names more than one Host.',
    ],
    [
      'two Hosts in HTTP/1.0',
      'GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n',
      'The request names more than one Host.',
    ],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 'The request names no Host.'],
    ['a version of 1991', 'GET /health\r\n\r\n', 'The request must be HTTP/1.1 or HTTP/1.0.'],
    [
      'a version of 1991 by name',
      'GET /health HTTP/0.9\r\n\r\n',
      'The request must be HTTP/1.1 or HTTP/1.0.',
    ],
    [
      'a version that is another protocol',
      'GET /health HTTP/2.0\r\nHost: a\r\n\r\n',
      'The request must be HTTP/1.1 or HTTP/1.0.',
    ],
    [
      'a coding before chunked',
      'POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      'The body must come chunked or with a Content-Length, and in no other coding.',
    ],
    [
      'a coding that ends with the connection',
      'POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n',
      'The body must come chunked or with a Content-Length, and in no other coding.',
    ],
    [
      'a tunnel',
      'CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n\r\n',
      'This service is no proxy: CONNECT is not taken.',
    ],
  ])('is refused in the envelope, and the connection closed: %s', async (_what, text, words) => {
    const reply = await send(text);

    expectEnvelope(reply);
    expectRefusal(reply, 400, { code: 'BAD_REQUEST', words });
    expect(reply.headers).toMatchObject({ connection: 'close' });
    expect(reply.text.match(/"error":/g)).toHaveLength(1);
  });

  test('is refused with 431 when it has more headers than we read, wherever those stand', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `x${index}:1\r\n`).join('');
    const ask = (count: number) =>
      send(`GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields(count)}\r\n`);

    const most = await ask(198);
    const more = await ask(199);
    const many = await ask(1_300);

    expect(most.status).toBe(200);
    for (const reply of [more, many]) {
      expectEnvelope(reply);
      expect(reply).toMatchObject({ status: 431, headers: { connection: 'close' } });
    }
  });

  test('gets its refusal behind the answers that are still due', async () => {
    const replies = (
      await new Promise<Buffer>((resolve) => {
        void openSocket(server.url).then((socket) => {
          void readToEnd(socket).then(resolve);
          socket.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
        });
      })
    ).toString('utf8');

    expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
