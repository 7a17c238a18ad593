import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../support/discovery.ts';
import { type FarSeller, farSeller, productAt } from '../support/far-seller.ts';
import { newAdvertiser } from '../support/market.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const CALLS = 6;

describe('the connections to a seller', () => {
  let server: TestServer;
  let ada: FarSeller;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  test('serve the next calls as well, although answers come in streams of events', async () => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const ports: (number | undefined)[] = [];
    ada.agent.on('get_products', (_args, { socket }) => {
      ports.push(socket.remotePort);
      return { products: [productAt('ada.example', 'ada-1')] };
    });

    for (let call = 0; call < CALLS; call += 1) await discover(buyer, advertiserId, [ada.storefrontId]);

    expect(ports).toHaveLength(CALLS);
    // One more from the greeting, whose last word awaits no answer.
    expect(new Set(ports).size).toBeLessThanOrEqual(2);
  });
});
