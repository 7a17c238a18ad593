import type { Clock } from '../../../tools/core/ports.ts';
import { newPerson, type Person } from '../callers/people.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { connectAgent, newAdvertiser } from './market.ts';
import { adcpProduct, startSellerAgent } from './seller-agent.ts';

/** A market with one seller that does everything right, which others are asked together with. */
export interface HonestMarket {
  readonly server: TestServer;
  readonly buyer: Person;
  readonly advertiserId: string;
  /** The storefront of the honest seller, which sells `honest-1`. */
  readonly honestId: string;
  /** What ends the sellers that a test starts: called when the market stops. */
  readonly opened: (() => Promise<void>)[];
  stop(): Promise<void>;
}

export async function honestMarket(options: { readonly clock?: Clock } = {}): Promise<HonestMarket> {
  const server = await startTestServer({ ...options, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const honest = await startSellerAgent([adcpProduct('honest-1')]);
  const { storefrontId: honestId } = await connectAgent(await newPerson(server), honest.url);
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  const opened: (() => Promise<void>)[] = [honest.stop];
  return {
    server,
    buyer,
    advertiserId,
    honestId,
    opened,
    stop: async () => {
      await server.stop();
      await Promise.all(opened.map((end) => end()));
    },
  };
}
