import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { newPerson, type Person } from '../callers/people.ts';
import { type KeepingSeller, keepingSeller } from '../sellers/keeping-seller.ts';
import { type Draft, done, draftCampaign, newAdvertiser } from '../sellers/market.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

/**
 * A person who buys of these sellers, which keep what they sell: all of them new before every test of a block. What is
 * bought with `orders` is one campaign with a media buy at each; that of the first seller is the one that is meant.
 */
export function boughtThere(...names: readonly string[]) {
  let server: TestServer;
  let sellers: readonly KeepingSeller[] = [];
  let buyer: Person;
  let campaignId = '';
  let mediaBuyId = '';
  let packageId = '';
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    sellers = [];
    for (const name of names) sellers = [...sellers, await keepingSeller(server, name)];
    buyer = await newPerson(server);
  });
  afterEach(() => Promise.all(sellers.map(({ agent }) => agent.stop())));
  afterAll(() => server.stop());

  const first = (): KeepingSeller => {
    const [seller] = sellers;
    if (seller === undefined) throw new Error('There is no seller.');
    return seller;
  };
  const path = () => `/buyer/campaigns/${campaignId}`;
  const buyPath = () => `/buyer/media-buys/${mediaBuyId}`;
  const act = (what: string) => buyer.post(`${path()}/${what}`, {});
  const campaign = async () => done(await buyer.get(path())).campaign;
  const inCampaign = async () =>
    (await campaign()).mediaBuys.find(
      ({ salesAgentId }: { salesAgentId: string }) => salesAgentId === first().agentId,
    );
  return {
    get server() {
      return server;
    },
    get sellers() {
      return sellers;
    },
    get seller() {
      return first();
    },
    get buyer() {
      return buyer;
    },
    get campaignId() {
      return campaignId;
    },
    get mediaBuyId() {
      return mediaBuyId;
    },
    get packageId() {
      return packageId;
    },
    path,
    buyPath,
    /** Asks it of the campaign. */
    act,
    campaign,
    /** The media buy, as its campaign shows it. */
    inCampaign,
    /** The media buy, as it shows itself. */
    mediaBuy: async () => done(await buyer.get(buyPath())).mediaBuy,
    status: async () => done(await buyer.get(`${path()}/media-buy-status`)),
    /** What is bound of the money of the buyer. */
    committed: async () =>
      done(await buyer.get('/buyer/accounts/current')).credit.find(
        ({ currency }: { currency: string }) => currency === 'USD',
      ).committed,
    orders: async (draft: Partial<Draft> = {}) => {
      const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
      const advertiserId = await newAdvertiser(buyer);
      ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, ...draft }));
      done(await act('execute'));
      const buy = await inCampaign();
      ({ mediaBuyId } = buy);
      packageId = buy.packages[0]?.packageId;
    },
    /** Asks it of the media buy, which has to be heard. */
    asks: async (what: string) => done(await buyer.post(`${buyPath()}/${what}`, {})),
    raises: async (budget = 200) => done(await buyer.patch(buyPath(), { packages: [{ packageId, budget }] })),
  };
}
