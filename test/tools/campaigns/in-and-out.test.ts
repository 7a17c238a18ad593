import { describe, expect, test } from 'vitest';
import { chosenThere } from '../../support/buying/chosen-there.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';

const dma = (...values: string[]) => [{ system: 'nielsen_dma', values }];
const zips = (...values: string[]) => [{ country: 'US', system: 'zip', values }];
const usZips = (...values: string[]) => [{ system: 'us_zip', values }];

/** What is wanted and left out of the same: the two fields, one of both, another one, and what is said of the first. */
const PAIRS = [
  ['geo_countries', ['US'], ['CA'], 'US'],
  ['geo_regions', ['us-ca'], ['US-NY'], 'US-CA'],
  ['geo_metros', dma('501'), dma('803'), 'nielsen_dma 501'],
  ['geo_postal_areas', usZips('90210'), zips('10001'), 'us_zip 90210'],
  ['device_type', ['ctv'], ['mobile'], 'ctv'],
] as const;

/** Nobody can be wanted and left out (AdCP 3.1, targeting): in one place it is a mistake, of two the narrower holds. */
describe('whom a campaign wants and leaves out at once', () => {
  const there = chosenThere({
    products: [adcpProduct('anywhere', { channels: ['display', 'ctv'] })],
    targeting: { geo_metros: { nielsen_dma: true }, geo_postal_areas: { us_zip: true, gb_outward: true } },
  });
  const { create, found, choose, execute, ordered, store } = there;

  describe.each(PAIRS)('%s', (...[field, one, other, word]) => {
    const out = `${field}_exclude`;
    const same = field === 'geo_postal_areas' ? zips('90210') : one;
    const at = (place: string) => ({ [`${place}.${out}`]: `Given in ${field} as well: ${word}.` });

    test('is refused in constraints and in an overlay alike, beside whatever else is wrong', async () => {
      const both = { [field]: [...one, ...other], [out]: same };
      const { campaignId } = done(await create()).campaign;
      const wrong = { ...both, language: ['english'] };
      const language = 'Give a two-letter language code of ISO 639, such as en.';

      expectRefusal(await create({ constraints: both }), 400, {
        code: 'VALIDATION_ERROR',
        at: at('constraints'),
      });
      expectRefusal(await there.buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: wrong }), 400, {
        code: 'VALIDATION_ERROR',
        at: { ...at('constraints'), 'constraints.language.0': language },
      });
      expectRefusal(await choose(await found(), wrong), 400, {
        code: 'VALIDATION_ERROR',
        at: {
          ...at('products.0.targetingOverlay'),
          'products.0.targetingOverlay.language.0': language,
        },
      });
      expect(done(await there.buyer.get(`/buyer/campaigns/${campaignId}`)).campaign).not.toHaveProperty(
        'constraints',
      );
    });

    test('is left out where a product narrows its campaign, and no seller is told it both ways', async () => {
      const constraints = { [field]: [...one, ...other] };
      const discoveryId = await found();
      done(await choose(discoveryId, { [out]: same }));
      const { campaignId } = done(await create({ constraints, discoveryId })).campaign;

      done(await execute(campaignId));

      const [left, gone] = [wire(field, other), wire(field, one)];
      expect(ordered()).toEqual({ [field]: left, [out]: gone });
    });

    test('is refused where nobody is left of the two together', async () => {
      const discoveryId = await found();
      done(await create({ constraints: { [out]: one }, discoveryId }));
      const wants = await choose(discoveryId, { [field]: same });
      const another = await found();
      done(await create({ constraints: { [field]: one }, discoveryId: another }));
      const leaves = await choose(another, { [out]: same });

      const code = word.replace(/^\w+ /, '');
      expectRefusal(wants, 400, {
        code: 'VALIDATION_ERROR',
        at: { [`products.0.targetingOverlay.${field}`]: `The campaign leaves out ${code}.` },
      });
      expectRefusal(leaves, 400, {
        code: 'VALIDATION_ERROR',
        at: { [`products.0.targetingOverlay.${out}`]: `The campaign stays in ${code}.` },
      });
    });
  });

  test('is found however postal areas are written, in the two together as in one', async () => {
    const discoveryId = await found();
    const constraints = { geo_postal_areas: usZips('90210', '10001') };
    done(await create({ constraints, discoveryId }));

    done(await choose(discoveryId, { geo_postal_areas: zips('90210') }));
    const both = [{ country: 'US', system: 'us_zip', values: ['90210'] }];
    const reply = await choose(discoveryId, {
      geo_postal_areas: zips('90210'),
      geo_postal_areas_exclude: both,
    });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'products.0.targetingOverlay.geo_postal_areas_exclude':
          'Given in geo_postal_areas as well: US zip 90210.',
      },
    });
  });

  test('is found in each of several lists of one system', async () => {
    const discoveryId = await found();
    const constraints = { geo_postal_areas: [...usZips('90210'), ...zips('10001')] };
    const { campaignId } = done(await create({ constraints, discoveryId })).campaign;

    done(await choose(discoveryId, { geo_postal_areas: usZips('90210') }));
    done(await execute(campaignId));

    expect(ordered()).toEqual({ geo_postal_areas: usZips('90210') });
  });

  test('is the same in whatever letters a code is written', async () => {
    const outward = (...values: string[]) => [{ system: 'gb_outward', values }];
    const discoveryId = await found();
    const constraints = { geo_postal_areas_exclude: outward('sw1a') };
    const { campaignId } = done(await create({ constraints, discoveryId })).campaign;

    done(await choose(discoveryId, { geo_postal_areas: outward('SW1A', 'EC1A') }));
    done(await execute(campaignId));

    expect(ordered()).toEqual({
      geo_postal_areas: outward('EC1A'),
      geo_postal_areas_exclude: outward('sw1a'),
    });
  });

  test('counts as left out in campaigns that were stored with both', async () => {
    const discoveryId = await found();
    done(await choose(discoveryId));
    const { campaignId } = done(await create({ discoveryId })).campaign;
    await store(campaignId, { geo_countries: ['US', 'CA'], geo_countries_exclude: ['US'] });

    done(await execute(campaignId));

    expect(ordered()).toEqual({ geo_countries: ['CA'], geo_countries_exclude: ['US'] });
  });
});

/** As sellers are told of it. */
function wire(field: string, list: readonly unknown[]): readonly unknown[] {
  if (field === 'geo_regions') return list.map((code) => String(code).toUpperCase());
  if (field !== 'geo_postal_areas') return list;
  return (list as ReturnType<typeof usZips>).map(({ values }) => ({ system: 'us_zip', values }));
}
