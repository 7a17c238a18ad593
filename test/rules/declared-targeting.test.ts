import { describe, expect, test } from 'vitest';
import { undeclaredIn } from '../../tools/domain/targeting/declared.ts';

const declared = {
  geo_countries: true,
  geo_regions: false,
  geo_metros: { nielsen_dma: true },
  geo_postal_areas: { us_zip: true },
  keyword_targets: { supported_match_types: ['exact'] },
  geo_proximity: { radius: true, travel_time: false },
};

describe('a targeting beside what its seller declares', () => {
  test.each([
    ['a country', { geo_countries: ['US'] }],
    ['a system of areas that is declared', { geo_metros: [{ system: 'nielsen_dma', values: ['501'] }] }],
    [
      'a system of postal areas that is declared, with its country beside it',
      {
        geo_postal_areas: [{ country: 'US', system: 'zip', values: ['90210'] }],
        geo_postal_areas_exclude: [{ country: 'US', system: 'zip', values: ['10001'] }],
      },
    ],
    ['a match type that is declared', { keyword_targets: [{ keyword: 'tea', match_type: 'exact' }] }],
    ['a radius', { geo_proximity: [{ lat: 1, lng: 1, radius: { value: 1, unit: 'km' } }] }],
    ['a flag of which it says nothing', { language: ['en'] }],
    ['a field that sellers do not declare', { device_type: ['mobile'] }],
  ])('lacks nothing for %s', (_, overlay) => {
    expect(undeclaredIn(overlay, declared)).toEqual([]);
  });

  test.each([
    ['geo_regions', { geo_regions: ['US-CA'] }],
    ['geo_regions_exclude', { geo_regions_exclude: ['US-CA'] }],
    ['geo_metros', { geo_metros: [{ system: 'uk_itl1', values: ['C'] }] }],
    ['geo_postal_areas', { geo_postal_areas: [{ system: 'gb_outward', values: ['1'] }] }],
    ['geo_postal_areas', { geo_postal_areas: [{ country: 'GB', system: 'full', values: ['1'] }] }],
    ['keyword_targets', { keyword_targets: [{ keyword: 'tea', match_type: 'broad' }] }],
    ['negative_keywords', { negative_keywords: [{ keyword: 'tea', match_type: 'exact' }] }],
    ['geo_proximity', { geo_proximity: [{ geometry: { type: 'Polygon', coordinates: [] } }] }],
    ['age_restriction', { age_restriction: { min: 18 } }],
  ])('lacks %s where that is not declared', (field, overlay) => {
    expect(undeclaredIn(overlay, declared).map((one) => one.field)).toEqual([field]);
  });

  test.each([
    ['nothing', undefined],
    ['something that is no list of fields', { geo_metros: 'all', keyword_targets: [] }],
  ])('is read without trouble where the seller declares %s', (_, told) => {
    const overlay = { geo_metros: [{ system: 'nielsen_dma', values: ['1'] }] };

    expect(undeclaredIn(overlay, told)).toHaveLength(told === undefined ? 0 : 1);
  });
});
