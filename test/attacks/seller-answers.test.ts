import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { discover, productIdsIn } from '../support/sellers/discovery.ts';
import { type HonestMarket, honestMarket } from '../support/sellers/honest-market.ts';
import { connectAgent } from '../support/sellers/market.ts';
import { adcpProduct, listen, startSellerAgent } from '../support/sellers/seller-agent.ts';

const ENTRIES = 500_000;

describe('a seller that wants our work', () => {
  let market: HonestMarket;
  beforeAll(async () => {
    market = await honestMarket();
  });
  afterAll(() => market.stop());

  /** What a session says of a seller that answers like this, asked together with an honest one. */
  async function discoverAt(url: string) {
    const { storefrontId, agentId } = await connectAgent(await newPerson(market.server), url);
    const snapshot = await discover(market.buyer, market.advertiserId, [market.honestId, storefrontId]);
    return { snapshot, agentId, incomplete: snapshot.incompleteAgents[0] };
  }

  async function answering(products: readonly unknown[]) {
    const seller = await startSellerAgent();
    market.opened.push(seller.stop);
    seller.on('get_products', () => ({ products }));
    return seller;
  }

  test('by more entries than anybody sells has them counted, and the honest one is sold', async () => {
    const seller = await answering(Array.from({ length: ENTRIES }, () => ({})));

    const { snapshot, incomplete } = await discoverAt(seller.url);

    expect(productIdsIn(snapshot)).toEqual(['honest-1']);
    expect(incomplete).toMatchObject({
      reason: 'invalid_response',
      message: `None of the ${ENTRIES} products in the answer is valid.`,
    });
  });

  test('by a large answer is sold all the same, up to the limit', async () => {
    const description = 'x'.repeat(1_000);
    const seller = await answering([
      ...Array.from({ length: 100 }, (_, index) => adcpProduct(`big-${index}`, { description })),
      ...Array.from({ length: 3_000 }, () => 0),
    ]);

    const { snapshot, agentId } = await discoverAt(seller.url);

    expect(snapshot.agentResults?.find((result) => result.agentId === agentId)).toMatchObject({
      success: true,
      productCount: 100,
      invalidProducts: 3_000,
    });
  });

  test('by a stream of its own gets no reader, and is asked no more than we have to ask', async () => {
    const methods: string[] = [];
    const seller = await startSellerAgent([adcpProduct('stream-1')]);
    market.opened.push(seller.stop);
    const proxy = await behind(seller.url, (req, res) => {
      methods.push(req.method ?? '');
      if (req.method !== 'GET') return false;
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1\nid: 5\ndata: {}\n\n');
      return true;
    });
    market.opened.push(proxy.stop);

    const { snapshot } = await discoverAt(`${proxy.url}/mcp`);

    expect(productIdsIn(snapshot).sort()).toEqual(['honest-1', 'stream-1']);
    expect(new Set(methods)).toEqual(new Set(['POST']));
    expect(methods.length).toBeLessThan(6);
  });

  test.each([500, 502])(
    'and breaks over the newer handshake with %i is spoken to in the older way',
    async (status) => {
      const seller = await startSellerAgent([adcpProduct('older-1')]);
      market.opened.push(seller.stop);
      const proxy = await behind(seller.url, (req, res) => {
        const isProbe = req.headers['mcp-method'] === 'server/discover';
        if (isProbe) res.writeHead(status).end('broken');
        return isProbe;
      });
      market.opened.push(proxy.stop);

      expect(productIdsIn((await discoverAt(`${proxy.url}/mcp`)).snapshot).sort()).toEqual([
        'honest-1',
        'older-1',
      ]);
    },
  );

  test('and writes null where it has nothing to say is sold', async () => {
    const seller = await startSellerAgent([
      adcpProduct('null-1', {
        channels: null,
        description: null,
        estimated_exposures: null,
        brief_relevance: null,
        pricing_options: [
          {
            pricing_option_id: 'o',
            pricing_model: 'cpm',
            currency: 'USD',
            fixed_price: 5,
            floor_price: null,
            min_spend_per_package: null,
          },
        ],
      }),
    ]);
    market.opened.push(seller.stop);

    expect(productIdsIn((await discoverAt(seller.url)).snapshot).sort()).toEqual(['honest-1', 'null-1']);
  });

  test.each([
    ['without a time', {}],
    ['for longer than the call lasts', { 'retry-after': '3600' }],
  ])('and answers 429 %s is asked once', async (_, headers) => {
    let visits = 0;
    const busy = await listen((_req, res) => {
      visits += 1;
      res.writeHead(429, headers).end();
    });
    market.opened.push(busy.stop);

    expect((await discoverAt(busy.url)).incomplete).toMatchObject({
      reason: 'error',
      message: 'The seller answers no more calls for now.',
    });
    expect(visits).toBe(1);
  });

  test('and answers 401 once it is known is not asked again with the same credential', async () => {
    const seller = await startSellerAgent([adcpProduct('known-1')]);
    market.opened.push(seller.stop);
    let refused = 0;
    let refuses = false;
    const proxy = await behind(seller.url, (_req, res) => {
      if (!refuses) return false;
      refused += 1;
      res.writeHead(401).end();
      return true;
    });
    market.opened.push(proxy.stop);
    const { storefrontId } = await connectAgent(await newPerson(market.server), `${proxy.url}/mcp`);
    await discover(market.buyer, market.advertiserId, [storefrontId]);
    refuses = true;

    const { incompleteAgents } = await discover(market.buyer, market.advertiserId, [storefrontId]);

    expect(incompleteAgents).toMatchObject([{ reason: 'auth_required' }]);
    expect(refused).toBe(1);
  });
});

/** A seller behind a way of its own: `before` may answer in its place, by returning true. */
async function behind(url: string, before: (req: IncomingMessage, res: ServerResponse) => boolean) {
  return listen((req, res) => {
    if (before(req, res)) return;
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', async () => {
        const headers = { 'content-type': 'application/json', accept: String(req.headers.accept) };
        const answer = await fetch(url, { method: 'POST', headers, body: Buffer.concat(chunks) });
        const type = answer.headers.get('content-type') ?? 'text/plain';
        res.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
      });
  });
}
