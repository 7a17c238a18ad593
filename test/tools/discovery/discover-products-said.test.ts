import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const image = { asset_type: 'image', url: 'https://far.example/a.png', width: 300, height: 400 };
const forecast = {
  method: 'estimate',
  currency: 'USD',
  points: [{ budget: 100, metrics: { impressions: { mid: 9 } } }],
};

/** A product that says all that one can say. */
const said = {
  inventory_type: 'premium',
  expires_at: '2026-12-24T12:00:00+02:00',
  format_options: [
    {
      format_kind: 'video_hosted',
      format_option_id: 'pre-roll',
      display_name: 'Pre-roll',
      params: { containers: ['mp4'], video_codecs: ['h264'], audio_codecs: ['aac'], max_width: 1 },
    },
    { format_kind: 'image_static' },
    { format_kind: 'video_hosted' },
  ],
  product_card: {
    title: 'Mornings',
    description: 'Before nine.',
    price_label: 'From 5',
    cta_label: 'Book',
    image,
  },
  product_card_detailed: {
    title: 'Mornings at length',
    hero_image: { ...image, format: 'png', alt_text: 'A cup' },
    carousel_images: [image, { url: 'no address' }],
    specifications: [{ label: 'Reach', value: '2 million' }, { label: 'Empty' }],
  },
  forecast,
  publisher_properties: [
    {
      publisher_domain: 'far.example',
      selection_type: 'by_id',
      property_type: 'website',
      name: 'Far News',
      identifiers: [{ type: 'domain', value: 'news.far.example' }, { type: 'domain' }],
    },
  ],
  pricing_options: [
    {
      pricing_option_id: 'bid',
      pricing_model: 'cpm',
      currency: 'USD',
      floor_price: 2,
      price_guidance: { p25: 3, p50: 4, p75: 5, p90: 8, p99: 9 },
    },
  ],
};

describe('discover_products shows of a product', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const request = () => ({ advertiserId, waitSeconds: 30, storefrontIds: [far.storefrontId] });
  const shown = async (fields: object, beside: object = {}) => {
    far.agent.on('get_products', () => ({ products: [adcpProduct('far-1', fields)], ...beside }));
    const data = done(await buyer.post('/buyer/discovery/discover-products', request()));
    expect(data.summary.totalProducts).toBe(1);
    return { ...data.productGroups[0].products[0], discoveryId: data.discoveryId };
  };

  test('whatever its seller says of it', async () => {
    expect(await shown(said, { cache_scope: 'account' })).toMatchObject({
      inventoryType: 'premium',
      expiresAt: '2026-12-24T10:00:00.000Z',
      pricingScope: 'account',
      bookability: 'bookable',
      formatTypes: ['video_hosted', 'image_static'],
      formatOptions: [
        {
          format_kind: 'video_hosted',
          format_option_id: 'pre-roll',
          display_name: 'Pre-roll',
          params: { containers: ['mp4'], video_codecs: ['h264'], audio_codecs: ['aac'] },
        },
        { format_kind: 'image_static' },
        { format_kind: 'video_hosted' },
      ],
      productCard: said.product_card,
      productCardDetailed: {
        title: 'Mornings at length',
        hero_image: { ...image, format: 'png', alt_text: 'A cup' },
        carousel_images: [image],
        specifications: [{ label: 'Reach', value: '2 million' }],
      },
      forecast,
      publisherProperties: [
        {
          publisherDomain: 'far.example',
          selectionType: 'by_id',
          propertyType: 'website',
          name: 'Far News',
          identifiers: [{ type: 'domain', value: 'news.far.example' }],
        },
      ],
      pricingOptions: [
        { pricingOptionId: 'bid', isFixed: false, priceGuidance: { p25: 3, p50: 4, p75: 5, p90: 8 } },
      ],
    });
  });

  test('the card of AdCP 3.0, which is a format and what fills it', async () => {
    const manifest = { headline: { content: 'Mornings' } };
    const product_card = { format_id: { agent_url: 'https://creative.example', id: 'card' }, manifest };

    expect((await shown({ product_card })).productCard).toEqual({
      formatId: { agentUrl: 'https://creative.example', id: 'card' },
      manifest,
    });
  });

  test('nothing of what cannot be read, and the product all the same', async () => {
    const product = await shown(
      {
        inventory_type: { of: 'objects' },
        expires_at: 'soon',
        format_options: 'all',
        product_card: { image: { url: 'javascript:alert(1)', width: 1, height: 1 } },
        product_card_detailed: ['none'],
        forecast: { points: 'x'.repeat(9_000) },
        pricing_options: [
          {
            pricing_option_id: 'bid',
            pricing_model: 'cpm',
            currency: 'USD',
            price_guidance: { p50: 'dear' },
          },
        ],
      },
      { cache_scope: 'everybody' },
    );

    for (const field of ['inventoryType', 'expiresAt', 'pricingScope', 'formatTypes', 'formatOptions']) {
      expect(product).not.toHaveProperty(field);
    }
    for (const field of ['productCard', 'productCardDetailed', 'forecast']) {
      expect(product).not.toHaveProperty(field);
    }
    expect(product.pricingOptions[0]).not.toHaveProperty('priceGuidance');
  });

  test('that it cannot be chosen, where it is sold in other currencies', async () => {
    const pricing_options = [
      { pricing_option_id: 'eur', pricing_model: 'cpm', currency: 'EUR', fixed_price: 5 },
    ];

    expect(await shown({ pricing_options })).toMatchObject({
      bookability: 'not_bookable',
      notBuyable: 'Sold in EUR; the advertiser pays in USD.',
    });
  });

  test('the same by itself, and in the long form over MCP, and little in the short one', async () => {
    const { discoveryId } = await shown(said);
    const path = `/buyer/discovery/${discoveryId}/products/far-1/details`;
    const over = async (fields: object) => {
      const call = { name: 'browse_products', arguments: { discoveryId, ...fields } };
      const { structuredContent } = await callTool(server, buyer, call);
      return structuredContent.productGroups[0].products[0];
    };

    expect(done(await buyer.get(path))).toMatchObject({ forecast, inventoryType: 'premium' });
    expect(await over({ detail: 'full' })).toMatchObject({ forecast, inventoryType: 'premium' });
    const short = await over({});
    expect(short.pricingOptions[0].priceGuidance).toEqual({ p25: 3, p50: 4, p75: 5, p90: 8 });
    for (const field of ['forecast', 'productCard', 'formatOptions', 'publisherProperties']) {
      expect(short).not.toHaveProperty(field);
    }
  });
});
