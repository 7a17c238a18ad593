import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { declaresTargeting, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('the targeting overlay of a chosen product', () => {
  let server: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada', [
      productAt('one.example', 'anywhere'),
      productAt('one.example', 'american', { countries: ['US'] }),
    ]);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  const session = async (fields: object = {}): Promise<string> =>
    done(await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, ...fields }))
      .discoveryId;
  const add = (id: string, targetingOverlay: object, productId = 'anywhere') =>
    buyer.post(`/buyer/discovery/${id}/products`, {
      products: [{ productId, budget: 100, targetingOverlay }],
    });
  const draft = (discoveryId: string, constraints: object) =>
    buyer.post('/buyer/campaigns', {
      advertiserId,
      name: 'Winter',
      flightDates,
      budget: { total: 100 },
      discoveryId,
      constraints,
    });

  test('is kept, shown, and reaches the package of the order within what the campaign says', async () => {
    const id = await session();
    const overlay = {
      geo_countries: ['us', 'CA', 'US'],
      geo_regions_exclude: ['US-HI'],
      geo_metros: [{ system: 'nielsen_dma', values: ['501'] }],
      geo_postal_areas: [{ country: 'US', system: 'zip', values: ['10001'] }],
      language: ['EN'],
      device_type: ['mobile', 'tablet'],
      frequency_cap: { max_impressions: 3, per: 'devices', window: { interval: 1, unit: 'days' } },
    };
    const kept = {
      ...overlay,
      geo_countries: ['US', 'CA'],
      language: ['en'],
    };

    const chosen = done(await add(id, overlay));
    const listed = done(await buyer.get(`/buyer/discovery/${id}/products`));
    const { campaignId } = done(await draft(id, { geo_countries: ['US', 'MX'] })).campaign;
    const executed = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    expect(chosen.products[0].targetingOverlay).toEqual(kept);
    expect(listed.products[0].targetingOverlay).toEqual(kept);
    expect(executed).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    const { args } = ada.agent.calls.findLast(({ tool }) => tool === 'create_media_buy') ?? {};
    expect(args?.['packages']).toMatchObject([{ targeting_overlay: { geo_countries: ['US'] } }]);
    const [order] = (args?.['packages'] ?? []) as { targeting_overlay: object }[];
    expect(order?.targeting_overlay).toEqual({
      ...kept,
      geo_countries: ['US'],
      geo_postal_areas: [{ system: 'us_zip', values: ['10001'] }],
    });
  });

  test('is shown by the media buy that was made of it', async () => {
    const id = await session();
    await add(id, { device_type: ['ctv'] });
    const { campaignId } = done(await draft(id, {})).campaign;
    await buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));

    const call = { name: 'media_buy_get', arguments: { media_buy_id: campaign.mediaBuys[0].mediaBuyId } };
    const { structuredContent } = await callTool(server, buyer, call);

    expect(structuredContent.products).toMatchObject([{ targeting_overlay: { device_type: ['ctv'] } }]);
  });

  test('is gone when the product is chosen again without it, and the order has none', async () => {
    const id = await session();
    await add(id, { device_type: ['ctv'] });

    const products = [{ productId: 'anywhere', budget: 100 }];
    const again = done(await buyer.post(`/buyer/discovery/${id}/products`, { products }));
    const { campaignId } = done(await draft(id, {})).campaign;
    await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expect(again.products[0]).not.toHaveProperty('targetingOverlay');
    const { args } = ada.agent.calls.findLast(({ tool }) => tool === 'create_media_buy') ?? {};
    expect((args?.['packages'] as object[] | undefined)?.[0]).not.toHaveProperty('targeting_overlay');
  });

  test.each([
    [
      'a country that is none',
      { geo_countries: ['XX'] },
      'geo_countries.0',
      'Give a two-letter country code of ISO 3166, such as US.',
    ],
    [
      'a region that is none',
      { geo_regions: ['California'] },
      'geo_regions.0',
      'Give a region of ISO 3166-2, such as US-CA.',
    ],
    [
      'a system that is none',
      { geo_metros: [{ system: 'dma', values: ['1'] }] },
      'geo_metros.0.system',
      'Give one of: nielsen_dma, uk_itl1, uk_itl2, eurostat_nuts2, custom.',
    ],
    [
      'postal areas without their country',
      { geo_postal_areas: [{ system: 'zip', values: ['1'] }] },
      'geo_postal_areas.0.country',
      'Required: give the country that this system is of.',
    ],
    [
      'a cap without a window',
      { frequency_cap: { max_impressions: 1, per: 'devices' } },
      'frequency_cap.window',
      'Required with max_impressions.',
    ],
    ['an age for children', { age_restriction: { min: 3 } }, 'age_restriction.min', '13 at the least.'],
    [
      'a cap of nothing',
      { frequency_cap: {} },
      'frequency_cap.max_impressions',
      'Required: give it with per and window, or give suppress.',
    ],
    [
      'a device in and out',
      { device_type: ['ctv'], device_type_exclude: ['ctv'] },
      'device_type_exclude',
      'Given in device_type as well: ctv.',
    ],
    [
      'a country in and out',
      { geo_countries: ['US'], geo_countries_exclude: ['US'] },
      'geo_countries_exclude',
      'Given in geo_countries as well: US.',
    ],
  ])('is refused at its place for %s, and nothing is chosen', async (...[, overlay, field, words]) => {
    const id = await session();

    const reply = await add(id, overlay);

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { [`products.0.targetingOverlay.${field}`]: words },
    });
    expect(done(await buyer.get(`/buyer/discovery/${id}/products`)).products).toEqual([]);
  });

  test('is refused where the product does not run', async () => {
    const id = await session();
    const path = 'products.0.targetingOverlay';

    const country = await add(id, { geo_countries: ['DE'] }, 'american');
    const region = await add(id, { geo_regions: ['DE-BE'] }, 'american');

    expectRefusal(country, 400, {
      code: 'VALIDATION_ERROR',
      at: { [`${path}.geo_countries`]: 'Product american runs in US.' },
    });
    expectRefusal(region, 400, {
      code: 'VALIDATION_ERROR',
      at: { [`${path}.geo_regions`]: 'Product american runs in US.' },
    });
  });

  test('never leads a campaign out of its constraints, whichever of the two came first', async () => {
    const chosenFirst = await session();
    done(await add(chosenFirst, { geo_countries: ['CA'] }));
    const late = await draft(chosenFirst, { geo_countries: ['US'] });
    const draftFirst = await session();
    done(await draft(draftFirst, { geo_countries: ['US'] }));

    const country = await add(draftFirst, { geo_countries: ['CA'] });
    const region = await add(draftFirst, { geo_regions: ['CA-ON'] });

    expectRefusal(late, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'constraints.geo_countries':
          'The campaign stays in US. The targeting of Product anywhere goes beyond.',
      },
    });
    const path = 'products.0.targetingOverlay';
    expectRefusal(country, 400, {
      code: 'VALIDATION_ERROR',
      at: { [`${path}.geo_countries`]: 'The campaign stays in US.' },
    });
    expectRefusal(region, 400, {
      code: 'VALIDATION_ERROR',
      at: { [`${path}.geo_regions`]: 'The campaign stays in US.' },
    });
  });

  test('reaches the order with ages, pauses and what is left out', async () => {
    const id = await session();
    const overlay = {
      device_type_exclude: ['dooh'],
      age_restriction: { min: 18, verification_required: true },
      frequency_cap: { suppress: { interval: 1, unit: 'hours' } },
    };

    expect(done(await add(id, overlay)).products[0].targetingOverlay).toEqual(overlay);
    const { campaignId } = done(await draft(id, {})).campaign;
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    const { args } = ada.agent.calls.findLast(({ tool }) => tool === 'create_media_buy') ?? {};
    expect(args?.['packages']).toMatchObject([{ targeting_overlay: overlay }]);
  });

  test('is refused where the seller declares no such targeting, each with its place, and nothing is chosen', async () => {
    const bea = await farSeller(server, 'Bea', [productAt('two.example', 'plain')]);
    declaresTargeting(bea, { geo_countries: true, geo_regions: false });
    const id = await session({ storefrontIds: [bea.storefrontId] });

    const reply = await add(id, { geo_regions: ['US-CA'], age_restriction: { min: 18 } }, 'plain');
    const chosen = done(await buyer.get(`/buyer/discovery/${id}/products`)).totalProducts;
    const country = await add(id, { geo_countries: ['US'] }, 'plain');
    await bea.agent.stop();

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        'products.0.targetingOverlay.geo_regions': 'The seller declares no targeting by geo_regions.',
        'products.0.targetingOverlay.age_restriction': 'The seller declares no targeting by age_restriction.',
      },
    });
    const at = { productId: 'plain', salesAgentId: bea.agentId };
    expect(reply.body.error.details.unsupported).toEqual([
      {
        ...at,
        field: 'products.0.targetingOverlay.geo_regions',
        reason: 'The seller declares no targeting by geo_regions.',
      },
      {
        ...at,
        field: 'products.0.targetingOverlay.age_restriction',
        reason: 'The seller declares no targeting by age_restriction.',
      },
    ]);
    expect(chosen).toBe(0);
    expect(country.status).toBe(200);
  });

  test('stays 501 where it names audiences, signals and lists that the service does not know', async () => {
    const reply = await add(await session(), { audience_include: ['aud_1'] });

    expectRefusal(reply, 501, {
      code: 'NOT_IMPLEMENTED',
      at: { 'products.0.targetingOverlay.audience_include': 'Documented, and not built yet.' },
    });
  });

  test('reaches an embedded seller within the countries of its product', async () => {
    const open = await openStorefront(await newPerson(server), { name: 'Corner' });
    const id = await session({ storefrontIds: [open.storefrontId] });
    const [productId = ''] = open.productIds;

    expectRefusal(await add(id, { geo_countries: ['FR'] }, productId), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'products.0.targetingOverlay.geo_countries': 'Morning display runs in US.' },
    });
    done(await add(id, { geo_countries: ['US'], device_type: ['mobile'] }, productId));
    const { campaignId } = done(await draft(id, {})).campaign;

    expect(done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`))).toMatchObject({ success: true });
  });
});
