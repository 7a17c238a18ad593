import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { guardAddresses } from '../../adapters/net/address-guard.ts';
import { blockListOf } from '../../adapters/net/addresses.ts';
import { sellerFetch } from '../../adapters/sellers/seller-fetch.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { listen } from '../support/sellers/seller-agent.ts';

const strict = guardAddresses(blockListOf([]));
const everything = guardAddresses(blockListOf(['0.0.0.0/0', '::/0']));

const SPECIAL = [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '::8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '1000::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'fec0::1',
  '100::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
];
const METADATA = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '::169.254.169.254',
  '::ffff:168.63.129.16',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'fd00:ec2::23',
];

describe('the guard of outbound calls', () => {
  test.each(SPECIAL)('refuses the private or special address %s', (address) => {
    expect(strict.isAllowed(address)).toBe(false);
    expect(strict.isTrusted(address)).toBe(false);
  });

  test.each(['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'lets the public address %s through, and trusts it with https only',
    (address) => {
      expect(strict.isAllowed(address)).toBe(true);
      expect(strict.isTrusted(address)).toBe(false);
    },
  );

  test('opens the ranges that a setting names, also in IPv6 clothes, and no others', () => {
    const guard = guardAddresses(blockListOf(['127.0.0.0/8', 'fd00::/8']));

    expect(['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1'].map((address) => guard.isTrusted(address))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['10.0.0.1', '::1', 'fe80::1'].map((address) => guard.isAllowed(address))).toEqual([
      false,
      false,
      false,
    ]);
  });

  test.each(METADATA)('never lets the metadata address %s through, whatever is allowed', (address) => {
    expect(everything.isAllowed(address)).toBe(false);
    expect(everything.isTrusted(address)).toBe(false);
  });

  test('refuses a name that stands for a private address, where it is looked up', async () => {
    expect(await lookUp(strict.lookup, 'localhost')).toMatch(/^BlockedAddressError/);
    expect(await lookUp(strict.trustedLookup, 'localhost')).toMatch(/^BlockedAddressError/);
  });

  test('gives the addresses it has checked, one or all as it was asked', async () => {
    const guard = guardAddresses(blockListOf(['127.0.0.0/8', '::1/128']));

    expect(await lookUp(guard.lookup, 'localhost')).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(await lookUp(guard.lookup, 'localhost', { all: true })).toMatch(/127\.0\.0\.1|::1/);
  });

  test('passes on that a name does not exist', async () => {
    expect(await lookUp(strict.lookup, 'nobody.invalid')).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });
});

describe('a call to a seller', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  function fetchWith(allowed: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    const guard = guardAddresses(blockListOf(allowed));
    const way = sellerFetch({ config: readConfig({ NODE_ENV: 'test', ...settings }), guard, ca: undefined });
    closing.push(() => way.close());
    return way.fetch;
  }

  async function target() {
    const visits: string[] = [];
    const server = await listen((req, res) => {
      visits.push(req.url ?? '');
      res.end('{}');
    });
    closing.push(server.stop);
    return { url: server.url, port: new URL(server.url).port, visits };
  }

  /** What a failed fetch says, with the causes below it. */
  async function failure(work: Promise<Response>): Promise<string> {
    const said: string[] = [];
    let error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    for (; error instanceof Error; error = error.cause) said.push(`${error.name}: ${error.message}`);
    return said.join('\n');
  }

  test('goes over http within the ranges that the operator trusts', async () => {
    const { url, visits } = await target();

    const response = await fetchWith(['127.0.0.0/8'])(`${url}/mcp`);

    expect(response.status).toBe(200);
    expect(visits).toEqual(['/mcp']);
  });

  test.each(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '[::ffff:127.0.0.1]', 'localhost'])(
    'does not reach http://%s outside of them, and nobody is connected to',
    async (host) => {
      const { port, visits } = await target();

      expect(await failure(fetchWith(['10.0.0.0/8'])(`http://${host}:${port}/`))).toContain('BlockedAddress');
      expect(visits).toEqual([]);
    },
  );

  test.each(['127.0.0.1', 'localhost'])('does not reach https://%s outside of them either', async (host) => {
    const connections: unknown[] = [];
    const server = createServer((socket) => connections.push(socket.destroy())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => void server.close());
    const { port } = server.address() as AddressInfo;

    expect(await failure(fetchWith([])(`https://${host}:${port}/`))).toContain('BlockedAddress');
    expect(connections).toEqual([]);
  });

  test('does not go over http to a public address', async () => {
    expect(await failure(fetchWith(['127.0.0.0/8'])('http://8.8.8.8/mcp'))).toContain('BlockedAddress');
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'http://100.100.100.200/',
  ])('never goes to %s, whatever the operator trusts', async (url) => {
    const fetch = fetchWith(['0.0.0.0/0', '::/0']);

    expect(await failure(fetch(url))).toContain('BlockedAddress');
  });

  test('takes an answer up to the limit and not a byte more', async () => {
    const server = await listen((req, res) => res.end('x'.repeat(Number(req.url?.slice(1)))));
    closing.push(server.stop);
    const fetch = fetchWith(['127.0.0.0/8'], { SELLER_RESPONSE_MAX_BYTES: '2000' });

    expect(await (await fetch(`${server.url}/2000`)).text()).toHaveLength(2_000);
    const large = await fetch(`${server.url}/2001`);
    await expect(large.text()).rejects.toThrow('The answer is larger than 2000 bytes.');
  });

  const packing = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  test.each(Object.entries(packing))(
    'unpacks what is sent as %s though nobody asked for it, up to the same limit',
    async (encoding, pack) => {
      const asked: unknown[] = [];
      const server = await listen((req, res) => {
        asked.push(req.headers['accept-encoding']);
        res.setHeader('content-encoding', encoding);
        res.end(pack('x'.repeat(Number(req.url?.slice(1)))));
      });
      closing.push(server.stop);
      const fetch = fetchWith(['127.0.0.0/8'], { SELLER_RESPONSE_MAX_BYTES: '2000' });

      expect(await (await fetch(`${server.url}/2000`)).text()).toBe('x'.repeat(2_000));
      const large = await fetch(`${server.url}/3000000`);
      await expect(large.text()).rejects.toThrow('The answer is larger than 2000 bytes.');
      expect(asked).toEqual([undefined, undefined]);
    },
  );

  test('says that a connection broke as fetch does, in the middle of an answer too', async () => {
    const server = await listen((req, res) => {
      if (req.url === '/begun') res.writeHead(200, { 'content-length': '100' }).write('x');
      setImmediate(() => req.socket.destroy());
    });
    closing.push(server.stop);
    const fetch = fetchWith(['127.0.0.0/8']);

    expect(await failure(fetch(`${server.url}/`))).toMatch(/^TypeError: fetch failed\nSocketError: /);
    const begun = await fetch(`${server.url}/begun`);
    await expect(begun.text()).rejects.toMatchObject({ name: 'TypeError', cause: expect.any(Error) });
  });

  test('ends with its signal, and says why', async () => {
    const server = await listen((req, res) => {
      if (req.url === '/begun') res.writeHead(200).write('x');
    });
    closing.push(server.stop);
    const fetch = fetchWith(['127.0.0.0/8']);
    const [early, late] = [new AbortController(), new AbortController()];

    const never = failure(fetch(`${server.url}/`, { signal: early.signal }));
    const begun = await fetch(`${server.url}/begun`, { signal: late.signal });
    const rest = begun.text();
    early.abort(new Error('Enough.'));
    late.abort(new Error('Enough.'));

    expect(await never).toBe('Error: Enough.');
    await expect(rest).rejects.toThrow('Enough.');
  });

  test('gives up on a server that takes the connection and does not begin to speak TLS', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const sockets: { destroy(): unknown }[] = [];
    silent.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const fetch = fetchWith(['127.0.0.0/8'], { SELLER_CONNECT_TIMEOUT_MS: '300' });

    expect(await failure(fetch(`https://127.0.0.1:${port}/`))).toContain('ConnectTimeoutError');
  });
});

function lookUp(lookup: LookupFunction, name: string, options: { all?: boolean } = {}): Promise<string> {
  return new Promise((resolve) => {
    lookup(name, options, (error, found) => {
      if (error === null) resolve(typeof found === 'string' ? found : JSON.stringify(found));
      else resolve(`${error.name}: ${error.message}`);
    });
  });
}
