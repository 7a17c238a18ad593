import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { once } from '../../tools/core/once.ts';
import { casesAmong } from '../support/run/effort.ts';
import { discover, productIdsIn } from '../support/sellers/discovery.ts';
import { done } from '../support/sellers/market.ts';
import { type RawMarket, rawMarket } from '../support/sellers/raw-market.ts';
import type { Era } from '../support/sellers/raw-seller.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';

type Fields = Readonly<Record<string, unknown>>;

const fields = (length: number, value: unknown, name = 'f') =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`${name}${at}`, value]));
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

/** What nobody reads, of two sizes: one that is read at once, below 65,536 bytes, and one that is not. */
const TOO_MUCH: Readonly<Record<string, readonly [small: () => Fields, large: () => Fields]>> = {
  'plain values in one object': [() => fields(4_000, 1), () => fields(30_000, 1)],
  'texts in one object': [() => fields(600, 'x'.repeat(90)), () => fields(600, 'x'.repeat(1_900))],
  'objects in one object': [() => fields(4_000, {}), () => fields(30_000, {})],
  'objects of the names that are read': [
    () => ({ result: { data: fields(4_000, 1) }, data: {} }),
    () => ({ result: { data: fields(30_000, 1) }, data: fields(30_000, 1) }),
  ],
  'names that are long': [() => fields(5, 1, 'x'.repeat(10_000)), () => fields(12, 1, 'x'.repeat(100_000))],
  'levels within levels': [
    () => ({ ext: nested(500) }),
    () => ({ ext: nested(2_000), filler: 'x'.repeat(70_000) }),
  ],
  'names of the protocol of JavaScript': [
    () =>
      JSON.parse(`{"__proto__":{"media_buy_id":"other"},"constructor":1,"filler":"${'x'.repeat(1_000)}"}`),
    () =>
      JSON.parse(`{"__proto__":{"media_buy_id":"other"},"constructor":1,"filler":"${'x'.repeat(90_000)}"}`),
  ],
};

/** Where it stands: before what counts and after it, in each object of an answer. */
const PLACES: Readonly<Record<string, (much: Fields, counts: Fields) => Fields>> = {
  'before what counts': (much, counts) => ({ ...much, ...counts }),
  'after what counts': (much, counts) => ({ ...counts, ...much }),
};

const cases = Object.entries(TOO_MUCH).flatMap(([what, sizes], kind) =>
  sizes.flatMap((made, large) => {
    const size = ['small', 'large'][large];
    const much = once(made);
    return Object.entries(PLACES).map(([where, placed], place) => {
      const ways = kind + large + place;
      return { what, size, where, much, placed, ways };
    });
  }),
);

/** Any three of what, size, place and era meet once in half of all cases. */
const casesFor = (era: Era) => casesAmong(cases, ({ ways }) => (ways + Number(era === 'newer')) % 2 === 0);

const FIGURES = { impressions: 1_000, spend: 5, clicks: 7 };
const NAMES = [
  'get_products',
  'create_media_buy',
  'update_media_buy',
  'get_media_buys',
  'get_media_buy_delivery',
];

describe.each<Era>(['older', 'newer'])('a seller of the %s era', (era) => {
  let market: RawMarket;
  let answers: Readonly<Record<string, () => object>>;
  beforeAll(async () => {
    market = await rawMarket(era, NAMES);
    answers = { get_products: () => ({ structuredContent: { products: [adcpProduct('far-1')] } }) };
    market.answersBy((tool) => answers[tool]?.() ?? {});
  });
  afterAll(() => market.stop());

  test.each(casesFor(era))(
    'that says too much, $what $where ($size), sold what it sold',
    async ({ much, placed }) => {
      const with_ = (counts: Fields) => placed(much(), counts);
      const entry = (more: Fields = {}) => with_({ media_buy_id: 'far_1', status: 'active', ...more });
      answers = {
        get_products: () => ({ structuredContent: with_({ products: [with_(adcpProduct('far-1'))] }) }),
        create_media_buy: () => ({
          structuredContent: entry({ packages: [with_({ package_id: 'pkg_1', product_id: 'far-1' })] }),
        }),
        update_media_buy: () => ({ structuredContent: { ...entry(), status: 'paused' } }),
        get_media_buys: () => ({ structuredContent: with_({ media_buys: [entry()] }) }),
        get_media_buy_delivery: () => ({
          structuredContent: with_({ media_buy_deliveries: [entry({ totals: with_(FIGURES) })] }),
        }),
      };

      const { campaignId, result, mediaBuyId } = await market.buy();
      const news = done(await market.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`))
        .media_buys[0];
      const { mediaBuy } = done(await market.buyer.get(`/buyer/media-buys/${mediaBuyId}`));
      const packages = done(await market.buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
      const paused = done(await market.buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`));

      expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1, newStatus: 'ACTIVE' });
      expect(news).toMatchObject({ status_refresh_source: 'direct_agent', adcp_status: 'active' });
      expect(mediaBuy).toMatchObject({ adcpMediaBuyId: 'far_1', performance: FIGURES });
      expect(JSON.stringify(packages)).toContain('pkg_1');
      expect(paused).toMatchObject({ success: true });
    },
  );

  test('that tells of as many packages as are looked at, each with much, is understood in all of them', async () => {
    const packages = Array.from({ length: 300 }, (_, at) => ({
      ...fields(150, at),
      package_id: `pkg_${at}`,
    }));
    const order = { packages, media_buy_id: 'far_1', status: 'active' };
    answers = { ...answers, create_media_buy: () => ({ structuredContent: order }) };

    const { mediaBuyId } = await market.buy();

    const { mediaBuy } = done(await market.buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    // 62 are kept of one that was ordered: the rest is counted, as many as there were.
    expect(mediaBuy.sourceMessage).toContain('238 packages more');
  });

  const text = (value: unknown) => ({
    type: 'text',
    text: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const BUY = { media_buy_id: 'far_1', status: 'active' };
  test.each<[string, () => object]>([
    [
      'in the last of 5,000 texts',
      () => ({ content: [...Array.from({ length: 5_000 }, () => text('On.')), text(BUY)] }),
    ],
    [
      'in the last of 500 short texts',
      () => ({ content: [...Array.from({ length: 500 }, () => text('On.')), text(BUY)] }),
    ],
    [
      'in the last of 300 large texts that are JSON',
      () => ({ content: [...Array.from({ length: 300 }, () => text(fields(500, 1))), text(BUY)] }),
    ],
    [
      'in a text behind one that is as large as may be',
      () => ({ content: [text(fields(30_000, 1)), text(fields(30_000, {})), text(BUY)] }),
    ],
    [
      'as a large JSON text in the result of a result',
      () => ({
        structuredContent: { result: { result: JSON.stringify({ filler: fields(3_000, 'word'), ...BUY }) } },
      }),
    ],
    [
      'beside a result that says much',
      () => ({ ...fields(30_000, 1), structuredContent: BUY, content: [], isError: false }),
    ],
  ])('names a media buy %s', async (_where, call) => {
    answers = { ...answers, create_media_buy: call };

    const { result, mediaBuyId } = await market.buy();
    const { mediaBuy } = done(await market.buyer.get(`/buyer/media-buys/${mediaBuyId}`));

    expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(mediaBuy).toMatchObject({ status: 'ACTIVE', adcpMediaBuyId: 'far_1' });
  });

  test('that says too much in a product sells it', async () => {
    const products = [
      { ...fields(3_000, 1), ...adcpProduct('much-1') },
      { ...fields(3_000, {}), ...adcpProduct('much-2') },
    ];
    answers = { ...answers, get_products: () => ({ structuredContent: { ...fields(30_000, 1), products } }) };

    const sold = productIdsIn(await discover(market.buyer, market.advertiserId, [market.storefrontId]));

    expect(sold.sort()).toEqual(['much-1', 'much-2']);
  });
});
