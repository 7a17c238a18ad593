import type { Targeting } from '../../../store/discovery-selections.ts';
import { isFields } from '../../core/checks.ts';
import type { DeclaredTargeting } from '../sellers/abilities.ts';

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

const KEYWORDS: ReadonlySet<string> = new Set(['keyword_targets', 'negative_keywords']);
const WAYS = ['radius', 'travel_time', 'geometry'] as const;

/** The fields that the seller cannot take; none where it says nothing of targeting. */
export function undeclaredIn(overlay: Targeting, declared: DeclaredTargeting | undefined): Undeclared[] {
  if (declared === undefined) return [];
  return Object.entries(overlay).flatMap(([field, value]) => {
    const missing = missingOf(field, value, declared);
    return missing === undefined
      ? []
      : [{ field, reason: `The seller declares no targeting by ${missing}.` }];
  });
}

function missingOf(field: string, value: unknown, declared: DeclaredTargeting): string | undefined {
  const flag = FLAGS[field];
  if (flag !== undefined) return declared[flag] === false ? flag : undefined;
  const areas = SYSTEMS[field];
  if (areas !== undefined) return firstMissing(field, wordsOf(value, 'system'), flagsOf(declared[areas]));
  if (KEYWORDS.has(field)) return firstMissing(field, wordsOf(value, 'match_type'), typesOf(declared[field]));
  if (field === 'geo_proximity') return firstMissing(field, waysOf(value), flagsOf(declared[field]));
  return field === 'age_restriction' && !flagsOf(declared[field]).has('supported') ? field : undefined;
}

function firstMissing(
  field: string,
  wanted: readonly string[],
  known: ReadonlySet<string>,
): string | undefined {
  const missing = wanted.find((word) => !known.has(word));
  return missing === undefined ? undefined : `${field} (${missing})`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wordsOf(value: unknown, name: string): string[] {
  return listOf(value).flatMap((entry) => (isFields(entry) ? [String(entry[name])] : []));
}

function waysOf(value: unknown): string[] {
  return WAYS.filter((way) => listOf(value).some((entry) => isFields(entry) && way in entry));
}

function flagsOf(declared: unknown): ReadonlySet<string> {
  if (!isFields(declared)) return new Set();
  return new Set(Object.keys(declared).filter((name) => declared[name] === true));
}

function typesOf(declared: unknown): ReadonlySet<string> {
  const types = isFields(declared) ? declared['supported_match_types'] : undefined;
  return new Set(listOf(types).map(String));
}
