import { distance } from 'fastest-levenshtein';
import type { Beside } from './beside-input.ts';
import { isFields } from './schemas/checks.ts';

/** What others call the fields that page a list. */
const PAGING = /^(?:page(?:_?(?:number|index|size|token))?|per_?page|cursor)$/i;
const PAGERS: readonly (readonly [string, string])[] = [
  ['skip', 'take'],
  ['groupOffset', 'groupLimit'],
];

/** Where a field stands that nobody knows. */
export interface Place {
  /** The fields that are known there. */
  readonly known: readonly string[];
  /** What was given there. */
  readonly given: unknown;
  /** What is taken there besides; undefined inside an input. */
  readonly beside: Beside | undefined;
}

/** What is said of a field that nobody knows, where others are. */
export function unknownField(key: string, place: Place): string {
  const { known, beside } = place;
  // One form of an object lacks what another has.
  if (known.includes(key)) return 'It does not go with what else is given here: leave it out.';
  const elsewhere = beside?.elsewhere.get(plain(key));
  if (elsewhere !== undefined) return `Unknown field. ${elsewhere}`;
  const pager = PAGING.test(key) ? PAGERS.find(([skip]) => known.includes(skip)) : undefined;
  if (pager !== undefined) return `Unknown field. Pages go by ${pager.join(' and ')}.`;
  const meant = beside?.meaning?.get(plain(key)) ?? nearest(key, [...known, ...(beside?.fields ?? [])]);
  if (meant !== undefined)
    return isGiven(meant, place) ? given(meant) : `Unknown field. Did you mean ${meant}?`;
  return known.length === 0
    ? 'Unknown field. No field is known here: leave it out.'
    : `Unknown field. Known here: ${known.join(', ')}.`;
}

/** Who gave it has nothing to rename. */
function given(meant: string): string {
  return `Unknown field: leave it out, ${meant} is given already.`;
}

function isGiven(name: string, place: Place): boolean {
  return [place.given, place.beside?.given].some(
    (fields) => isFields(fields) && (fields[name] ?? undefined) !== undefined,
  );
}

/** Its letters alone, however its words are joined. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The name that this one is a slip of; undefined where none is. */
function nearest(key: string, names: readonly string[]): string | undefined {
  let found: { readonly name: string; readonly far: number } | undefined;
  for (const name of names) {
    const far = slips(wordsOf(key), wordsOf(name));
    if (far !== undefined && (found === undefined || far < found.far)) found = { name, far };
  }
  return found?.name;
}

/** How many letters differ, where no more do than by a slip of the pen. */
function slips(meant: readonly string[], known: readonly string[]): number | undefined {
  const [one, other] = withoutShared(meant, known);
  if (one.length === 0 && other.length === 0) return 0;
  // A word too many, or too few: `campaign` of `campaignId`.
  if (one.length === 0 || other.length === 0) return within(SHORT_WORD, meant.join(''), known.join(''));
  const [word, name] = [one.join(''), other.join('')];
  return within(word.length < LONG ? 1 : Math.floor(word.length / 3), word, name) ?? swapped(word, name);
}

const SHORT_WORD = 2;
const LONG = 6;

function within(most: number, word: string, name: string): number | undefined {
  const far = distance(word, name);
  // What shares no letter with a name is no slip of it, however short both are.
  return far <= most && far < Math.max(word.length, name.length) ? far : undefined;
}

/** Two letters in the place of each other. */
function swapped(word: string, name: string): number | undefined {
  const sorted = (text: string) => [...text].sort().join('');
  return sorted(word) === sorted(name) ? within(2, word, name) : undefined;
}

/** Without the words that both begin or end with: `startDate` is no slip of `endDate`. */
function withoutShared(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly string[], readonly string[]] {
  const least = Math.min(one.length, other.length);
  let first = 0;
  while (first < least && one[first] === other[first]) first += 1;
  let last = 0;
  while (last < least - first && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  return [one.slice(first, one.length - last), other.slice(first, other.length - last)];
}

function wordsOf(name: string): string[] {
  return name.split(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/).flatMap((word) => word.toLowerCase() || []);
}
