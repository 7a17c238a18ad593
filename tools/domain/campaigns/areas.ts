import { z } from 'zod';
import { asList, besideOtherProblems, isFields } from '../../core/schemas/checks.ts';

/**
 * Regions, metro and postal areas, and the countries they lie in: nobody is in an area of a country that is left out,
 * or that is none of those that are named. Pure.
 */

/** The systems of postal codes that name their country themselves. */
export const COUNTRY_OF_SYSTEM: Readonly<Record<string, string>> = {
  us_zip: 'US',
  us_zip_plus_four: 'US',
  gb_outward: 'GB',
  gb_full: 'GB',
  ca_fsa: 'CA',
  ca_full: 'CA',
  de_plz: 'DE',
  fr_code_postal: 'FR',
  au_postcode: 'AU',
  ch_plz: 'CH',
  at_plz: 'AT',
};

/** The systems of metro areas that lie in one country; a code of `eurostat_nuts2` tells its own, others none. */
const COUNTRY_OF_METROS: Readonly<Record<string, string>> = {
  nielsen_dma: 'US',
  uk_itl1: 'GB',
  uk_itl2: 'GB',
};

export const AREAS = ['geo_regions', 'geo_metros', 'geo_postal_areas'] as const;
type AreaField = (typeof AREAS)[number];

type Fields = Readonly<Record<string, unknown>>;
type AreaLists = { readonly [field in AreaField]?: unknown };

/** Where NUTS has other letters for a country than ISO 3166-1. */
const COUNTRY_IN_NUTS: Readonly<Record<string, string>> = { EL: 'GR', UK: 'GB' };

/** The country that a code of NUTS begins with; undefined where it is no such code. */
function countryInNuts(code: unknown): string | undefined {
  const [, letters] = /^([A-Z]{2})[A-Z0-9]{2}$/.exec(String(code).toUpperCase()) ?? [];
  return letters === undefined ? undefined : (COUNTRY_IN_NUTS[letters] ?? letters);
}

/** The country that an area lies in; undefined where nobody can tell. */
function countryAround(area: unknown): string | undefined {
  if (typeof area === 'string') return area.slice(0, 2).toUpperCase();
  if (!isFields(area)) return undefined;
  const { country, system } = area;
  if (typeof country === 'string') return country.toUpperCase();
  return typeof system === 'string' ? (COUNTRY_OF_SYSTEM[system] ?? COUNTRY_OF_METROS[system]) : undefined;
}

/** An area whose codes each tell their country. */
function isOfNuts(area: unknown): area is Fields {
  return isFields(area) && area['system'] === 'eurostat_nuts2';
}

/** The countries of an area, or of each of its codes; undefined for each of which nobody can tell. */
function countriesAround(area: unknown): (string | undefined)[] {
  return isOfNuts(area) ? asList(area['values']).map(countryInNuts) : [countryAround(area)];
}

/** The countries that the areas lie in; none where one of them may lie anywhere. */
export function countriesOf(wanted: AreaLists, fields: readonly AreaField[] = AREAS): string[] {
  const around = fields.flatMap((field) => asList(wanted[field]).flatMap(countriesAround));
  const known = around.flatMap((country) => country ?? []);
  return known.length < around.length ? [] : [...new Set(known)];
}

/** The targeting without areas of other countries than its own, and the fields in which no area is left. */
export function withinCountries(targeting: Fields): { targeting: Fields; emptied: AreaField[] } {
  const after: Record<string, unknown> = { ...targeting };
  const emptied: AreaField[] = [];
  for (const field of AREAS) {
    const areas = asList(targeting[field]);
    const left = areas.flatMap((area) => partWithin(area, targeting));
    if (left.length === areas.length && left.every((area, index) => area === areas[index])) continue;
    if (left.length > 0) after[field] = left;
    else emptied.push(field);
  }
  return { targeting: after, emptied };
}

/** An area with those of its codes that lie in the countries; none where none does. */
function partWithin(area: unknown, targeting: Fields): unknown[] {
  if (!isOfNuts(area)) return isWithin(countryAround(area), targeting) ? [area] : [];
  const codes = asList(area['values']);
  const values = codes.filter((code) => isWithin(countryInNuts(code), targeting));
  if (values.length === codes.length) return [area];
  return values.length === 0 ? [] : [{ ...area, values }];
}

function isWithin(country: string | undefined, { geo_countries, geo_countries_exclude }: Fields): boolean {
  if (country === undefined) return true;
  const stay = asList(geo_countries);
  return (stay.length === 0 || stay.includes(country)) && !asList(geo_countries_exclude).includes(country);
}

/** One check a field of areas: where none is left, it is told at its place, beside whatever else is wrong. */
export function eachInItsCountries() {
  return AREAS.map((field) =>
    z.refine((given: unknown) => !isFields(given) || !withinCountries(given).emptied.includes(field), {
      path: [field],
      error: ({ input }) => (isFields(input) ? nobodyIn(input, field) : 'Nobody is left.'),
      ...besideOtherProblems,
    }),
  );
}

/** Why no area of a field is left. */
export function nobodyIn(given: Fields, field: AreaField): string {
  const around = countriesOf(given, [field]);
  const out = asList(given['geo_countries_exclude']);
  const words = `Nobody is left: these lie in ${few(around)}`;
  return around.every((country) => out.includes(country))
    ? `${words}, which geo_countries_exclude leaves out.`
    : `${words}, and geo_countries names ${few(asList(given['geo_countries']))}.`;
}

const NAMED_MAX = 10;

/** The first of a list, in words. */
export function few(list: readonly unknown[]): string {
  return list.slice(0, NAMED_MAX).join(', ');
}
