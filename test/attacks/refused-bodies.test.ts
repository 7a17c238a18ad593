import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { eventually } from '../support/run/eventually.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { type OpenFront, openFront } from '../support/server/front.ts';
import { openSocket, parseReply } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MEGABYTE = 1_048_576;
const CHUNK = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);

describe('a body without end', () => {
  let server: TestServer;
  let front: OpenFront;
  beforeAll(async () => {
    server = await startTestServer({ tools: echoTools, settings: { BODY_MAX_BYTES: '4096' } });
    front = await openFront(server.running.app);
  });
  afterAll(async () => {
    await front.drain(0);
    await server.stop();
  });

  /** Pours chunks for as long as they are taken. What came back, and how many bytes the server read. */
  const pour = async (head: string): Promise<{ text: string; read: number }> => {
    const connected = once(front.server, 'connection') as Promise<[Socket]>;
    const socket = await openSocket(front.url);
    const [theirs] = await connected;
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8');
    });
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const pourOn = () => {
      while (!socket.destroyed && socket.writable && socket.write(CHUNK));
    };
    socket.on('drain', pourOn);
    socket.write(head);
    pourOn();
    await closed;
    return { text, read: theirs.bytesRead };
  };

  const head = (target: string, ...fields: readonly string[]) =>
    [`${target} HTTP/1.1`, 'Host: 127.0.0.1', ...fields, 'Transfer-Encoding: chunked', '', ''].join('\r\n');
  const JSON_TYPE = 'Content-Type: application/json';

  test.each([
    ['that is too large', 'POST /api/v2/buyer/echo', 400],
    ['to nowhere', 'POST /api/v2/buyer/nothing', 404],
    ['to a page', 'POST /docs', 405],
    ['to MCP without a key', 'POST /mcp/v2/buyer', 401],
    ['to an address that moved', 'POST /mcp/buyer', 308],
    ['that comes with a HEAD', 'HEAD /style.css', 200],
  ])('is answered once and read no further: %s', async (_what, target, status) => {
    const { text, read } = await pour(head(target, JSON_TYPE));

    expect(parseReply(Buffer.from(text)).status).toBe(status);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(read).toBeLessThan(2 * MEGABYTE);
    await eventually(async () => expect(await front.connections()).toBe(0));
  });

  test('is answered with the close of the connection, over MCP too', async () => {
    const { key } = await newPerson(server);
    const rest = await pour(head('POST /api/v2/buyer/echo', JSON_TYPE));
    const mcp = await pour(head('POST /mcp/v2/buyer', JSON_TYPE, `Authorization: Bearer ${key}`));

    for (const { text } of [rest, mcp]) {
      const reply = parseReply(Buffer.from(text));
      expect(reply).toMatchObject({ status: 400, headers: { connection: 'close' } });
      expect(reply.text).toContain('larger than 4096 bytes');
    }
  });
});

test('a short body that is refused leaves its connection open for the next request', async () => {
  const server = await startTestServer();
  const front = await openFront(server.running.app);
  const socket = await openSocket(front.url);
  const bytes: Buffer[] = [];
  const text = () => Buffer.concat(bytes).toString('utf8');
  socket.on('data', (chunk) => bytes.push(Buffer.from(chunk)));
  socket.write('POST /api/v2/buyer/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\n\r\nab');
  await eventually(() => expect(text()).toContain('HTTP/1.1 404'));

  socket.write('cdefGET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');

  await eventually(() => expect(text()).toContain('HTTP/1.1 200'));
  expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
  socket.destroy();
  await front.drain(0);
  await server.stop();
});
