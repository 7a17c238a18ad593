import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { constraints } from '../../../tools/domain/campaigns/constraint-fields.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresTargeting, type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

interface Kept {
  readonly given: unknown;
  /** What the seller reads of it when it is asked for products. */
  readonly asked?: object;
  /** What it reads in the order, where it is not what was given; null where an order has no place for it. */
  readonly ordered?: unknown;
  /**
   * A product that cannot keep it, by what it says of itself, and what is said of it; none where products say nothing
   * of it.
   */
  readonly beyond?: { readonly product: object; readonly said: string };
}

const FRENCH = { countries: ['FR'] };
const places = (code: string) => ({
  product: FRENCH,
  said: `Product beyond runs in FR; the campaign stays in ${code}.`,
});
const dma = [{ system: 'nielsen_dma', values: ['501'] }];
const zips = [{ country: 'US', system: 'zip', values: ['90210'] }];
const zipsTold = [{ system: 'us_zip', values: ['90210'] }];
const target = (level: string, system?: string) => ({
  required_geo_targeting: [system === undefined ? { level } : { level, system }],
});

/** Every kind of constraint: what a seller is told of it, and which product is kept from it. */
const KINDS: Readonly<Record<keyof typeof constraints.shape, Kept>> = {
  channels: {
    given: ['ctv'],
    asked: { channels: ['ctv'] },
    ordered: null,
    beyond: { product: {}, said: 'Product beyond runs on display; the campaign stays on ctv.' },
  },
  geo_countries: { given: ['US'], asked: { countries: ['US'] }, beyond: places('US') },
  geo_countries_exclude: {
    given: ['FR'],
    beyond: {
      product: FRENCH,
      said: 'Product beyond runs in FR alone; the campaign stays out of there.',
    },
  },
  geo_regions: {
    given: ['US-CA'],
    asked: { countries: ['US'], ...target('region') },
    beyond: places('US'),
  },
  geo_regions_exclude: { given: ['US-CA'], asked: target('region') },
  geo_metros: {
    given: dma,
    asked: { countries: ['US'], ...target('metro', 'nielsen_dma') },
    beyond: places('US'),
  },
  geo_metros_exclude: { given: dma, asked: target('metro', 'nielsen_dma') },
  geo_postal_areas: {
    given: zips,
    asked: { countries: ['US'], ...target('postal_area', 'us_zip') },
    ordered: zipsTold,
    beyond: places('US'),
  },
  geo_postal_areas_exclude: {
    given: zips,
    asked: target('postal_area', 'us_zip'),
    ordered: zipsTold,
  },
  language: { given: ['en'] },
  device_platform: { given: ['ios'] },
  device_type: {
    given: ['mobile'],
    beyond: {
      product: { channels: ['ctv'] },
      said: 'Product beyond runs on ctv; the campaign stays on mobile.',
    },
  },
  device_type_exclude: {
    given: ['ctv'],
    beyond: {
      product: { channels: ['ctv'] },
      said: 'Product beyond runs on ctv alone; the campaign leaves that out.',
    },
  },
};
const kinds = Object.entries(KINDS);
const single = kinds.flatMap(([field, { beyond, given }]) =>
  beyond === undefined ? [] : [{ field, constraints: { [field]: given }, ...beyond }],
);
/** What no constraint says alone: areas of a country that is left out. */
const together = [
  {
    field: 'geo_regions',
    constraints: { geo_regions: ['FR-IDF', 'DE-BE'], geo_countries_exclude: ['FR'] },
    product: { countries: ['FR', 'US'] },
    said: 'Product beyond runs in FR, US; the campaign stays in DE.',
  },
];
const firm = [...single, ...together];

describe('a constraint of a campaign', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    const targeting = { geo_metros: { nielsen_dma: true }, geo_postal_areas: { us_zip: true } };
    declaresTargeting(far, targeting);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const sells = (...products: readonly object[]) => far.agent.on('get_products', () => ({ products }));
  const anywhere = adcpProduct('anywhere', { channels: ['display', 'ctv'] });
  const last = (tool: string) => far.agent.calls.findLast((call) => call.tool === tool)?.args ?? {};
  const draft = async (fields: object = {}): Promise<string> => {
    const all = { advertiserId, name: 'Winter', flightDates, budget: { total: 100 }, ...fields };
    return done(await buyer.post('/buyer/campaigns', all)).campaign.campaignId;
  };
  const discover = async (fields: object = {}) => {
    const asked = { advertiserId, storefrontIds: [far.storefrontId], waitSeconds: 30, debug: true };
    return done(await buyer.post('/buyer/discovery/discover-products', { ...asked, ...fields }));
  };
  const found = ({ productGroups }: { productGroups: { products: { productId: string }[] }[] }) =>
    productGroups.flatMap(({ products }) => products.map(({ productId }) => productId));
  const choose = (discoveryId: string, productId: string, fields: object = {}) =>
    buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [{ productId }], ...fields });
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);

  test.each(kinds)(
    '%s is told to sellers, when products are asked for and in the order',
    async (field, kind) => {
      const { given, asked, ordered = given } = kind;
      sells(anywhere);
      const campaignId = await draft({ constraints: { [field]: given } });
      const { discoveryId } = await discover({ campaignId });
      done(await choose(discoveryId, 'anywhere'));

      const said = done(await execute(campaignId));

      const {
        budget_range: _,
        start_date: __,
        end_date: ___,
        ...filters
      } = Object(last('get_products')['filters']);
      expect(said.success, JSON.stringify(said)).toBe(true);
      expect(filters).toEqual(asked ?? {});
      const [{ targeting_overlay }] = last('create_media_buy')['packages'] as [
        { targeting_overlay?: object },
      ];
      expect(targeting_overlay).toEqual(ordered === null ? undefined : { [field]: ordered });
    },
  );

  describe.each(firm)(
    '$field, of a product that cannot keep it,',
    ({ field, constraints: wanted, product, said }) => {
      const beyond = adcpProduct('beyond', product);

      test('leaves that out of what is found, with the reason', async () => {
        const campaignId = await draft({ constraints: wanted });
        sells(beyond, anywhere);
        expect(found(await discover({ campaignId }))).toEqual(['anywhere']);
        sells(beyond);

        const shown = await discover({ campaignId: await draft({ constraints: wanted }) });

        expect(found(shown)).toEqual([]);
        const where = field.startsWith('geo_') ? 'run in other countries' : 'run on other channels';
        expect(JSON.stringify(shown)).toContain(`Its products do not pass the filters: 1 ${where}.`);
      });

      test('refuses its choice', async () => {
        sells(beyond);
        const { discoveryId } = await discover();
        const campaignId = await draft({ constraints: wanted });

        const refused = await choose(discoveryId, 'beyond', { campaignId });

        expectRefusal(refused, 400, {
          code: 'VALIDATION_ERROR',
          at: { 'products.0.productId': new RegExp(`^constraints\\.${field}: ${said} Leave it out`) },
        });
        expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).totalProducts).toBe(0);
      });

      test('refuses to execute what was chosen before, and no seller is called', async () => {
        sells(beyond);
        const { discoveryId } = await discover();
        done(await choose(discoveryId, 'beyond'));
        const campaignId = await draft({ discoveryId });
        done(await buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: wanted }));
        const before = far.agent.calls.length;

        expectRefusal(await execute(campaignId), 422, {
          code: 'VALIDATION_ERROR',
          at: { [`constraints.${field}`]: said },
        });

        expect(far.agent.calls).toHaveLength(before);
        expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys).toEqual([]);
      });
    },
  );

  test('is one of those in the table', () => {
    expect(Object.keys(KINDS).sort()).toEqual(Object.keys(constraints.shape).sort());
  });
});
