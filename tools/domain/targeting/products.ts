import type { Targeting } from '../../../store/discovery-selections.ts';
import { countriesWanted, type Placed } from '../campaigns/constraints.ts';
import type { Emptied } from './combined.ts';

const OUT = 'geo_countries_exclude';
const PLACES = ['geo_countries', 'geo_regions', 'geo_metros', 'geo_postal_areas'] as const;

/** Where a targeting leaves nobody in a product. One that says nothing of countries may run in any. */
export function outsideProduct(
  overlay: Targeting,
  { name, countries: told = [] }: Placed,
  /** The overlay and its campaign together. */
  together: Targeting = overlay,
): Emptied | undefined {
  if (told.length === 0) return undefined;
  const wanted = countriesWanted(together);
  const { geo_countries_exclude: out = [] } = together;
  const runs = told.filter((country) => !isIn(out, country));
  if (runs.length > 0 && (wanted === undefined || runs.some((country) => wanted.includes(country)))) {
    return undefined;
  }
  const places = runs.length === 0 ? [OUT, ...PLACES] : [...PLACES, OUT];
  const field = places.find((place) => overlay[place] !== undefined);
  if (field === undefined) return undefined;
  return { field, message: `${name} runs in ${told.slice(0, 10).join(', ')}.` };
}

function isIn(list: unknown, country: string): boolean {
  return Array.isArray(list) && list.includes(country);
}
