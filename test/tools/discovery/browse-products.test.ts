import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const cpm = (fixed_price: number) => ({
  pricing_option_id: 'price',
  pricing_model: 'cpm',
  currency: 'USD',
  fixed_price,
});

describe('browse_products', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    bea = await farSeller(server, 'Bea');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => {
    for (const { agent } of [ada, bea]) agent.on('get_products', () => ({ products: [] }));
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });

  const begin = async (): Promise<string> => {
    const fields = { advertiserId, waitSeconds: 0 };
    return done(await buyer.post('/buyer/discovery/discover-products', fields)).discoveryId;
  };
  const browse = (discoveryId: string, query = '', by: Person = buyer) =>
    by.get(`/buyer/discovery/${discoveryId}/browse-products${query}`);
  /** Ada lands with two publishers, then Bea with one. */
  const twoLandings = async (): Promise<string> => {
    const first = answersLater(ada, {
      products: [productAt('one.example', 'a1'), productAt('two.example', 'a2')],
    });
    const second = answersLater(bea, { products: [productAt('sub.one.example', 'b1')] });
    const discoveryId = await begin();
    const events = await readEvents(server, buyer, { discoveryId });
    first.open();
    await events.next();
    second.open();
    await events.rest();
    return discoveryId;
  };
  const groupsOf = async (discoveryId: string, query: string) => {
    const { productGroups } = done(await browse(discoveryId, query));
    return productGroups.map(({ groupName }: { groupName: string }) => groupName);
  };

  describe('200', () => {
    test('gives with sinceRevision only the groups that landed after it, with the revision of now', async () => {
      const discoveryId = await twoLandings();

      expect(await groupsOf(discoveryId, '?sinceRevision=0')).toEqual([
        'one.example',
        'two.example',
        'sub.one.example',
      ]);
      const late = done(await browse(discoveryId, '?sinceRevision=1'));
      expect(late).toMatchObject({
        revision: 2,
        resultsComplete: true,
        productGroups: [{ groupName: 'sub.one.example' }],
        totalGroups: 1,
        hasMoreGroups: false,
        summary: { totalProducts: 1 },
      });
      expect(await groupsOf(discoveryId, '?sinceRevision=2')).toEqual([]);
      expect(await groupsOf(discoveryId, '?sinceRevision=999')).toEqual([]);
    });

    test('adds up from call to call to what one call at the end gives', async () => {
      const first = answersLater(ada, { products: [productAt('one.example', 'a1')] });
      const second = answersLater(bea, { products: [productAt('two.example', 'b1')] });
      const discoveryId = await begin();
      const events = await readEvents(server, buyer, { discoveryId });
      const seen: unknown[] = [];
      let revision = 0;
      const take = async () => {
        const data = done(await browse(discoveryId, `?sinceRevision=${revision}`));
        seen.push(...data.productGroups);
        revision = data.revision;
        return data.resultsComplete;
      };

      expect(await take()).toBe(false);
      second.open();
      await events.next();
      expect(await take()).toBe(false);
      first.open();
      await events.next();
      expect(await take()).toBe(true);

      expect(seen).toEqual(done(await browse(discoveryId)).productGroups);
      expect(seen).toHaveLength(2);
    });

    test('answers the same at both of its addresses', async () => {
      const discoveryId = await twoLandings();

      const one = await browse(discoveryId, '?sinceRevision=1&groupLimit=1');
      const other = await buyer.get(
        `/buyer/discovery/${discoveryId}/discover-products?sinceRevision=1&groupLimit=1`,
      );

      expect(other.body).toEqual(one.body);
    });

    test('waits for the end of the session when told to', async () => {
      const held = answersLater(ada, { products: [productAt('one.example', 'a1')] });
      const discoveryId = await begin();
      const events = await readEvents(server, buyer, { discoveryId });
      await events.next();

      const waiting = browse(discoveryId, '?waitSeconds=30');
      held.open();

      expect(done(await waiting)).toMatchObject({ resultsComplete: true, totalGroups: 1 });
      events.close();
    });

    test('ends its wait with what landed after sinceRevision, while other sellers are still asked', async () => {
      const held = answersLater(ada, { products: [productAt('one.example', 'a1')] });
      const last = answersLater(bea, { products: [productAt('two.example', 'b1')] });
      const discoveryId = await begin();
      const { revision } = done(await browse(discoveryId));

      const waiting = browse(discoveryId, `?waitSeconds=30&sinceRevision=${revision}`);
      held.open();
      const first = done(await waiting);

      expect(first).toMatchObject({ resultsComplete: false, productGroups: [{ groupName: 'one.example' }] });
      const rest = browse(discoveryId, `?waitSeconds=30&sinceRevision=${revision}&waitMode=long`);
      last.open();
      expect(done(await rest)).toMatchObject({ resultsComplete: true, totalGroups: 2 });
    }, 10_000);

    test('narrows to a publisher with its subdomains, and to storefronts', async () => {
      const discoveryId = await twoLandings();

      expect(await groupsOf(discoveryId, '?publisherDomain=ONE.example')).toEqual([
        'one.example',
        'sub.one.example',
      ]);
      expect(await groupsOf(discoveryId, '?publisherDomain=ne.example')).toEqual([]);
      expect(await groupsOf(discoveryId, `?storefrontIds=${bea.storefrontId}`)).toEqual(['sub.one.example']);
      expect(
        await groupsOf(discoveryId, `?storefrontIds=${ada.storefrontId},${bea.storefrontId}`),
      ).toHaveLength(3);
    });

    test('finds a product by each of its publishers, and of its group no other', async () => {
      const network = (id: string, ...domains: string[]) =>
        productAt('', id, {
          publisher_properties: [{ publisher_domains: domains, selection_type: 'all' }],
          pricing_options: [cpm(id === 'x1' ? 4 : 8)],
        });
      const held = answersLater(ada, {
        products: [
          network('x1', 'one.example', 'Three.example'),
          network('x2', 'one.example', 'two.example'),
          productAt('two.example', 'x3', { pricing_options: [{ ...cpm(9), pricing_model: 'cpc' }] }),
        ],
      });
      const discoveryId = await begin();
      held.open();
      const found = async (query: string) => {
        const data = done(await browse(discoveryId, `?waitSeconds=30&waitMode=long&${query}`));
        const ids = data.productGroups.flatMap(({ products }: { products: { productId: string }[] }) =>
          products.map(({ productId }) => productId),
        );
        const { totalProducts, priceRange } = data.summary;
        return { ids, totalProducts, avg: priceRange?.avg };
      };

      expect(await found('publisherDomain=three.example')).toEqual({ ids: ['x1'], totalProducts: 1, avg: 4 });
      expect(await found('publisherDomain=two')).toEqual({ ids: ['x2', 'x3'], totalProducts: 2, avg: 8 });
      expect(await found('publisherDomain=one')).toEqual({ ids: ['x1', 'x2'], totalProducts: 2, avg: 6 });
      expect((await found('publisherDomain=two&pricingModel=cpm')).ids).toEqual(['x2']);
      expect((await found('publisherDomain=three&pricingModel=cpc')).ids).toEqual([]);
      const { productGroups } = done(await browse(discoveryId, '?publisherDomain=three'));
      expect(productGroups[0]).toMatchObject({ totalProducts: 1, hasMoreProducts: false });
      expect(productGroups[0].products[0].publisherProperties).toEqual([
        { publisherDomain: 'one.example', selectionType: 'all' },
        { publisherDomain: 'Three.example', selectionType: 'all' },
      ]);
    });

    test('narrows by a part of a domain or of a name, and by nothing with an empty list', async () => {
      const discoveryId = await twoLandings();

      expect(await groupsOf(discoveryId, '?publisherDomain=sub')).toEqual(['sub.one.example']);
      expect(await groupsOf(discoveryId, '?storefrontNames=be')).toEqual(['sub.one.example']);
      expect(await groupsOf(discoveryId, '?storefrontNames=&storefrontIds=')).toHaveLength(3);
    });

    test('narrows to storefronts by name, in any case, beside those by id', async () => {
      const discoveryId = await twoLandings();

      expect(await groupsOf(discoveryId, '?storefrontNames=BEA')).toEqual(['sub.one.example']);
      expect(await groupsOf(discoveryId, '?storefrontNames=Bea,Ada')).toHaveLength(3);
      expect(
        await groupsOf(discoveryId, `?storefrontNames=Bea&storefrontIds=${ada.storefrontId}`),
      ).toHaveLength(3);
      expect(done(await browse(discoveryId, '?storefrontNames=Cleo'))).toMatchObject({
        productGroups: [],
        totalGroups: 0,
        summary: { totalProducts: 0 },
      });
    });

    test('says which storefronts of a filter its session does not have', async () => {
      const discoveryId = await twoLandings();
      const guidanceOf = async (query: string) => done(await browse(discoveryId, query)).guidance;

      expect(await guidanceOf('?storefrontNames=Ada,Cleo')).toBe(
        'This session has no storefront for storefrontNames.1: leave out what it did not ask.',
      );
      expect(await guidanceOf(`?storefrontIds=${ada.storefrontId},999999&storefrontNames=Cleo`)).toBe(
        'This session has no storefront for storefrontIds.1, storefrontNames.0: leave out what it did not ask.',
      );
      expect(
        await guidanceOf(`?storefrontIds=${ada.storefrontId}&storefrontNames=be&pricingModel=time`),
      ).toBeUndefined();
    });

    test('notes the sellers of which its own filters leave nothing, a page of them', async () => {
      const discoveryId = await twoLandings();
      const notesOf = async (query: string) => done(await browse(discoveryId, query)).sellerNotes;
      const note = ({ name, agentId, storefrontId }: FarSeller, reason: string, filters = reason) => ({
        ...{ agentId, storefrontId, storefrontName: name, reason },
        message: `Its products do not pass ${filters} of this call.`,
      });
      const both = 'publisherDomain and pricingModel';

      expect(await notesOf('?publisherDomain=two.example')).toEqual([note(bea, 'publisherDomain')]);
      expect(await notesOf('?publisherDomain=one.example&sinceRevision=2')).toBeUndefined();
      expect(await notesOf('?pricingModel=cpc')).toEqual([
        note(ada, 'pricingModel'),
        note(bea, 'pricingModel'),
      ]);
      expect(await notesOf('?pricingModel=cpc&agentOffset=1')).toEqual([note(bea, 'pricingModel')]);
      expect(
        await notesOf(`?pricingModel=cpc&publisherDomain=two&storefrontIds=${ada.storefrontId}`),
      ).toEqual([note(ada, 'publisherDomain', both)]);
      expect(await notesOf(`?storefrontIds=${ada.storefrontId}`)).toBeUndefined();
    });

    test('narrows to a pricing model, and counts products, publishers and prices anew', async () => {
      const sold = (model: string, price: number) => ({
        pricing_options: [
          { pricing_option_id: 'p', pricing_model: model, currency: 'USD', fixed_price: price },
        ],
      });
      ada.agent.on('get_products', () => ({
        products: [
          productAt('one.example', 'a1', sold('cpm', 10)),
          productAt('one.example', 'a2', sold('cpc', 1)),
          productAt('two.example', 'a3', sold('cpc', 2)),
          productAt('three.example', 'a4', sold('cpm', 30)),
        ],
      }));
      const discoveryId = await begin();
      await (await readEvents(server, buyer, { discoveryId })).rest();

      const narrowed = done(await browse(discoveryId, '?pricingModel=cpm'));
      expect(narrowed).toMatchObject({
        productGroups: [
          { groupName: 'one.example', products: [{ productId: 'a1' }], productCount: 1, totalProducts: 1 },
          { groupName: 'three.example', products: [{ productId: 'a4' }], productCount: 1, totalProducts: 1 },
        ],
        totalGroups: 2,
        hasMoreGroups: false,
        summary: {
          totalProducts: 2,
          publishersCount: 2,
          priceRange: { min: 10, max: 30, avg: 20, currency: 'USD' },
        },
      });
      const second = done(await browse(discoveryId, '?pricingModel=cpm&groupOffset=1&groupLimit=1'));
      expect(second).toMatchObject({ productGroups: [narrowed.productGroups[1]], totalGroups: 2 });
      expect(done(await browse(discoveryId, '?pricingModel=cpm&groupLimit=1')).hasMoreGroups).toBe(true);
      const none = done(await browse(discoveryId, '?pricingModel=time'));
      expect(none).toMatchObject({ productGroups: [], totalGroups: 0, summary: { totalProducts: 0 } });
      expect(none.summary.priceRange).toBeUndefined();
    });

    test('narrows to a pricing model through more groups than it looks into at once', async () => {
      ada.agent.on('get_products', () => ({
        products: Array.from({ length: 250 }, (_, index) => productAt(`p${index}.example`, `a${index}`)),
      }));
      const discoveryId = await begin();
      await (await readEvents(server, buyer, { discoveryId })).rest();

      const last = done(await browse(discoveryId, '?pricingModel=cpm&groupOffset=248'));

      expect(last).toMatchObject({ totalGroups: 250, hasMoreGroups: false, summary: { totalProducts: 250 } });
      expect(last.productGroups.map(({ groupName }: { groupName: string }) => groupName)).toEqual([
        'p248.example',
        'p249.example',
      ]);
    });

    test('pages over groups, and a page beyond the end is empty', async () => {
      const discoveryId = await twoLandings();

      const page = done(await browse(discoveryId, '?groupLimit=2&groupOffset=2'));
      expect(page).toMatchObject({ totalGroups: 3, hasMoreGroups: false });
      expect(page.productGroups).toHaveLength(1);
      const beyond = done(await browse(discoveryId, '?groupOffset=3&productOffset=1000'));
      expect(beyond).toMatchObject({ productGroups: [], totalGroups: 3, hasMoreGroups: false });
    });

    test('tells with debug what each seller did', async () => {
      const discoveryId = await twoLandings();

      expect(done(await browse(discoveryId)).agentResults).toBeUndefined();
      expect(done(await browse(discoveryId, '?debug=true')).agentResults).toMatchObject([
        { agentId: ada.agentId, agentName: 'Agent', success: true, productCount: 2, invalidProducts: 0 },
        { agentId: bea.agentId, agentName: 'Agent', success: true, productCount: 1, invalidProducts: 0 },
      ]);
    });
  });

  describe('400', () => {
    test.each<[string, string, string | RegExp]>([
      ['sinceRevision', '?sinceRevision=-1', '0 at the least.'],
      ['sinceRevision', '?sinceRevision=two', 'Give a number.'],
      ['groupLimit', '?groupLimit=11', '10 at the most.'],
      ['groupLimit', '?groupLimit=0', '1 at the least.'],
      ['productsPerGroup', '?productsPerGroup=16', '15 at the most.'],
      ['productOffset', '?productOffset=1001', '1000 at the most.'],
      [
        'pricingModel',
        '?pricingModel=barter',
        'Give one of: cpm, vcpm, cpc, cpcv, cpv, cpp, cpa, flat_rate, time.',
      ],
      ['since', '?since=1', /^Unknown field\. Known here: discoveryId, sinceRevision, .*, debug\.$/],
      ['debug', '?debug=perhaps', 'Give true or false.'],
    ])('VALIDATION_ERROR names %s for %s', async (field, query, words) => {
      const discoveryId = await twoLandings();

      expectRefusal(await browse(discoveryId, query), 400, {
        code: 'VALIDATION_ERROR',
        at: { [field]: words },
      });
    });
  });
});
