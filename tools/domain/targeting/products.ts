import type { Targeting } from '../../../store/discovery-selections.ts';
import { countriesWanted, type Placed } from '../campaigns/constraints.ts';
import type { Emptied } from './combined.ts';

const PLACES = ['geo_countries', 'geo_regions', 'geo_postal_areas'] as const;

/** Where a targeting leaves nobody in a product. One that says nothing of countries may run in any. */
export function outsideProduct(
  overlay: Targeting,
  { name, countries: told = [] }: Placed,
): Emptied | undefined {
  if (told.length === 0) return undefined;
  const wanted = countriesWanted(overlay);
  const field = PLACES.find((place) => overlay[place] !== undefined) ?? 'geo_countries';
  const message = `${name} runs in ${told.slice(0, 10).join(', ')}.`;
  return wanted === undefined || wanted.some((country) => told.includes(country))
    ? undefined
    : { field, message };
}
