import { z } from 'zod';
import { asText } from '../../core/schemas/as-text.ts';
import { besideOtherProblems, isFields } from '../../core/schemas/checks.ts';
import { asSellersKnow } from './constraints.ts';

/**
 * What is wanted and what is left out of the same: nobody can be both. Sellers should refuse a value that is in both
 * (AdCP 3.1, targeting), so nobody is told one: who says both at once is asked which of the two is meant.
 */

export interface Pair {
  readonly wanted: string;
  readonly out: string;
}

/** Those of a campaign, and of every targeting. */
export const PAIRS: readonly Pair[] = [
  { wanted: 'geo_countries', out: 'geo_countries_exclude' },
  { wanted: 'geo_regions', out: 'geo_regions_exclude' },
  { wanted: 'geo_metros', out: 'geo_metros_exclude' },
  { wanted: 'geo_postal_areas', out: 'geo_postal_areas_exclude' },
  { wanted: 'device_type', out: 'device_type_exclude' },
];

/** One check a pair, so that each contradiction is told at its place, beside whatever else is wrong. */
export function eachInOrOut(pairs: readonly Pair[]) {
  return pairs.map(({ wanted, out }) =>
    z.refine((given: unknown) => both(given, { wanted, out }).length === 0, {
      path: [out],
      error: ({ input }) =>
        `Given in ${wanted} as well: ${both(input, { wanted, out }).slice(0, NAMED_MAX).join(', ')}.`,
      ...besideOtherProblems,
    }),
  );
}

const NAMED_MAX = 10;

/** What both lists have, in the words of the one that wants it. */
function both(given: unknown, { wanted, out }: Pair): string[] {
  if (!isFields(given)) return [];
  const left = new Set(entriesOf(given[out]).map(({ key }) => key));
  return entriesOf(given[wanted]).flatMap(({ key, words }) => (left.has(key) ? [words] : []));
}

interface Entry {
  /** The same however it is written. */
  readonly key: string;
  readonly words: string;
}

/** The entries of a list, each code by itself. What is no such entry is another complaint. */
function entriesOf(list: unknown): Entry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown): Entry[] => {
    if (!isFields(entry)) return [entryOf([entry])];
    const { keyword, match_type: type } = entry;
    return typeof keyword === 'string' ? [entryOf([`${keyword} (${asText(type)})`])] : codesOf(entry);
  });
}

/** Postal areas are the same by the name that has their country and by the one beside it. */
function codesOf({ country: given, system, values }: Readonly<Record<string, unknown>>): Entry[] {
  if (typeof system !== 'string' || !Array.isArray(values)) return [];
  const country = typeof given === 'string' ? given : undefined;
  const known = asSellersKnow({ country, system, values: [] });
  return values.map((code) => ({
    key: entryOf([known.country, known.system, code]).key,
    words: entryOf([country, system, code]).words,
  }));
}

function entryOf(parts: readonly unknown[]): Entry {
  const words = parts.filter((part) => typeof part === 'string').join(' ');
  return { key: words.toLowerCase(), words };
}
