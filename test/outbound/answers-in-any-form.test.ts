import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../support/sellers/discovery.ts';
import { done } from '../support/sellers/market.ts';
import { type RawMarket, rawMarket } from '../support/sellers/raw-market.ts';
import type { Era } from '../support/sellers/raw-seller.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';

type Form = (answer: Readonly<Record<string, unknown>>) => object;

const textBlock = (text: string) => ({ type: 'text', text });

/** How sellers give what a tool of theirs returned. */
const FORMS: Readonly<Record<string, Form>> = {
  'structured content': (answer) => ({ content: [], structuredContent: answer }),
  'structured content without any other': (answer) => ({ structuredContent: answer }),
  'structured content beside a block that is none': (answer) => ({
    content: [{ type: 'text' }, { type: 'none' }, null, 'x'],
    structuredContent: answer,
  }),
  'structured content as JSON in `result`': (answer) => {
    const text = JSON.stringify(answer);
    return { content: [textBlock(text)], structuredContent: { result: text } };
  },
  'structured content as JSON in `result` beside words': (answer) => ({
    content: [textBlock('Done.')],
    structuredContent: { result: JSON.stringify(answer) },
  }),
  'structured content in `result`': (answer) => ({ content: [], structuredContent: { result: answer } }),
  'structured content in `data`': (answer) => ({ content: [], structuredContent: { data: answer } }),
  'JSON in a text': (answer) => ({ content: [textBlock(JSON.stringify(answer))] }),
  'JSON in a text beside structured content that is null': (answer) => ({
    content: [textBlock(JSON.stringify(answer))],
    structuredContent: null,
  }),
  'JSON in a text beside structured content that says nothing': (answer) => ({
    content: [textBlock(JSON.stringify(answer))],
    structuredContent: { message: 'Done.' },
  }),
  'JSON in a text after another': (answer) => ({
    content: [textBlock('Done.'), textBlock(JSON.stringify(answer, null, 2))],
  }),
  'JSON in a text after another, marked as an error': (answer) => ({
    content: [textBlock('Done.'), textBlock(JSON.stringify(answer))],
    isError: true,
  }),
};

/** More than is read at once, 65,536 bytes, and more values than are taken of one answer. */
const many = (length: number, entry: (index: number) => object) =>
  Array.from({ length }, (_, index) => ({
    ...Object.fromEntries(Array.from({ length: 24 }, (_value, field) => [`f${field}`, field])),
    ...entry(index),
  }));

const PACKAGES = many(1_000, (index) => ({ package_id: `p${index}` }));
const OTHERS = many(2_000, (index) => ({ media_buy_id: `other_${index}`, status: 'active', packages: [] }));
const FIGURES = { impressions: 1_000, spend: 5, clicks: 7 };

/** What the seller answers: each list before the field that counts. */
const small: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  get_products: { products: [adcpProduct('far-1')] },
  create_media_buy: { packages: [], media_buy_id: 'far_1', status: 'active' },
  update_media_buy: { affected_packages: [], media_buy_id: 'far_1', status: 'paused' },
  get_media_buys: { media_buys: [{ media_buy_id: 'far_1', status: 'active' }] },
  get_media_buy_delivery: { media_buy_deliveries: [{ media_buy_id: 'far_1', totals: FIGURES }] },
};
const large: typeof small = {
  get_products: { ...small['get_products'], incomplete: PACKAGES, message: 'x'.repeat(70_000) },
  create_media_buy: { packages: PACKAGES, media_buy_id: 'far_1', status: 'active' },
  update_media_buy: { affected_packages: PACKAGES, media_buy_id: 'far_1', status: 'paused' },
  get_media_buys: {
    media_buys: [...OTHERS, { packages: PACKAGES, media_buy_id: 'far_1', status: 'active' }],
  },
  get_media_buy_delivery: {
    media_buy_deliveries: [...OTHERS, { by_package: PACKAGES, media_buy_id: 'far_1', totals: FIGURES }],
  },
};

/** Of the newer era those that the library for it would refuse or lose. */
const OF_NEWER = /^structured content( beside|$)|null|marked/;

const formsOf = (era: Era) =>
  Object.keys(FORMS)
    .filter((form) => era === 'older' || OF_NEWER.test(form))
    .flatMap((form) => [
      { form, size: 'small', answers: small },
      { form, size: 'large', answers: large },
    ]);

/** Answers; the list says of the buy what the last change made of it. */
function answerer(answers: typeof small) {
  let said = JSON.stringify(answers['get_media_buys']);
  return (tool: string) => {
    if (tool === 'update_media_buy') said = said.replaceAll('"active"', '"paused"');
    return tool === 'get_media_buys' ? JSON.parse(said) : (answers[tool] ?? {});
  };
}

describe.each<Era>(['older', 'newer'])('what a seller of the %s era answers', (era) => {
  let market: RawMarket;
  beforeAll(async () => {
    market = await rawMarket(era, Object.keys(small));
  });
  afterAll(() => market.stop());

  test.each(formsOf(era))(
    'is read as $form, $size: products, an order, a change, a list and a delivery',
    async ({ form, answers }) => {
      const given = answerer(answers);
      market.answersBy((tool) => FORMS[form]?.(given(tool)) ?? {});

      const { campaignId, result, mediaBuyId } = await market.buy();
      const news = done(await market.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`))
        .media_buys[0];
      const paused = done(await market.buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`));
      const { mediaBuy } = done(await market.buyer.get(`/buyer/media-buys/${mediaBuyId}`));

      expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1, newStatus: 'ACTIVE' });
      expect(news).toMatchObject({ status_refresh_source: 'direct_agent', adcp_status: 'active' });
      expect(paused).toMatchObject({ success: true, newStatus: 'PAUSED' });
      expect(mediaBuy).toMatchObject({ adcpMediaBuyId: 'far_1', performance: FIGURES });
    },
  );

  const INNER = { media_buy_id: 'far_1', status: 'active' };
  test.each([
    ['in `media_buy` of `data`', { data: { media_buy: INNER } }],
    ['in the result of a task in `result`', { result: { status: 'completed', result: INNER } }],
    ['as JSON in `data`', { data: JSON.stringify(INNER) }],
    ['as JSON in the result of a task', { status: 'completed', result: JSON.stringify(INNER) }],
  ])('names a media buy %s', async (_where, content) => {
    for (const filler of ['', 'x'.repeat(70_000)]) {
      market.answersBy((tool) => ({
        structuredContent: tool === 'create_media_buy' ? { filler, ...content } : small[tool],
      }));

      const { result, mediaBuyId } = await market.buy();
      const { mediaBuy } = done(await market.buyer.get(`/buyer/media-buys/${mediaBuyId}`));

      expect(result).toMatchObject({ success: true, mediaBuysExecuted: 1 });
      expect(mediaBuy).toMatchObject({ status: 'ACTIVE', adcpMediaBuyId: 'far_1' });
    }
  });

  const REFUSAL = { code: 'POLICY_VIOLATION', message: 'No.', recovery: 'terminal' };
  const refusals = [
    ['alone, marked as an error', { structuredContent: REFUSAL, isError: true }],
    ['alone, as a text', { content: [textBlock(JSON.stringify(REFUSAL))], isError: true }],
    ['in `error`, marked as an error', { structuredContent: { error: REFUSAL }, isError: true }],
    ['in `error` of what was no success', { structuredContent: { success: false, error: REFUSAL } }],
  ] as const;
  test.each(refusals)('refuses by an error %s', async (_where, answer) => {
    const refuses = (refused: string) =>
      market.answersBy((tool) => (tool === refused ? answer : { structuredContent: small[tool] }));
    refuses('create_media_buy');
    const { result } = await market.buy();
    refuses('update_media_buy');
    const { mediaBuyId } = await market.buy();
    const paused = await market.buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`);
    refuses('get_products');
    const { incompleteAgents } = await discover(market.buyer, market.advertiserId, [market.storefrontId]);

    expect(result.mediaBuys[0]).not.toHaveProperty('unresolved');
    expect(result.errors[0].message).toBe('POLICY_VIOLATION: No.');
    expect(JSON.stringify(paused.body)).toContain('POLICY_VIOLATION: No.');
    expect(incompleteAgents).toMatchObject([{ reason: 'error', message: 'POLICY_VIOLATION: No.' }]);
  });

  test.each([
    ['words in `error`', { error: 'The database is away.' }],
    ['an error within', { code: 'INTERNAL_ERROR', message: 'The database is away.' }],
    ['an error of another manner', { error: { code: -32_603, message: 'The database is away.' } }],
  ])('leaves open whether an order was taken by %s, and says what was said', async (_what, said) => {
    market.answersBy((tool) =>
      tool === 'create_media_buy'
        ? { structuredContent: said, isError: true }
        : { structuredContent: small[tool] },
    );

    const { result } = await market.buy();

    expect(result.mediaBuys[0]).toMatchObject({ unresolved: true });
    expect(result.errors[0].message).toBe(
      'The answer to the order names no media buy. The seller says: The database is away.',
    );
  });

  test('refuses as JSON in `result` of structured content', async () => {
    const refusal = JSON.stringify({ errors: [{ code: 'POLICY_VIOLATION', message: 'No.' }] });
    market.answersBy((tool) => ({
      structuredContent: tool === 'create_media_buy' ? { result: refusal } : small[tool],
    }));

    const { result } = await market.buy();

    expect(result.errors[0].message).toBe('POLICY_VIOLATION: No.');
  });
});
