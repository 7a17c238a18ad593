import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const dma = [{ system: 'nielsen_dma', values: ['501'] }];
const zips = [{ country: 'US', system: 'zip', values: ['90210'] }];

/** Every constraint that sellers tell something of: what is asked, what the seller declares, and what it lacks. */
const UNDECLARED = [
  ['geo_countries', ['US'], { geo_countries: false }, 'geo_countries'],
  ['geo_countries_exclude', ['FR'], { geo_countries: false }, 'geo_countries'],
  ['geo_regions', ['US-CA'], { geo_regions: false }, 'geo_regions'],
  ['geo_regions_exclude', ['US-CA'], { geo_regions: false }, 'geo_regions'],
  ['geo_metros', dma, { geo_metros: { uk_itl1: true } }, 'geo_metros (nielsen_dma)'],
  ['geo_metros_exclude', dma, undefined, 'geo_metros_exclude (nielsen_dma)'],
  ['geo_postal_areas', zips, { geo_postal_areas: { de_plz: true } }, 'geo_postal_areas (us_zip)'],
  ['geo_postal_areas_exclude', zips, undefined, 'geo_postal_areas_exclude (us_zip)'],
  ['language', ['en'], { language: false }, 'language'],
] as const;

const REGIONS = { geo_regions: ['US-CA'] };
const NO_REGIONS = 'The seller declares no targeting by geo_regions.';

/** No seller is ordered from that declares it cannot target what the campaign asks for. */
describe('a constraint that a seller does not declare', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  const sellers: FarSeller[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(sellers.map(({ agent }) => agent.stop()));
  });

  /** A seller of one product, which declares this of targeting. */
  const declaring = async (targeting: object | undefined, productId = 'anywhere'): Promise<FarSeller> => {
    const seller = await farSeller(server, 'Far', [productAt(`${productId}.example`, productId)]);
    seller.agent.on('get_adcp_capabilities', () => ({
      adcp: { major_versions: [3] },
      media_buy: { execution: { ...(targeting === undefined ? {} : { targeting }) } },
    }));
    sellers.push(seller);
    return seller;
  };
  const found = async (...at: readonly FarSeller[]) =>
    (
      await discover(
        buyer,
        advertiserId,
        at.map(({ storefrontId }) => storefrontId),
      )
    ).discoveryId;
  const choose = (discoveryId: string, fields: object = {}) =>
    buyer.post(`/buyer/discovery/${discoveryId}/products`, {
      products: [{ productId: 'anywhere' }],
      ...fields,
    });
  const create = (fields: object) =>
    buyer.post('/buyer/campaigns', {
      ...{ advertiserId, name: 'Winter', flightDates, budget: { total: 100 } },
      ...fields,
    });
  const put = (campaignId: string, changes: object) => buyer.put(`/buyer/campaigns/${campaignId}`, changes);
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const chosenIn = async (discoveryId: string) =>
    done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).totalProducts;
  const ordersAt = ({ agent }: FarSeller) =>
    agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;

  describe.each(UNDECLARED)('%s,', (...[field, given, declared, word]) => {
    const constraints = { [field]: given };
    const refused = {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { [`constraints.${field}`]: `The seller declares no targeting by ${word}.` },
    } as const;

    test('refuses its products to a campaign that is to buy them', async () => {
      const seller = await declaring(declared);
      const { campaignId } = done(await create({ constraints })).campaign;
      const discoveryId = await found(seller);

      const reply = await choose(discoveryId, { campaignId });

      expectRefusal(reply, 422, {
        ...refused,
        details: { unsupported: [{ productId: 'anywhere', salesAgentId: seller.agentId }] },
      });
      expect(await chosenIn(discoveryId)).toBe(0);
    });

    test('refuses a campaign that is made with such a choice', async () => {
      const discoveryId = await found(await declaring(declared));
      done(await choose(discoveryId));

      expectRefusal(await create({ constraints, discoveryId }), 422, refused);
    });

    test('is a warning of an update, and execute is refused before the seller is sent anything', async () => {
      const seller = await declaring(declared);
      const discoveryId = await found(seller);
      done(await choose(discoveryId));
      const { campaignId } = done(await create({ discoveryId })).campaign;

      const { campaign } = done(await put(campaignId, { constraints }));
      const reply = await execute(campaignId);

      expect(campaign.warnings).toContain(
        `Product anywhere of Agent cannot be bought with constraints.${field}: The seller declares no targeting by ${word}.`,
      );
      expectRefusal(reply, 422, refused);
      expect(ordersAt(seller)).toBe(0);
      const after = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
      expect(after).toMatchObject({ status: 'DRAFT', mediaBuys: [], warnings: campaign.warnings });
    });
  });

  test('leaves its products out of what is selected automatically, and the others are chosen', async () => {
    const [able, unable] = [
      await declaring({ geo_regions: true }, 'able'),
      await declaring({ geo_regions: false }),
    ];
    const { campaignId } = done(await create({ constraints: REGIONS })).campaign;
    done(await put(campaignId, { discoveryId: await found(able, unable) }));

    const data = done(await buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, {}));

    expect(data.selectedProducts.map(({ productId }: { productId: string }) => productId)).toEqual(['able']);
  });

  test('leaves its products out of a proposal that is taken up, with the reason', async () => {
    const [able, unable] = [
      await declaring({ geo_regions: true }, 'able'),
      await declaring({ geo_regions: false }),
    ];
    unable.agent.on('get_products', () => ({
      products: [productAt('one.example', 'anywhere')],
      proposals: [
        {
          ...{ proposal_id: 'plan', name: 'Plan', description: 'All of it.', brief_alignment: 'Fits.' },
          allocations: [{ product_id: 'anywhere', allocation_percentage: 100 }],
        },
      ],
    }));
    const discoveryId = await found(able, unable);
    done(await create({ constraints: REGIONS, discoveryId }));

    const reply = await buyer.post(`/buyer/discovery/${discoveryId}/apply-proposal`, {
      ...{ proposalId: 'plan', totalBudget: 100 },
    });

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        proposalId: `None of its products can be chosen. Product anywhere of Agent is left out: constraints.geo_regions: ${NO_REGIONS}`,
      },
    });
  });

  test('keeps a refused order of a campaign that runs from being sent again, with a choice and without', async () => {
    const [able, unable] = [
      await declaring({ geo_regions: true }, 'able'),
      await declaring({ geo_regions: false }),
    ];
    unable.agent.on('create_media_buy', () => ({
      errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }],
    }));
    const discoveryId = await found(able, unable);
    const products = [{ productId: 'anywhere' }, { productId: 'able' }];
    done(await choose(discoveryId, { products }));
    const { campaignId } = done(await create({ discoveryId })).campaign;
    expect(done(await execute(campaignId))).toMatchObject({ newStatus: 'ACTIVE', mediaBuysExecuted: 1 });
    // As orders were made before anybody asked what sellers declare.
    const { db } = server.store;
    const constraints = JSON.stringify(REGIONS) as never;
    await db
      .updateTable('campaigns')
      .set({ constraints })
      .where('organization_id', '=', buyer.organizationId)
      .where('id', '=', campaignId)
      .execute();
    const refused = {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { 'constraints.geo_regions': NO_REGIONS },
    } as const;

    const again = await execute(campaignId);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    const { mediaBuyId } = campaign.mediaBuys.find(({ status }: { status: string }) => status === 'FAILED');
    expectRefusal(again, 422, { ...refused, details: { unsupported: [{ mediaBuyId }] } });
    done(
      await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: ['anywhere', 'able'] }),
    );
    expectRefusal(await execute(campaignId), 422, { ...refused, details: { unsupported: [{ mediaBuyId }] } });
    expect(ordersAt(unable)).toBe(1);
    expect(ordersAt(able)).toBe(1);
  });

  test('is no matter where the targeting of the choice leaves nothing of it', async () => {
    const seller = await declaring({ geo_metros: { nielsen_dma: true } });
    const discoveryId = await found(seller);
    const both = [...dma, { system: 'uk_itl1', values: ['C'] }];
    const products = [{ productId: 'anywhere', targetingOverlay: { geo_metros: dma } }];
    done(await choose(discoveryId, { products }));

    const { campaignId } = done(await create({ discoveryId, constraints: { geo_metros: both } })).campaign;

    expect(done(await execute(campaignId)).success).toBe(true);
  });

  test('is tried where the seller cannot be asked', async () => {
    const seller = await declaring({ geo_regions: false });
    const discoveryId = await found(seller);
    await seller.agent.stop();
    done(await choose(discoveryId));
    const { campaignId } = done(await create({ discoveryId })).campaign;

    done(await put(campaignId, { constraints: REGIONS }));

    expect(done(await execute(campaignId))).toMatchObject({ success: false, mediaBuysExecuted: 0 });
  });

  test('is tried where the seller refuses to say what it declares, and refused once it says so', async () => {
    const seller = await declaring(undefined);
    seller.agent.on('get_adcp_capabilities', () => ({
      errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Later.', recovery: 'transient' }],
    }));
    const constraints = { geo_metros_exclude: dma };
    const discoveryId = await found(seller);
    done(await choose(discoveryId));

    done(await create({ discoveryId, constraints }));

    seller.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [3] } }));
    expectRefusal(await create({ discoveryId, constraints }), 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        'constraints.geo_metros_exclude':
          'The seller declares no targeting by geo_metros_exclude (nielsen_dma).',
      },
    });
  });
});
