import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { browse, discover, productIdsIn, type Snapshot } from '../support/sellers/discovery.ts';
import { type HonestMarket, honestMarket } from '../support/sellers/honest-market.ts';
import { connectAgent } from '../support/sellers/market.ts';
import { adcpProduct, listen, type RawServer, startSellerAgent } from '../support/sellers/seller-agent.ts';

const MEGABYTE = 1_048_576;
const SELLER_TIMEOUT_MS = 30_000;

/** Words that speak of this service's inside and not of the seller. */
const INTERNALS =
  /127\.0\.0\.1|localhost|ECONN|ENOTFOUND|at \w+ \(|node:|node_modules|\/[a-z]+\/[a-z]+|undici|SdkError|<html/i;

describe('a seller that misbehaves', () => {
  let clock: SkippingClock;
  let market: HonestMarket;
  beforeAll(async () => {
    clock = skippingClock();
    market = await honestMarket({ clock });
  });
  afterAll(() => market.stop());

  async function raw(listener: (req: IncomingMessage, res: ServerResponse) => void): Promise<RawServer> {
    const target = await listen(listener);
    market.opened.push(target.stop);
    return target;
  }

  async function agentAt(url: string) {
    return connectAgent(await newPerson(market.server), url, { name: 'Odd Media' });
  }

  /** What a session says of the seller at this address, asked together with an honest one. */
  async function incompleteOf(url: string) {
    const { storefrontId, agentId } = await agentAt(url);
    const snapshot = await discover(market.buyer, market.advertiserId, [market.honestId, storefrontId]);
    return onlyIncomplete(snapshot, agentId);
  }

  function onlyIncomplete(snapshot: Snapshot, agentId: string) {
    expect(snapshot).toMatchObject({ resultsComplete: true, pendingAgents: [] });
    expect(productIdsIn(snapshot)).toEqual(['honest-1']);
    expect(snapshot.incompleteAgents).toHaveLength(1);
    const [incomplete] = snapshot.incompleteAgents;
    expect(incomplete).toMatchObject({ agentId, agentName: expect.any(String) });
    expect(incomplete?.message).not.toMatch(INTERNALS);
    expect(incomplete?.message.length).toBeGreaterThan(0);
    expect(incomplete?.message.length).toBeLessThanOrEqual(500);
    return incomplete;
  }

  /** The same for one that never comes to an end: half a minute passes once the honest seller has landed. */
  async function incompleteAfterHanging(url: string, reached: Promise<void>) {
    const { storefrontId, agentId } = await agentAt(url);
    const begun = await market.buyer.post('/buyer/discovery/discover-products', {
      advertiserId: market.advertiserId,
      storefrontIds: [market.honestId, storefrontId],
      waitSeconds: 0,
    });
    const { discoveryId } = begun.body.data;
    const early = await browse(market.buyer, discoveryId, ({ revision }) => revision > 0);
    expect(productIdsIn(early)).toEqual(['honest-1']);
    expect(early.resultsComplete).toBe(false);
    expect(early.pendingAgents.map((agent) => agent.agentId)).toEqual([agentId]);
    await reached;
    clock.skip(SELLER_TIMEOUT_MS);
    return onlyIncomplete(await browse(market.buyer, discoveryId), agentId);
  }

  describe('timeout', () => {
    test('it takes the request and never answers', async () => {
      const { passed, open } = gate();
      const { url } = await raw(() => open());

      expect(await incompleteAfterHanging(`${url}/mcp`, passed)).toMatchObject({
        reason: 'timeout',
        message: 'The seller did not answer within 30 s.',
      });
    });

    test('it begins an answer and never ends it', async () => {
      const { passed, open } = gate();
      const { url } = await raw((_req, res) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.write('{"jsonrpc":');
        open();
      });

      expect(await incompleteAfterHanging(`${url}/mcp`, passed)).toMatchObject({ reason: 'timeout' });
    });

    test('it is an AdCP agent whose tool hangs', async () => {
      const slow = await startSellerAgent();
      market.opened.push(slow.stop);
      slow.on('get_products', () => new Promise(() => {}));

      expect(await incompleteAfterHanging(slow.url, slow.called('get_products'))).toMatchObject({
        reason: 'timeout',
      });
      expect(slow.calls[0]?.args['time_budget']).toEqual({ interval: 30, unit: 'seconds' });
    });
  });

  describe('invalid_response', () => {
    const answers: readonly [string, (req: IncomingMessage, res: ServerResponse) => void][] = [
      ['HTML', (_req, res) => send(res, 'text/html', '<html><body>It works!</body></html>')],
      ['HTML that says it is JSON', (_req, res) => send(res, 'application/json', '<html></html>')],
      ['JSON that is not MCP', (_req, res) => send(res, 'application/json', '{"products":[]}')],
      ['a type that nobody asked for', (_req, res) => send(res, 'text/plain', 'products: none')],
      ['nothing', (_req, res) => res.writeHead(200).end()],
      ['404', (_req, res) => res.writeHead(404).end('Not here')],
      ['5 MB', (_req, res) => send(res, 'application/json', `"${'x'.repeat(5 * MEGABYTE)}"`)],
    ];
    test.each(answers)('it answers with %s', async (_what, listener) => {
      const { url } = await raw(listener);

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({ reason: 'invalid_response' });
    });

    test('it answers without end, and the connection is cut', async () => {
      const { passed: cut, open } = gate();
      const { url } = await raw((_req, res) => {
        res.on('close', open);
        res.writeHead(200, { 'content-type': 'application/json' });
        const pour = () => {
          while (!res.destroyed && res.write('x'.repeat(65_536)));
        };
        res.on('drain', pour);
        pour();
      });

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({
        reason: 'invalid_response',
        message: 'The answer is larger than 4194304 bytes.',
      });
      await cut;
    });

    test('its products are none, though it speaks AdCP', async () => {
      const odd = await startSellerAgent();
      market.opened.push(odd.stop);
      odd.on('get_products', () => ({ products: 'plenty' }));

      expect(await incompleteOf(odd.url)).toMatchObject({
        reason: 'invalid_response',
        message: 'The answer holds no list of products.',
      });
    });

    test('every product of its answer is invalid', async () => {
      const odd = await startSellerAgent();
      market.opened.push(odd.stop);
      odd.on('get_products', () => ({ products: [{ product_id: 'bare' }, 7, null] }));

      expect(await incompleteOf(odd.url)).toMatchObject({
        reason: 'invalid_response',
        message: 'None of the 3 products in the answer is valid.',
      });
    });

    test('it answers 5 MB of products', async () => {
      const odd = await startSellerAgent([adcpProduct('fat', { description: 'x'.repeat(5 * MEGABYTE) })]);
      market.opened.push(odd.stop);

      expect(await incompleteOf(odd.url)).toMatchObject({ reason: 'invalid_response' });
    });

    test.each([301, 302, 303, 307, 308])('it redirects with %i, and nobody goes there', async (status) => {
      const visits: string[] = [];
      const target = await raw((req, res) => {
        visits.push(`${req.method} ${req.url}`);
        res.end();
      });
      const { url } = await raw((_req, res) => res.writeHead(status, { location: `${target.url}/x` }).end());

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({ reason: 'invalid_response' });
      expect(visits).toEqual([]);
    });
  });

  describe('auth_required', () => {
    test.each([401, 403])('it answers %i', async (status) => {
      const { url } = await raw((_req, res) => res.writeHead(status).end());

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({
        reason: 'auth_required',
        message: 'The seller wants another credential.',
      });
    });

    test('it says so in AdCP', async () => {
      const shut = await startSellerAgent();
      market.opened.push(shut.stop);
      shut.on('get_products', () => ({ adcp_error: { code: 'AUTH_REQUIRED', message: 'Sign in first.' } }));

      expect(await incompleteOf(shut.url)).toMatchObject({
        reason: 'auth_required',
        message: 'AUTH_REQUIRED: Sign in first.',
      });
    });
  });

  describe('error', () => {
    test.each([500, 502, 503])('it answers %i', async (status) => {
      const { url } = await raw((_req, res) => {
        res.writeHead(status, { 'content-type': 'text/plain' });
        res.end('Traceback: /srv/ads/main.py line 12, password=hunter2');
      });

      const incomplete = await incompleteOf(`${url}/mcp`);

      expect(incomplete?.reason).toBe('error');
      expect(incomplete?.message).not.toContain('hunter2');
    });

    test('nobody listens at its address', async () => {
      const { url, stop } = await listen(() => {});
      await stop();

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({
        reason: 'error',
        message: 'The seller could not be reached.',
      });
    });

    test('its name does not exist', async () => {
      expect(await incompleteOf('https://nobody.invalid/mcp')).toMatchObject({ reason: 'error' });
    });

    test('it cuts the connection at once', async () => {
      const { url } = await raw((req) => req.socket.destroy());

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({ reason: 'error' });
    });

    test('it cuts the connection in the middle of its answer', async () => {
      const { url } = await raw((_req, res) => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        res.write('{"jsonrpc":', () => res.socket?.resetAndDestroy());
      });

      expect(await incompleteOf(`${url}/mcp`)).toMatchObject({ reason: 'error' });
    });

    test('it cuts the connection in the middle of an event stream', async () => {
      const torn = await startSellerAgent();
      market.opened.push(torn.stop);
      torn.on('get_products', (_args, request) => {
        request.socket.resetAndDestroy();
        return new Promise(() => {});
      });

      expect(await incompleteOf(torn.url)).toMatchObject({
        reason: 'error',
        message: 'The seller could not be reached.',
      });
    });

    test('its tool fails without a word of AdCP', async () => {
      const sick = await startSellerAgent();
      market.opened.push(sick.stop);
      sick.on('get_products', () => {
        throw new Error('at /srv/ads/main.js:12, password=hunter2');
      });

      expect(await incompleteOf(sick.url)).toMatchObject({
        reason: 'error',
        message: 'The seller answered with an error of its own.',
      });
    });

    test('it reports an error of its own, shown without characters that steer a display', async () => {
      const sick = await startSellerAgent();
      market.opened.push(sick.stop);
      sick.on('get_products', () => ({
        errors: [{ code: 'SERVICE_UNAVAILABLE', message: `Back\u202esoon\u0007${'x'.repeat(2_000)}` }],
      }));

      const incomplete = await incompleteOf(sick.url);

      expect(incomplete?.reason).toBe('error');
      expect(incomplete?.message).toMatch(/^SERVICE_UNAVAILABLE: Back soon x+…$/);
    });

    test.each([
      'http://10.1.2.3/mcp',
      'https://192.168.0.1/mcp',
      'https://[::1]/mcp',
      'http://169.254.169.254/',
    ])('its address is not public: %s', async (url) => {
      // Nobody can name one: this one leads there since.
      const seller = await newPerson(market.server);
      const { storefrontId, agentId } = await connectAgent(seller, 'https://moved.example/mcp', {
        name: 'Odd Media',
      });
      await market.server.store.db
        .updateTable('inventory_sources')
        .set({ endpoint_url: url })
        .where('organization_id', '=', seller.organizationId)
        .execute();
      const snapshot = await discover(market.buyer, market.advertiserId, [market.honestId, storefrontId]);
      const incomplete = onlyIncomplete(snapshot, agentId);

      expect(incomplete).toMatchObject({
        reason: 'error',
        message: 'The address of the seller is not one that this service may call.',
      });
    });
  });

  describe('otherwise', () => {
    test('of an answer that is partly invalid the valid products are kept and the invalid counted', async () => {
      const mixed = await startSellerAgent();
      market.opened.push(mixed.stop);
      mixed.on('get_products', () => ({
        products: [
          adcpProduct('good-1'),
          adcpProduct('unpriced', { pricing_options: [] }),
          adcpProduct(''),
          'no product at all',
          adcpProduct('good-2', { invented_field: { deep: true } }),
        ],
      }));
      const { storefrontId, agentId } = await agentAt(mixed.url);

      const snapshot = await discover(market.buyer, market.advertiserId, [market.honestId, storefrontId]);

      expect(productIdsIn(snapshot).sort()).toEqual(['good-1', 'good-2', 'honest-1']);
      expect(snapshot.incompleteAgents).toEqual([]);
      expect(snapshot.agentResults?.find((result) => result.agentId === agentId)).toMatchObject({
        success: true,
        productCount: 2,
        invalidProducts: 3,
      });
    });

    test('one that fails once is asked afresh by the next session', async () => {
      let broken = true;
      const moody = await startSellerAgent([adcpProduct('moody-1')]);
      market.opened.push(moody.stop);
      moody.on('get_products', () => {
        if (broken) throw new Error('Not today.');
        return { products: [adcpProduct('moody-1')] };
      });
      const { storefrontId } = await agentAt(moody.url);
      const first = await discover(market.buyer, market.advertiserId, [storefrontId]);
      broken = false;

      const second = await discover(market.buyer, market.advertiserId, [storefrontId]);

      expect(first.incompleteAgents).toHaveLength(1);
      expect(second.incompleteAgents).toEqual([]);
      expect(productIdsIn(second)).toEqual(['moody-1']);
    });
  });
});

function send(res: ServerResponse, type: string, body: string): void {
  res.writeHead(200, { 'content-type': type }).end(body);
}
