import type { Targeting } from '../../../store/discovery-selections.ts';
import type { DeclaredTargeting } from '../../../store/inventory-sources.ts';
import { asText } from '../../core/schemas/as-text.ts';
import { asList, isFields } from '../../core/schemas/checks.ts';
import { asSellersKnow } from '../campaigns/constraints.ts';
import type { SellerAbilities } from '../sellers/abilities.ts';

/** What of a targeting its seller does not declare (AdCP 3.0, get_adcp_capabilities, execution.targeting). Pure. */

export interface Undeclared {
  readonly field: string;
  readonly reason: string;
}

/** Fields for which a seller says yes or no; one that says neither may take them. */
const FLAGS: Readonly<Record<string, string>> = {
  geo_countries: 'geo_countries',
  geo_countries_exclude: 'geo_countries',
  geo_regions: 'geo_regions',
  geo_regions_exclude: 'geo_regions',
  language: 'language',
};

/** Fields with systems of areas, each of which has to be declared. */
const SYSTEMS: Readonly<Record<string, string>> = {
  geo_metros: 'geo_metros',
  geo_metros_exclude: 'geo_metros',
  geo_postal_areas: 'geo_postal_areas',
  geo_postal_areas_exclude: 'geo_postal_areas',
};

/** Fields that no seller has to know of: where it says nothing of them, it does not take them. */
const TO_BE_DECLARED: ReadonlySet<string> = new Set([
  'daypart_targets',
  'keyword_targets',
  'negative_keywords',
  'geo_proximity',
  'geo_metros_exclude',
  'geo_postal_areas_exclude',
]);

const WAYS = ['radius', 'travel_time', 'geometry'] as const;

/** The fields that the seller cannot take; few of them where it says nothing of targeting, none where it is unheard. */
export function undeclaredIn(overlay: Targeting, declared: SellerAbilities['targeting']): Undeclared[] {
  if (declared === 'unheard') return [];
  return Object.entries(asSent(overlay)).flatMap(([field, value]) => {
    if (value === undefined) return [];
    if (declared === undefined && !TO_BE_DECLARED.has(field)) return [];
    const missing = missingOf(field, value, declared ?? {});
    return missing === undefined
      ? []
      : [{ field, reason: `The seller declares no targeting by ${missing}.` }];
  });
}

/** What an order asks for beyond what its seller declares. */
export interface Parted {
  /** Fields that the campaign asks for. */
  readonly ofCampaign: readonly Undeclared[];
  /** Those that the choice adds to it. */
  readonly ofChoice: readonly Undeclared[];
}

/** The same of what is told of a campaign and a choice together, parted by which of the two asks for it. */
export function undeclaredParts(
  targeting: Targeting,
  campaign: Targeting,
  declared: SellerAbilities['targeting'],
): Parted {
  const asked = new Set(undeclaredIn(campaign, declared).map(({ field }) => field));
  const missing = undeclaredIn(targeting, declared);
  return {
    ofCampaign: missing.filter(({ field }) => asked.has(field)),
    ofChoice: missing.filter(({ field }) => !asked.has(field)),
  };
}

/** Postal areas are declared by the names that sellers are told them by, however a caller writes them. */
function asSent(overlay: Targeting): Targeting {
  const { geo_postal_areas, geo_postal_areas_exclude } = overlay;
  return {
    ...overlay,
    geo_postal_areas: geo_postal_areas?.map(asSellersKnow),
    geo_postal_areas_exclude: geo_postal_areas_exclude?.map(asSellersKnow),
  };
}

/** How a seller tells of the other fields: what of them is missing. */
const OTHERS: Readonly<Record<string, (value: unknown, told: unknown) => string | undefined>> = {
  keyword_targets: (value, told) =>
    firstMissing('keyword_targets', wordsOf(value, 'match_type'), typesOf(told)),
  negative_keywords: (value, told) =>
    firstMissing('negative_keywords', wordsOf(value, 'match_type'), typesOf(told)),
  geo_proximity: proximityMissing,
  daypart_targets: (_, told) => (isDeclared(told) ? undefined : 'daypart_targets'),
  age_restriction: (_, told) => (flagsOf(told).has('supported') ? undefined : 'age_restriction'),
};

function missingOf(field: string, value: unknown, declared: DeclaredTargeting): string | undefined {
  const flag = FLAGS[field];
  if (flag !== undefined) return declared[flag] === false ? flag : undefined;
  const areas = SYSTEMS[field];
  if (areas !== undefined) return firstMissing(field, wordsOf(value, 'system'), flagsOf(declared[areas]));
  return OTHERS[field]?.(value, declared[field]);
}

function isDeclared(told: unknown): boolean {
  return told === true || isFields(told);
}

/** The way to say how far, and how one travels where the seller names the modes that it knows. */
function proximityMissing(value: unknown, told: unknown): string | undefined {
  const modes = isFields(told) ? told['transport_modes'] : undefined;
  const missing = firstMissing('geo_proximity', waysOf(value), flagsOf(told));
  if (missing !== undefined || !Array.isArray(modes)) return missing;
  const travelled = asList(value).filter((entry) => isFields(entry) && 'travel_time' in entry);
  return firstMissing('geo_proximity', wordsOf(travelled, 'transport_mode'), new Set(modes.map(String)));
}

function firstMissing(
  field: string,
  wanted: readonly string[],
  known: ReadonlySet<string>,
): string | undefined {
  const missing = wanted.find((word) => !known.has(word));
  return missing === undefined ? undefined : `${field} (${missing})`;
}

function wordsOf(value: unknown, name: string): string[] {
  return asList(value).flatMap((entry) => (isFields(entry) ? [asText(entry[name])] : []));
}

function waysOf(value: unknown): string[] {
  return WAYS.filter((way) => asList(value).some((entry) => isFields(entry) && way in entry));
}

function flagsOf(declared: unknown): ReadonlySet<string> {
  if (!isFields(declared)) return new Set();
  return new Set(Object.keys(declared).filter((name) => declared[name] === true));
}

function typesOf(declared: unknown): ReadonlySet<string> {
  const types = isFields(declared) ? declared['supported_match_types'] : undefined;
  return new Set(asList(types).map(String));
}
