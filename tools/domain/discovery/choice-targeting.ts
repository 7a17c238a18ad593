import type { CampaignRow } from '../../../store/campaigns.ts';
import type { Targeting } from '../../../store/discovery-selections.ts';
import { overlayProblems } from '../buying/targeting.ts';
import { countriesWanted } from '../campaigns/constraints.ts';
import type { Emptied } from '../targeting/combined.ts';
import type { Product } from './schema.ts';

/** What is wrong with the targeting of a choice: nobody is left in the product, or in a campaign that is to buy it. */
export function targetingProblem(
  overlay: Targeting,
  product: Product,
  drafts: readonly CampaignRow[],
): Emptied | undefined {
  const [beyond] = drafts.flatMap((draft) => overlayProblems(overlay, draft));
  return beyond ?? outsideProduct(overlay, product);
}

const PLACES = ['geo_countries', 'geo_regions', 'geo_postal_areas'] as const;

/** A product that says nothing of countries may run in any. */
function outsideProduct(overlay: Targeting, { name, countries: told = [] }: Product): Emptied | undefined {
  if (told.length === 0) return undefined;
  const wanted = countriesWanted(overlay);
  const field = PLACES.find((place) => overlay[place] !== undefined) ?? 'geo_countries';
  const message = `${name} runs in ${told.slice(0, 10).join(', ')}.`;
  return wanted === undefined || wanted.some((country) => told.includes(country))
    ? undefined
    : { field, message };
}
