import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('campaign_list_products and campaign_get_delivery', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  test('200: shows the choice before it is bought, and the media buys with their packages after', async () => {
    const { campaignId, discoveryId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [storefrontId],
    });
    const list = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/products`));

    expect(await list()).toMatchObject({
      campaignId,
      discoveryId,
      products: [
        {
          productName: 'Morning display',
          publisherDomain: 'news.example',
          pricingModel: 'cpm',
          budget: 100,
          mediaBuys: [],
        },
      ],
      searchContexts: [{ id: discoveryId, brief: 'Everybody in the morning', productCount: 1 }],
      summary: { totalProducts: 1, productsOnMediaBuys: 0, productsPending: 1 },
    });

    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { products, summary } = await list();
    expect(products[0].mediaBuys).toEqual([
      expect.objectContaining({ status: 'ACTIVE', packageIds: [expect.stringMatching(/^pkg_/)] }),
    ]);
    expect(summary).toEqual({ totalProducts: 1, productsOnMediaBuys: 1, productsPending: 0 });
  });

  describe('200: turns the pages', () => {
    let path: string;
    let ids: readonly string[];
    beforeAll(async () => {
      const products = ['First', 'Second', 'Third'].map((name) => productFields({ name }));
      const shop = await openStorefront(await newPerson(server), { products });
      const draft = await draftCampaign(buyer, { advertiserId, storefrontIds: [shop.storefrontId] });
      path = `/buyer/campaigns/${draft.campaignId}/products`;
      done(await buyer.post(`/buyer/campaigns/${draft.campaignId}/execute`));
      const all = done(await buyer.get(path)).products;
      ids = all.map(({ productId }: { productId: string }) => productId);
      // The first is chosen no more: it comes behind the others, as what is bought beside them.
      const chosen = `/buyer/discovery/${draft.discoveryId}/products`;
      done(await buyer.delete(chosen, { productIds: [ids[0]] }));
    });

    const page = async (query: string) => (await buyer.get(`${path}?${query}`)).body;

    test('from what is chosen into what is bought beside it, each with its packages', async () => {
      const { data, meta } = await page('take=2&skip=1');

      expect(data.products.map(({ productId }: { productId: string }) => productId)).toEqual([
        ids[2],
        ids[0],
      ]);
      for (const { mediaBuys } of data.products) {
        expect(mediaBuys).toMatchObject([{ packageIds: [expect.stringMatching(/^pkg_/)] }]);
      }
      expect(data).toMatchObject({ total: 3, hasMore: false, nextOffset: null });
      expect(meta.pagination).toEqual({ skip: 1, take: 2, total: 3, hasMore: false });
    });

    test('with the figures of all products on each', async () => {
      for (const query of ['take=1', 'take=1&skip=2', 'skip=3']) {
        expect((await page(query)).data.summary, query).toEqual({
          totalProducts: 3,
          productsOnMediaBuys: 3,
          productsPending: 0,
        });
      }
      expect((await page('take=1')).data).toMatchObject({ hasMore: true, nextOffset: 1 });
      expect((await page('skip=3')).data.products).toEqual([]);
    });

    test('and tells of the session once in the compact form', async () => {
      const { products, searchContexts } = (await page('take=1&detail=compact')).data;

      expect(searchContexts).toMatchObject([{ brief: 'Everybody in the morning' }]);
      expect(products[0]).not.toHaveProperty('searchContext');
      expect(products[0]).not.toHaveProperty('selectedAt');
      expect(products[0].mediaBuys[0]).not.toHaveProperty('name');
    });
  });

  describe('200: with mediaBuyId, what these of its media buys hold alone', () => {
    let path: string;
    let buys: readonly string[];
    /** The products of each seller. */
    let ids: Readonly<Record<'corner' | 'harbor', readonly string[]>>;
    beforeAll(async () => {
      const shops = await Promise.all(
        [['One', 'Two'], ['Three']].map(async (names) =>
          openStorefront(await newPerson(server), { products: names.map((name) => productFields({ name })) }),
        ),
      );
      const [corner, harbor] = shops.map(({ productIds }) => [...productIds]);
      const draft = await draftCampaign(buyer, {
        advertiserId,
        storefrontIds: shops.map((shop) => shop.storefrontId),
      });
      path = `/buyer/campaigns/${draft.campaignId}`;
      done(await buyer.post(`${path}/execute`));
      const { mediaBuys } = done(await buyer.get(path)).campaign;
      buys = shops.map(
        ({ agentId }) =>
          mediaBuys.find(({ salesAgentId }: { salesAgentId: string }) => salesAgentId === agentId).mediaBuyId,
      );
      // One is chosen no more: it comes behind the others, as what is bought beside them.
      const chosen = `/buyer/discovery/${draft.discoveryId}/products`;
      done(await buyer.delete(chosen, { productIds: [corner?.[0]] }));
      ids = { corner: corner ?? [], harbor: harbor ?? [] };
    });

    const list = async (query: string) => done(await buyer.get(`${path}/products?${query}`));
    const idsIn = ({ products }: { products: { productId: string }[] }) =>
      products.map(({ productId }) => productId);

    test('of one, of several, and of none that it has', async () => {
      const [first = '', second = ''] = buys;
      const one = await list(`mediaBuyId=${first}`);
      const other = await list(`mediaBuyId=${second}`);
      const both = await list(`mediaBuyId=${first}&mediaBuyId=${second}`);
      const none = await list('mediaBuyId=mb_elsewhere');

      expect(idsIn(one)).toEqual([ids.corner[1], ids.corner[0]]);
      expect(one.summary).toEqual({ totalProducts: 2, productsOnMediaBuys: 2, productsPending: 0 });
      expect(idsIn(other)).toEqual(ids.harbor);
      expect(other.searchContexts).toMatchObject([{ productCount: 1 }]);
      expect(idsIn(both).sort()).toEqual([...ids.corner, ...ids.harbor].sort());
      expect(none).toMatchObject({ products: [], total: 0, summary: { totalProducts: 0 } });
    });

    test('page by page', async () => {
      const [first = ''] = buys;
      const pages = [0, 1, 2].map((skip) => list(`mediaBuyId=${first}&take=1&skip=${skip}`));

      const shown = await Promise.all(pages);

      expect(shown.map(idsIn)).toEqual([[ids.corner[1]], [ids.corner[0]], []]);
      expect(shown[0]).toMatchObject({ total: 2, hasMore: true, nextOffset: 1 });
    });
  });
});
