import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { guardAddresses } from '../../adapters/net/address-guard.ts';
import { blockListOf } from '../../adapters/net/addresses.ts';
import { post } from '../../adapters/sellers/exchange.ts';
import { sellerFetch } from '../../adapters/sellers/seller-fetch.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { gate } from '../support/run/gate.ts';
import { listen } from '../support/sellers/seller-agent.ts';

const MAX = 100_000;
const STREAM = { 'content-type': 'text/event-stream' };

describe('an exchange with a seller', () => {
  const way = sellerFetch({
    config: readConfig({ NODE_ENV: 'test', SELLER_RESPONSE_MAX_BYTES: String(MAX) }),
    guard: guardAddresses(blockListOf(['127.0.0.0/8'])),
    ca: undefined,
  });
  const opened: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((stop) => stop())));
  afterAll(() => way.close());

  async function exchange(
    listener: (req: IncomingMessage, res: ServerResponse) => void,
    signal = new AbortController().signal,
  ) {
    const server = await listen(listener);
    opened.push(server.stop);
    const accept = (text: string) => (text.startsWith('answer') ? text : undefined);
    return post(await way.target(server.url), {
      headers: {},
      body: '{}',
      signal,
      accept,
      acceptLarge: async (text) => accept(text)?.slice(0, 10),
    });
  }

  test.each([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('unpacks what was packed by %s, a stream of events too', async (encoding, pack) => {
    const head = { 'content-encoding': encoding };

    const body = await exchange((_req, res) => res.writeHead(200, head).end(pack('hello')));
    const event = await exchange((_req, res) =>
      res.writeHead(200, { ...head, ...STREAM }).end(pack('data: other\n\ndata: answer\n\n')),
    );

    expect(body.body.toString()).toBe('hello');
    expect(event.event).toBe('answer');
  });

  test.each([
    ['as it is', {}, 'x'.repeat(MAX + 1)],
    ['packed small', { 'content-encoding': 'gzip' }, gzipSync('x'.repeat(50 * MAX))],
    ['as a stream of events', STREAM, `data: ${'x'.repeat(MAX)}\n\n`],
  ])('takes no more than the limit, sent %s', async (_how, head, body) => {
    await expect(exchange((_req, res) => res.writeHead(200, head).end(body))).rejects.toThrow(
      'larger than 100000 bytes',
    );
  });

  test('takes what says it is packed and is not for a broken connection', async () => {
    const head = { 'content-encoding': 'gzip' };

    await expect(exchange((_req, res) => res.writeHead(200, head).end('plain'))).rejects.toThrow(TypeError);
  });

  test('has its answer while the stream goes on, and cuts a stream that goes on too far', async () => {
    const { passed: cut, open } = gate();

    const { event } = await exchange((_req, res) => {
      res.on('close', open);
      res.writeHead(200, STREAM).write('data: answer\n\n');
      const pour = () => {
        while (!res.destroyed && res.write(`data: ${'x'.repeat(10_000)}\n\n`));
      };
      res.on('drain', pour);
      pour();
    });

    expect(event).toBe('answer');
    await cut;
  });

  test('reads large events one after the other, and fails where none was the answer', async () => {
    const large = (text: string) => `data: ${text.padEnd(66_000, '.')}\n\n`;

    const found = await exchange((_req, res) => res.writeHead(200, STREAM).end(large('answer')));

    expect(found.event).toBe('answer....');
    await expect(exchange((_req, res) => res.writeHead(200, STREAM).end(large('other')))).rejects.toThrow(
      'ended before the answer',
    );
  });

  test('that is called off fails with the reason, before it begins and on the way', async () => {
    const { passed, open } = gate();
    const over = new AbortController();
    const { passed: closed, open: close } = gate();
    const hanging = exchange((req) => {
      req.socket.on('close', close);
      open();
    }, over.signal);
    await passed;
    over.abort(new Error('Enough.'));

    await expect(hanging).rejects.toThrow('Enough.');
    await closed;
    await expect(exchange((_req, res) => res.end(), over.signal)).rejects.toThrow('Enough.');
  });
});
