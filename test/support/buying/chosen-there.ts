import { afterAll, beforeAll } from 'vitest';
import { newPerson, type Person } from '../callers/people.ts';
import { discover } from '../sellers/discovery.ts';
import { declaresTargeting, type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { flightDates, newAdvertiser } from '../sellers/market.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

interface There {
  readonly products: readonly object[];
  /** What it declares of targeting. */
  readonly targeting: object;
}

/** A person who chooses of one seller for whom it is to be, and orders: both the same for all tests of a block. */
export function chosenThere({ products, targeting }: There) {
  let server: TestServer;
  let seller: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    seller = await farSeller(server, 'Far', products);
    declaresTargeting(seller, targeting);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await seller.agent.stop();
  });

  const orders = () => seller.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
  return {
    get seller() {
      return seller;
    },
    get buyer() {
      return buyer;
    },
    create: (fields: object = {}) =>
      buyer.post('/buyer/campaigns', {
        ...{ advertiserId, name: 'Winter', flightDates, budget: { total: 100 } },
        ...fields,
      }),
    /** The session of a search that has found all. */
    found: async () => (await discover(buyer, advertiserId, [seller.storefrontId])).discoveryId,
    choose: (discoveryId: string, targetingOverlay?: object, productId = 'anywhere') =>
      buyer.post(`/buyer/discovery/${discoveryId}/products`, {
        products: [{ productId, targetingOverlay }],
      }),
    execute: (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`),
    orders,
    /** For whom the last order is, as its seller was told. */
    ordered: () => {
      const [one] = (orders().at(-1)?.args['packages'] ?? []) as { targeting_overlay: object }[];
      return one?.targeting_overlay;
    },
    /** Gives a campaign constraints that it would be refused. */
    store: (campaignId: string, constraints: object) =>
      server.store.db
        .updateTable('campaigns')
        .set({ constraints: JSON.stringify(constraints) as never })
        .where('organization_id', '=', buyer.organizationId)
        .where('id', '=', campaignId)
        .execute(),
  };
}
