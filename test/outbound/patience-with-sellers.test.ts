import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { beginDiscovery, browse, productIdsIn } from '../support/sellers/discovery.ts';
import { connectAgent, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, listen, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const RETRY_AFTER_S = 2;

describe('a seller', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  const opened: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(opened.map((stop) => stop()));
  });

  const connect = async (url: string) => (await connectAgent(await newPerson(server), url)).storefrontId;

  test('that answers 429 with a time is asked again then, not before, and is sold', async () => {
    const seller = await startSellerAgent([adcpProduct('busy-1')]);
    const visits: number[] = [];
    const refused = gate();
    const proxy = await listen((req, res) => {
      visits.push(clock.now());
      if (visits.length === 1) {
        res.writeHead(429, { 'retry-after': String(RETRY_AFTER_S) }).end(refused.open);
        return;
      }
      const chunks: Buffer[] = [];
      req.on('data', (chunk) => chunks.push(chunk)).on('end', () => passOn(seller.url, chunks, res));
    });
    opened.push(seller.stop, proxy.stop);
    const { discoveryId } = await beginDiscovery(buyer, advertiserId, [await connect(`${proxy.url}/mcp`)]);
    await refused.passed;

    const snapshot = await browse(buyer, discoveryId);

    expect(productIdsIn(snapshot)).toEqual(['busy-1']);
    const [first = 0, second = 0] = visits;
    expect(second - first).toBeGreaterThanOrEqual(RETRY_AFTER_S * 1_000);
  });

  test('that does not answer in its time has its connection closed', async () => {
    const seller = await startSellerAgent();
    opened.push(seller.stop);
    const closed = gate();
    seller.on('get_products', (_args, { socket }) => {
      socket.once('close', closed.open);
      return new Promise(() => {});
    });
    const { discoveryId } = await beginDiscovery(buyer, advertiserId, [await connect(seller.url)]);
    await seller.called('get_products');

    clock.skip(server.running.app.services.limits.sellerTimeoutMs);

    await closed.passed;
    expect((await browse(buyer, discoveryId)).incompleteAgents).toMatchObject([{ reason: 'timeout' }]);
  });
});

/** Asks the seller behind in the same words, and answers in its words. */
async function passOn(url: string, chunks: readonly Buffer[], res: ServerResponse): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetch(url, { method: 'POST', headers, body: Buffer.concat(chunks) });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  res.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
}
