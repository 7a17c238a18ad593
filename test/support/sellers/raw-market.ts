import { newPerson, type Person } from '../callers/people.ts';
import { startTestServer } from '../server/server.ts';
import { draftOf } from './discovery.ts';
import { connectAgent, done, newAdvertiser } from './market.ts';
import { setNamesFree } from './names-set-free.ts';
import { type Era, startRawSeller } from './raw-seller.ts';
import { adcpProduct } from './seller-agent.ts';

interface Bought {
  readonly campaignId: string;
  readonly mediaBuyId: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the execution answered, which tests look into.
  readonly result: any;
}

/** A buyer, and a seller of one product whose answers are what a test makes them. */
export interface RawMarket {
  readonly buyer: Person;
  readonly advertiserId: string;
  readonly storefrontId: string;
  /** From now on a tool's whole result is what this gives. */
  answersBy(answer: (tool: string) => object): void;
  /** Buys the product far-1 with a campaign of its own. */
  buy(): Promise<Bought>;
  stop(): Promise<void>;
}

export async function rawMarket(era: Era, names: readonly string[]): Promise<RawMarket> {
  let answer = (tool: string): object =>
    tool === 'get_products' ? { structuredContent: { products: [adcpProduct('far-1')] } } : {};
  const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  const seller = await startRawSeller({ era, names, call: (tool) => answer(tool) });
  const place = await connectAgent(await newPerson(server), `${seller.url}/mcp`);
  const buyer = await newPerson(server);
  const advertiserId = await newAdvertiser(buyer);
  return {
    buyer,
    advertiserId,
    storefrontId: place.storefrontId,
    answersBy: (next) => {
      answer = next;
    },
    buy: async () => {
      await setNamesFree(server);
      const campaignId = await draftOf(buyer, { ...place, advertiserId, productId: 'far-1' });
      const result = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      return { campaignId, result, mediaBuyId: campaign.mediaBuys[0].mediaBuyId };
    },
    stop: async () => {
      await server.stop();
      await seller.stop();
    },
  };
}
