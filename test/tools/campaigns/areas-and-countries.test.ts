import { beforeAll, describe, expect, test } from 'vitest';
import { chosenThere } from '../../support/buying/chosen-there.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';

const dma = [{ system: 'nielsen_dma', values: ['501'] }];
const nuts = (...values: string[]) => [{ system: 'eurostat_nuts2', values }];
const zips = [{ system: 'us_zip', values: ['90210'] }];

/** Constraints that leave nobody by themselves: the field that is refused, and its words. */
const ALONE = [
  [
    { geo_regions: ['US-CA'], geo_countries_exclude: ['US'] },
    'geo_regions',
    'Nobody is left: these lie in US, which geo_countries_exclude leaves out.',
  ],
  [
    { geo_regions: ['DE-BE'], geo_countries: ['US'] },
    'geo_regions',
    'Nobody is left: these lie in DE, and geo_countries names US.',
  ],
  [
    { geo_postal_areas: zips, geo_countries_exclude: ['US'] },
    'geo_postal_areas',
    'Nobody is left: these lie in US, which geo_countries_exclude leaves out.',
  ],
  [
    { geo_metros: dma, geo_countries: ['DE'] },
    'geo_metros',
    'Nobody is left: these lie in US, and geo_countries names DE.',
  ],
  [
    { geo_metros: nuts('DE21', 'el30'), geo_countries: ['US', 'FR'] },
    'geo_metros',
    'Nobody is left: these lie in DE, GR, and geo_countries names US, FR.',
  ],
] as const;

/** What a campaign says, what its choice says, the field of the choice that leaves nobody, and why. */
const TOGETHER = [
  [
    { geo_countries_exclude: ['US'] },
    { geo_regions: ['US-CA'] },
    'geo_regions',
    'The campaign leaves out US.',
  ],
  [
    { geo_regions: ['US-CA'] },
    { geo_countries_exclude: ['US'] },
    'geo_countries_exclude',
    'The campaign stays in US.',
  ],
  [{ geo_regions: ['US-CA'] }, { geo_countries: ['DE'] }, 'geo_countries', 'The campaign stays in US.'],
  [{ geo_metros: dma }, { geo_countries: ['DE'] }, 'geo_countries', 'The campaign stays in US.'],
  [{ geo_metros: nuts('DE21') }, { geo_countries: ['US'] }, 'geo_countries', 'The campaign stays in DE.'],
  [{ geo_countries: ['US'] }, { geo_metros: nuts('DE21') }, 'geo_metros', 'The campaign stays in US.'],
  [{ geo_countries: ['DE'] }, { geo_metros: dma }, 'geo_metros', 'The campaign stays in DE.'],
  [{ geo_countries_exclude: ['US'] }, { geo_metros: dma }, 'geo_metros', 'The campaign leaves out US.'],
  [
    { geo_countries_exclude: ['US'] },
    { geo_postal_areas: zips },
    'geo_postal_areas',
    'The campaign leaves out US.',
  ],
] as const;

describe('areas that a campaign or a product wants, and the countries around them', () => {
  const there = chosenThere({
    products: [
      adcpProduct('anywhere'),
      adcpProduct('american', { countries: ['US'] }),
      adcpProduct('atlantic', { countries: ['US', 'DE'] }),
    ],
    targeting: {
      geo_metros: { nielsen_dma: true, eurostat_nuts2: true },
      geo_postal_areas: { us_zip: true },
    },
  });
  const { create, found, choose, execute, orders, ordered, store } = there;
  beforeAll(() => {
    takesChanges(there.seller);
  });

  describe.each(ALONE)('%j', (wanted, field, words) => {
    test('is refused in constraints and in an overlay, because nobody is left', async () => {
      const { campaignId } = done(await create()).campaign;

      const refused = { code: 'VALIDATION_ERROR' as const, at: { [`constraints.${field}`]: words } };
      expectRefusal(await create({ constraints: wanted }), 400, refused);
      expectRefusal(
        await there.buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: wanted }),
        400,
        refused,
      );
      expectRefusal(await choose(await found(), wanted), 400, {
        code: 'VALIDATION_ERROR',
        at: { [`products.0.targetingOverlay.${field}`]: words },
      });
    });

    test('keeps a campaign that was stored with it from being executed, and no seller is told', async () => {
      const discoveryId = await found();
      done(await choose(discoveryId));
      const { campaignId } = done(await create({ discoveryId })).campaign;
      await store(campaignId, wanted);
      const before = orders().length;

      expectRefusal(await execute(campaignId), 422, {
        code: 'VALIDATION_ERROR',
        at: { [`constraints.${field}`]: words },
      });

      expect(orders()).toHaveLength(before);
    });
  });

  describe.each(TOGETHER)('%j with a product for %j', (...[constraints, overlay, field, words]) => {
    const beyond = `${words} The targeting of Product anywhere goes beyond.`;

    test('is refused where the product is chosen, and where the campaign is made', async () => {
      const draftFirst = await found();
      done(await create({ constraints, discoveryId: draftFirst }));
      const chosenFirst = await found();
      done(await choose(chosenFirst, overlay));

      const chosen = await choose(draftFirst, overlay);
      const made = await create({ constraints, discoveryId: chosenFirst });

      expectRefusal(chosen, 400, {
        code: 'VALIDATION_ERROR',
        at: { [`products.0.targetingOverlay.${field}`]: words },
      });
      expectRefusal(made, 422, { code: 'VALIDATION_ERROR', at: { [`constraints.${field}`]: beyond } });
    });

    test('is warned of once the draft is changed to it, and is not ordered', async () => {
      const discoveryId = await found();
      done(await choose(discoveryId, overlay));
      const { campaignId } = done(await create({ discoveryId })).campaign;
      const before = orders().length;

      const { campaign } = done(await there.buyer.put(`/buyer/campaigns/${campaignId}`, { constraints }));
      const refused = await execute(campaignId);

      expect(campaign.warnings).toContain(`constraints.${field}: ${beyond}`);
      expectRefusal(refused, 422, { code: 'VALIDATION_ERROR', at: { [`constraints.${field}`]: beyond } });
      expect(orders()).toHaveLength(before);
    });

    test('is refused of a package of a live media buy', async () => {
      const discoveryId = await found();
      done(await choose(discoveryId));
      const { campaignId } = done(await create({ constraints, discoveryId })).campaign;
      done(await execute(campaignId));
      const { campaign } = done(await there.buyer.get(`/buyer/campaigns/${campaignId}`));
      const [{ mediaBuyId, packages }] = campaign.mediaBuys;

      const reply = await there.buyer.put(`/buyer/campaigns/${campaignId}`, {
        mediaBuys: [
          { mediaBuyId, packages: [{ packageId: packages[0].packageId, targetingOverlay: overlay }] },
        ],
      });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { [`mediaBuys.0.packages.0.targetingOverlay.${field}`]: words },
      });
    });
  });

  test('are told to sellers without those of countries that are left out or not named', async () => {
    const discoveryId = await found();
    done(await choose(discoveryId, { geo_regions: ['US-CA', 'DE-BE'] }));
    const constraints = { geo_countries_exclude: ['DE'] };
    const { campaignId } = done(await create({ constraints, discoveryId })).campaign;
    done(await execute(campaignId));

    expect(ordered()).toEqual({ geo_countries_exclude: ['DE'], geo_regions: ['US-CA'] });
  });

  test('that tell their countries by their codes are told to sellers without the codes of others', async () => {
    const discoveryId = await found();
    done(await choose(discoveryId, { geo_metros: nuts('DE21', 'FR10', 'EL30', 'anywhere') }));
    const constraints = { geo_countries_exclude: ['FR', 'GB'] };
    const { campaignId } = done(await create({ constraints, discoveryId })).campaign;
    done(await execute(campaignId));

    expect(ordered()).toEqual({ ...constraints, geo_metros: nuts('DE21', 'EL30', 'anywhere') });
  });

  test('leave somebody where the product runs, by what its campaign and its targeting say together', async () => {
    const discoveryId = await found();
    const constraints = { geo_countries: ['US', 'FR'] };
    done(await create({ constraints, discoveryId }));

    const out = await choose(discoveryId, { geo_countries_exclude: ['US'] }, 'american');
    const metros = await choose(
      await found(),
      { geo_metros: dma, geo_countries_exclude: ['DE'] },
      'atlantic',
    );
    const between = await choose(discoveryId, { geo_countries: ['FR', 'DE'] }, 'atlantic');

    expect(done(metros).products).toHaveLength(1);
    expectRefusal(out, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'products.0.targetingOverlay.geo_countries_exclude': 'Product american runs in US.' },
    });
    expectRefusal(between, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'products.0.targetingOverlay.geo_countries': 'Product atlantic runs in US, DE.' },
    });
  });
});
