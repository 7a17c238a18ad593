import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { discover } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller, productAt } from '../support/sellers/far-seller.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

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

  test('serve the next calls as well, although a stream of events ends after the answer in it was read', async () => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const asked = new Map<IncomingMessage, number | undefined>();
    const ends: (() => void)[] = [];
    ada.agent.on('get_products', (_args, request) => {
      asked.set(request, request.socket.remotePort);
      return { products: [productAt('ada.example', 'ada-1')] };
    });
    ada.agent.watches((req, res) => {
      const [head, end] = [res.writeHead.bind(res), res.end.bind(res)];
      Object.assign(res, {
        // Of unknown length, as streams are: it is over when it is ended.
        writeHead: (status: number, { 'content-length': _, ...headers }: OutgoingHttpHeaders = {}) =>
          head(status, headers),
        end: (last?: Uint8Array | string) => {
          if (!asked.has(req)) return end(last);
          if (last !== undefined) res.write(last);
          ends.push(() => void end());
          return res;
        },
      });
    });

    for (let call = 1; call <= CALLS; call += 1) {
      await discover(buyer, advertiserId, [ada.storefrontId]);
      expect(ends).toHaveLength(1);
      ends.pop()?.();
    }

    expect(asked.size).toBe(CALLS);
    // One more from the greeting, whose last word awaits no answer.
    expect(new Set(asked.values()).size).toBeLessThanOrEqual(2);
  });
});
