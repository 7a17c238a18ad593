import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done } from '../support/sellers/market.ts';
import { type RawMarket, rawMarket } from '../support/sellers/raw-market.ts';
import { RpcError } from '../support/sellers/raw-seller.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';

const TOOLS = ['get_products', 'create_media_buy', 'get_media_buys'];
const REFUSAL = { code: 'POLICY_VIOLATION', message: 'Not beside the news.' };

/** An error of JSON-RPC tells of itself alone, unless one of AdCP stands in its data. */
describe.each(['older', 'newer'] as const)('an error of JSON-RPC of a seller of the %s era', (era) => {
  let market: RawMarket;
  beforeAll(async () => {
    market = await rawMarket(era, TOOLS);
  });
  afterAll(() => market.stop());

  async function orderedWith(data: unknown) {
    market.answersBy((tool) =>
      tool === 'get_products'
        ? { structuredContent: { products: [adcpProduct('far-1')] } }
        : new RpcError({ code: -32_000, message: 'Failed.', data }),
    );
    const { campaignId, result } = await market.buy();
    const { campaign } = done(await market.buyer.get(`/buyer/campaigns/${campaignId}`));
    return { result, buy: campaign.mediaBuys[0] };
  }

  test.each([
    ['in `adcp_error`', { adcp_error: REFUSAL }],
    ['in `errors`', { errors: [REFUSAL] }],
    ['alone', REFUSAL],
    ['in `error`', { error: REFUSAL }],
  ])('is a refusal of the order with one of AdCP %s of its data', async (_where, data) => {
    const { result, buy } = await orderedWith(data);

    expect(result.errors[0].message).toBe('POLICY_VIOLATION: Not beside the news.');
    expect(buy).toMatchObject({ status: 'FAILED', errorCode: 'source_rejected' });
  });

  test.each([
    ['nothing', undefined],
    ['words', 'It broke.'],
    ['another error', { code: 'INTERNAL', message: 'It broke.' }],
  ])('says nothing of the order with %s as its data', async (_what, data) => {
    const { buy } = await orderedWith(data);

    expect(buy).toMatchObject({ pendingAt: 'unknown', errorCode: 'source_unavailable' });
  });
});
