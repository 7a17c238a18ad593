import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresTargeting, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Hours, keywords, places around points and areas that are left out: only for sellers that declare them. */
describe('targeting that a seller has to declare', () => {
  let server: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await declaring(everything);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  const session = async (storefrontId = ada.storefrontId): Promise<string> =>
    done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        storefrontIds: [storefrontId],
        waitSeconds: 30,
      }),
    ).discoveryId;
  const add = (id: string, targetingOverlay: object, productId = 'anywhere') =>
    buyer.post(`/buyer/discovery/${id}/products`, {
      products: [{ productId, budget: 100, targetingOverlay }],
    });
  const declaring = async (targeting: object): Promise<FarSeller> => {
    const seller = await farSeller(server, 'Bea', [productAt('one.example', 'anywhere')]);
    declaresTargeting(seller, targeting);
    return seller;
  };

  const ring = [
    [13.3, 52.4],
    [13.5, 52.4],
    [13.5, 52.6],
    [13.3, 52.4],
  ];
  const overlay = {
    daypart_targets: [{ days: ['monday', 'friday'], start_hour: 6, end_hour: 10, label: 'Breakfast' }],
    keyword_targets: [
      { keyword: 'winter boots', match_type: 'exact', bid_price: 1.5 },
      { keyword: 'winter boots', match_type: 'phrase' },
    ],
    negative_keywords: [{ keyword: 'free', match_type: 'broad' }],
    geo_proximity: [
      { lat: 52.5, lng: 13.4, radius: { value: 5, unit: 'km' }, label: 'Shop' },
      { lat: 52.5, lng: 13.4, travel_time: { value: 20, unit: 'min' }, transport_mode: 'walking' },
      { geometry: { type: 'Polygon', coordinates: [ring] } },
    ],
    geo_metros_exclude: [{ system: 'nielsen_dma', values: ['501'] }],
    geo_postal_areas_exclude: [{ system: 'us_zip', values: ['10001'] }],
  };
  const everything = {
    daypart_targets: true,
    keyword_targets: { supported_match_types: ['exact', 'phrase'] },
    negative_keywords: { supported_match_types: ['broad'] },
    geo_proximity: { radius: true, travel_time: true, geometry: true, transport_modes: ['walking'] },
    geo_metros: { nielsen_dma: true },
    geo_postal_areas: { us_zip: true },
  };

  test('is kept, shown, and reaches the package of the order as it was given', async () => {
    const id = await session();

    const chosen = done(await add(id, overlay));
    const listed = done(await buyer.get(`/buyer/discovery/${id}/products`));
    const { campaignId } = done(
      await buyer.post('/buyer/campaigns', {
        ...{ advertiserId, name: 'Winter', flightDates, budget: { total: 100 }, discoveryId: id },
        constraints: { geo_metros_exclude: [{ system: 'nielsen_dma', values: ['803'] }] },
      }),
    ).campaign;
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    expect(chosen.products[0].targetingOverlay).toEqual(overlay);
    expect(listed.products[0].targetingOverlay).toEqual(overlay);
    const { args } = ada.agent.calls.findLast(({ tool }) => tool === 'create_media_buy') ?? {};
    expect(args?.['packages']).toMatchObject([
      {
        targeting_overlay: {
          ...overlay,
          geo_metros_exclude: [
            { system: 'nielsen_dma', values: ['803'] },
            { system: 'nielsen_dma', values: ['501'] },
          ],
        },
      },
    ]);
  });

  test('is refused upfront by a seller that declares none of it, each field with its place', async () => {
    for (const declared of [{}, { geo_countries: true }]) {
      const seller = await declaring(declared);
      const id = await session(seller.storefrontId);
      const reply = await add(id, overlay);
      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'products.0.targetingOverlay.geo_metros_exclude':
            'The seller declares no targeting by geo_metros_exclude (nielsen_dma).',
          'products.0.targetingOverlay.geo_postal_areas_exclude':
            'The seller declares no targeting by geo_postal_areas_exclude (us_zip).',
          'products.0.targetingOverlay.daypart_targets':
            'The seller declares no targeting by daypart_targets.',
          'products.0.targetingOverlay.geo_proximity':
            'The seller declares no targeting by geo_proximity (radius).',
          'products.0.targetingOverlay.keyword_targets':
            'The seller declares no targeting by keyword_targets (exact).',
          'products.0.targetingOverlay.negative_keywords':
            'The seller declares no targeting by negative_keywords (broad).',
        },
      });
      expect(done(await buyer.get(`/buyer/discovery/${id}/products`)).totalProducts).toBe(0);
      await seller.agent.stop();
    }
  });

  test.each([
    ['hours', { daypart_targets: false }, 'daypart_targets'],
    [
      'a way to match keywords',
      { keyword_targets: { supported_match_types: ['exact'] } },
      'keyword_targets (phrase)',
    ],
    [
      'a way to match what is left out',
      { negative_keywords: { supported_match_types: ['exact'] } },
      'negative_keywords (broad)',
    ],
    ['shapes', { geo_proximity: { radius: true, travel_time: true } }, 'geo_proximity (geometry)'],
    [
      'a way to travel',
      {
        geo_proximity: { radius: true, travel_time: true, geometry: true, transport_modes: ['driving'] },
      },
      'geo_proximity (walking)',
    ],
    ['metro areas of a system', { geo_metros: { uk_itl1: true } }, 'geo_metros_exclude (nielsen_dma)'],
    ['postal areas of a system', { geo_postal_areas: { de_plz: true } }, 'geo_postal_areas_exclude (us_zip)'],
  ])('is refused where the seller leaves out %s, and that alone is named', async (_, declared, word) => {
    const seller = await declaring({ ...everything, ...declared });
    const reply = await add(await session(seller.storefrontId), overlay);
    await seller.agent.stop();
    const [field] = word.split(' ');
    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { [`products.0.targetingOverlay.${field}`]: `The seller declares no targeting by ${word}.` },
      details: { unsupported: [{ salesAgentId: seller.agentId }] },
    });
  });

  test('is refused by an embedded seller, which knows none of it', async () => {
    const open = await openStorefront(await newPerson(server), { name: 'Corner' });
    const [productId = ''] = open.productIds;
    const reply = await add(
      await session(open.storefrontId),
      { daypart_targets: overlay.daypart_targets },
      productId,
    );
    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        'products.0.targetingOverlay.daypart_targets': 'The seller declares no targeting by daypart_targets.',
      },
    });
  });

  const point = { lat: 1, lng: 1 };
  test.each([
    [
      'hours that end before they begin',
      { daypart_targets: [{ days: ['monday'], start_hour: 22, end_hour: 6 }] },
      'daypart_targets.0.end_hour',
      'Must be after start_hour; what goes on after midnight is another window.',
    ],
    [
      'a day that is none',
      { daypart_targets: [{ days: ['mon'], start_hour: 6, end_hour: 22 }] },
      'daypart_targets.0.days.0',
      'Give one of: monday, tuesday, wednesday, thursday, friday, saturday, sunday.',
    ],
    [
      'a way to match that is none',
      { keyword_targets: [{ keyword: 'a', match_type: 'fuzzy' }] },
      'keyword_targets.0.match_type',
      'Give one of: broad, phrase, exact.',
    ],
    [
      'the same keyword twice',
      {
        negative_keywords: [
          { keyword: 'a', match_type: 'exact' },
          { keyword: 'A', match_type: 'exact' },
        ],
      },
      'negative_keywords',
      'Give each keyword once for each match_type.',
    ],
    [
      'a keyword in and out',
      {
        keyword_targets: [{ keyword: 'a', match_type: 'exact' }],
        negative_keywords: [{ keyword: 'a', match_type: 'exact' }],
      },
      'negative_keywords',
      'Given in keyword_targets as well: a (exact).',
    ],
    [
      'a point without a way around it',
      { geo_proximity: [point] },
      'geo_proximity.0.radius',
      'Required: give radius, travel_time or geometry.',
    ],
    [
      'a point that has no longitude',
      { geo_proximity: [{ lat: 1, radius: { value: 1, unit: 'km' } }] },
      'geo_proximity.0.lng',
      'Required with radius.',
    ],
    [
      'a time without a way to travel',
      { geo_proximity: [{ ...point, travel_time: { value: 5, unit: 'min' } }] },
      'geo_proximity.0.transport_mode',
      'Required with travel_time.',
    ],
    [
      'two ways at once',
      {
        geo_proximity: [
          {
            ...point,
            radius: { value: 1, unit: 'km' },
            geometry: { type: 'Polygon', coordinates: [ring] },
          },
        ],
      },
      'geo_proximity.0.geometry',
      'Give one of them: there is radius already.',
    ],
    [
      'a ring that is open',
      { geo_proximity: [{ geometry: { type: 'Polygon', coordinates: [[...ring.slice(0, 3), [0, 0]]] } }] },
      'geo_proximity.0.geometry.coordinates.0',
      'Must end with the corner that it begins with.',
    ],
    [
      'a metro area in and out',
      { geo_metros: overlay.geo_metros_exclude, geo_metros_exclude: overlay.geo_metros_exclude },
      'geo_metros_exclude',
      'Given in geo_metros as well: nielsen_dma 501.',
    ],
  ])('is refused at its place for %s, and nothing is chosen', async (...[, given, field, words]) => {
    const id = await session();
    const reply = await add(id, given);
    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { [`products.0.targetingOverlay.${field}`]: words },
    });
    expect(done(await buyer.get(`/buyer/discovery/${id}/products`)).totalProducts).toBe(0);
  });

  test('takes several shapes in one, and what extensions say, and hands both on', async () => {
    const far = [
      [20, 20],
      [21, 20],
      [21, 21],
      [20, 20],
    ];
    const geo_proximity = [
      { geometry: { type: 'MultiPolygon', coordinates: [[ring], [far]] } },
      { ...point, radius: { value: 1, unit: 'km' }, ext: { venue: { kind: 'mall' } } },
    ];

    const chosen = done(await add(await session(), { geo_proximity }));

    expect(chosen.products[0].targetingOverlay).toEqual({ geo_proximity });
  });

  const COORDINATES = 'products.0.targetingOverlay.geo_proximity.0.geometry.coordinates';
  const NO_CORNER = '2 entries at the least.';
  const NO_RING = '4 entries at the least. Must end with the corner that it begins with.';
  /** A list of corners where a list of rings is wanted: each corner is no ring, each number of it no corner. */
  const NO_RINGS = Object.fromEntries(
    ring.flatMap((_, at) => [
      [`.0.${at}`, NO_RING],
      [`.0.${at}.0`, NO_CORNER],
      [`.0.${at}.1`, NO_CORNER],
    ]),
  );

  test.each([
    ['a shape where several are said', { type: 'MultiPolygon', coordinates: [ring] }, NO_RINGS],
    [
      'several where one is said',
      { type: 'Polygon', coordinates: [[ring]] },
      { '.0.0': '2 entries at the most.' },
    ],
    [
      'shapes without end',
      { type: 'MultiPolygon', coordinates: Array.from({ length: 21 }, () => [ring]) },
      { '': '20 entries at the most.' },
    ],
    [
      'more corners than an order should carry',
      {
        type: 'MultiPolygon',
        coordinates: Array.from({ length: 6 }, () => [[...Array(399).fill([1, 1]), [1, 1]]]),
      },
      { '': '2000 corners at the most, of all shapes together.' },
    ],
  ])('is refused for %s', async (_, geometry, places) => {
    const reply = await add(await session(), { geo_proximity: [{ geometry }] });

    const at = Object.fromEntries(
      Object.entries(places).map(([path, words]) => [`${COORDINATES}${path}`, words]),
    );
    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at });
  });

  test('is refused for extensions that are too long', async () => {
    const place = { ...point, radius: { value: 1, unit: 'km' }, ext: { long: 'x'.repeat(2_000) } };

    expectRefusal(await add(await session(), { geo_proximity: [place] }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'products.0.targetingOverlay.geo_proximity.0.ext': '2000 characters of JSON at the most.' },
    });
  });
});
