import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdaAndBea, adaAndBea } from '../../support/buying/ada-and-bea.ts';
import { productAt } from '../../support/sellers/far-seller.ts';
import { done } from '../../support/sellers/market.ts';

const ofAda = [productAt('news.example', 'news'), productAt('sport.example', 'sport')];
const ofBea = [productAt('tv.example', 'tv')];

interface Group {
  readonly groupName: string;
  readonly products: readonly object[];
}

describe('browse_products of a session that lost a group once its sellers were asked once more', () => {
  let market: AdaAndBea;
  let path: string;
  /** The revision that a reader has, before it was lost. */
  let known: number;
  beforeAll(async () => {
    market = await adaAndBea({ ada: ofAda, bea: ofBea });
  });
  beforeEach(async () => {
    const { buyer, advertiserId, ada, bea } = market;
    const storefrontIds = [ada.storefrontId, bea.storefrontId];
    const fields = { advertiserId, storefrontIds, brief: 'News and sport', waitSeconds: 30 };
    const begun = done(await buyer.post('/buyer/discovery/discover-products', fields));
    path = `/buyer/discovery/${begun.discoveryId}`;
    known = begun.revision;
    await refine({ scope: 'product', id: 'sport', action: 'omit' });
  });
  afterAll(() => market.stop());

  const refine = async (item: object) =>
    done(await market.buyer.post(`${path}/discover-products`, { refine: [item], waitSeconds: 30 }));
  const browse = async (query: string) => done(await market.buyer.get(`${path}/browse-products?${query}`));
  const shown = ({ productGroups }: { readonly productGroups: readonly Group[] }) =>
    productGroups.map(({ groupName, products }) => [groupName, products.length]);

  test('tells of it without products to whoever saw it, as the event stream does', async () => {
    const missed = await browse(`sinceRevision=${known}`);

    expect(shown(missed)).toEqual([
      ['news.example', 1],
      ['sport.example', 0],
    ]);
    expect(missed.productGroups[1]).toMatchObject({
      groupId: `${market.ada.agentId}:sport.example`,
      storefrontId: market.ada.storefrontId,
      products: [],
      totalProducts: 0,
      hasMoreProducts: false,
    });
    expect(missed).toMatchObject({ totalGroups: 1, hasMoreGroups: false, summary: { totalProducts: 1 } });
  });

  test('tells of it to nobody who begins anew, or knows it already', async () => {
    const { revision, ...anew } = await browse('');

    expect(shown(anew).sort()).toEqual([
      ['news.example', 1],
      ['tv.example', 1],
    ]);
    expect(shown(await browse(`sinceRevision=${revision}`))).toEqual([]);
  });

  test('tells of it on the last page alone, and of the storefronts that are wanted', async () => {
    const ofThem = ({ storefrontId }: { readonly storefrontId: string }) =>
      browse(`sinceRevision=${known}&storefrontIds=${storefrontId}`);
    await refine({ scope: 'request', ask: 'more of it' });
    await refine({ scope: 'product', id: 'sport', action: 'omit' });

    const pages = [0, 1].map((at) => browse(`sinceRevision=${known}&groupLimit=1&groupOffset=${at}`));

    expect((await Promise.all(pages)).map((page) => shown(page).map(([, products]) => products))).toEqual([
      [1],
      [1, 0],
    ]);
    expect(shown(await ofThem(market.ada))).toContainEqual(['sport.example', 0]);
    expect(shown(await ofThem(market.bea))).toEqual([['tv.example', 1]]);
  });

  test('shows it as it is where it came back', async () => {
    await refine({ scope: 'request', ask: 'more of it' });

    expect(shown(await browse(`sinceRevision=${known}`)).sort()).toEqual([
      ['news.example', 1],
      ['sport.example', 1],
      ['tv.example', 1],
    ]);
  });
});
