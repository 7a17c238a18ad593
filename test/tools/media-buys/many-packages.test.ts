import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { beyond, type Counted, countingCalls } from '../../support/run/calls-counted.ts';
import { casesAmong } from '../../support/run/effort.ts';
import { farSeller } from '../../support/sellers/far-seller.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  type OpenStorefront,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PERIODS = 4;
const PRODUCTS = 50;
/** So often for each package at the most: of each with each other one it would be twice as often and more. */
const TIMES = 80;
/** So many can be changed, or called off, in one call. */
const AT_ONCE = 100;

interface Line {
  readonly product_id: string;
  readonly budget: number;
  readonly start_time: string;
  readonly end_time: string;
}

/** How sellers list what was ordered. */
const LISTS: Readonly<Record<string, (lines: readonly Line[]) => object[]>> = {
  'as it was ordered': (lines) => lines.map(({ product_id, ...line }) => ({ product_id, ...line })),
  'the other way round': (lines) => lines.map((line) => ({ ...line })).reverse(),
  'by its products alone': (lines) => lines.map(({ product_id }) => ({ product_id })),
  'by no product': (lines) => lines.map(() => ({})),
  'as more of one product, all alike': (lines) =>
    [...lines, ...lines].map(({ budget }) => ({ product_id: lines[0]?.product_id, budget })),
  'as more of each product, on other days': (lines) =>
    [...lines, ...lines].map(({ start_time: _start, end_time: _end, ...line }, at) => ({
      ...line,
      start_time: lines[(at * 7) % lines.length]?.start_time,
      end_time: lines[(at * 7) % lines.length]?.end_time,
    })),
};

/** The first way, the one by which least is told, and the one in which all look alike. */
const USUAL = ['as it was ordered', 'by no product', 'as more of one product, all alike'];
const ways = casesAmong(Object.entries(LISTS), ([how]) => USUAL.includes(how));

const DAY_MS = 86_400_000;
const WEEK = 7;
const dayAt = (at: number) => new Date(Date.parse('2026-12-10') + at * DAY_MS).toISOString().slice(0, 10);
const periods = Array.from({ length: PERIODS }, (_, at) => ({
  label: `week ${at + 1}`,
  start: dayAt(at * WEEK),
  end: dayAt(at * WEEK + WEEK - 1),
  weight: 1,
}));
const flight = {
  startDate: '2026-12-10T00:00:00.000Z',
  endDate: `${dayAt(PERIODS * WEEK - 1)}T23:59:59.000Z`,
};

/** One request must not hold up all others (reliability): a year of weekly packages of some products are hundreds. */
describe('the work of a media buy grows with its packages, and not with their square', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  /** A seller that lists what it is ordered so, and the ids of its products. */
  async function farOne(list: (lines: readonly Line[]) => object[]) {
    const ids = Array.from({ length: PRODUCTS }, (_, at) => `product_${at}`);
    const seller = await farSeller(
      server,
      'Far',
      ids.map((id) => adcpProduct(id)),
    );
    let listed: { package_id: string }[] = [];
    const shown = () => ({ media_buy_id: 'far_1', status: 'active', packages: listed });
    seller.agent.on('create_media_buy', ({ packages }) => {
      listed = list(packages as Line[]).map((part, at) => ({ package_id: `pkg_${at}`, ...part }));
      return shown();
    });
    seller.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    seller.agent.on('update_media_buy', () => shown());
    seller.agent.on('get_media_buy_delivery', () => ({
      currency: 'USD',
      reporting_period: { start: '2026-12-10T00:00:00Z', end: '2026-12-12T00:00:00Z' },
      media_buy_deliveries: [
        {
          media_buy_id: 'far_1',
          status: 'active',
          totals: { spend: listed.length, impressions: 1_000 },
          by_package: listed.map(({ package_id }) => ({ package_id, spend: 1, impressions: 10 })),
        },
      ],
    }));
    return { ...seller, productIds: ids };
  }

  type Seller = Pick<OpenStorefront, 'storefrontId' | 'agentId' | 'productIds'>;

  /** A draft that is to buy all products of a seller, each in several periods. */
  async function drafted({ storefrontId, agentId: salesAgentId, productIds }: Seller): Promise<string> {
    const budget = 13_000;
    const { campaignId, discoveryId } = await draftCampaign(buyer, {
      ...{ advertiserId, storefrontIds: [storefrontId], flight },
      ...{ budget: PRODUCTS * 50_000, each: budget },
      campaign: { pacingPeriods: { mode: 'weight', periods } },
    });
    const products = productIds.map((productId) => ({ productId, salesAgentId, budget }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    return `/buyer/campaigns/${campaignId}`;
  }

  /** What runs more often than in proportion to the packages, in each thing that is done with a buy. */
  async function beyondProportion(seller: Seller): Promise<string[]> {
    const at = await drafted(seller);
    const counts = new Map<string, Counted>();
    let packageCount = 0;
    await countingCalls(async (counted) => {
      const count = async (what: string, ask: () => ReturnType<Person['get']>) => {
        const data = done(await ask());
        counts.set(what, await counted());
        return data;
      };
      await count('execute', () => buyer.post(`${at}/execute`));
      await count('status', () => buyer.get(`${at}/media-buy-status`));
      await count('delivery', () => buyer.get(`${at}/delivery`));
      const { campaign } = await count('campaign', () => buyer.get(at));
      const [{ mediaBuyId, packages }] = campaign.mediaBuys;
      packageCount = packages.length;
      await count('media buy', () => buyer.get(`/buyer/media-buys/${mediaBuyId}`));
      await count('packages', () => buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
      await count('products', () => buyer.get(`${at}/products`));
      const packageIds = packages.slice(0, AT_ONCE).map(({ packageId }: Named) => packageId);
      const lowered = packageIds.map((packageId: string) => ({ packageId, pacing: 'asap', budget: 500 }));
      await count('change of some', () => buyer.put(at, { mediaBuys: [{ mediaBuyId, packages: lowered }] }));
      const calledOff = { mediaBuys: [{ mediaBuyId, action: 'cancel', packageIds }] };
      await count('cancel of some', () => buyer.put(at, calledOff));
      await count('status after that', () => buyer.get(`${at}/media-buy-status`));
      await count('pause', () => buyer.post(`${at}/pause`));
      await count('cancel', () => buyer.post(`${at}/cancel`));
    });
    expect(packageCount).toBeGreaterThanOrEqual(PRODUCTS * PERIODS);
    return [...counts].flatMap(([what, counted]) =>
      beyond(counted, TIMES * packageCount).map((place) => `${what}: ${place}`),
    );
  }

  test.each(ways)('where its seller lists it %s', async (_how, list) => {
    const seller = await farOne(list);

    const found = await beyondProportion(seller);

    expect(found).toEqual([]);
    await seller.agent.stop();
  });

  test('where a seller of this service holds it', async () => {
    const products = Array.from({ length: PRODUCTS }, (_, at) => productFields({ name: `Product ${at}` }));
    const seller = await openStorefront(await newPerson(server), { products });

    const found = await beyondProportion(seller);

    expect(found).toEqual([]);
  });
});

interface Named {
  readonly packageId: string;
}
