import type { Targeting } from '../../../store/discovery-selections.ts';
import { asText } from '../../core/schemas/as-text.ts';
import { AREAS, countriesOf, withinCountries } from '../campaigns/areas.ts';
import { countriesWanted, targetingOf } from '../campaigns/constraints.ts';
import { PAIRS, type Pair } from '../campaigns/in-and-out.ts';

/** Whom a product reaches, by what its campaign says and what its choice says beside it. Pure. */

type List = readonly unknown[];

/** What an overlay says: an empty list says nothing. */
export function saidIn(overlay: Targeting): Targeting {
  return Object.fromEntries(
    Object.entries(overlay).filter(
      ([, value]) => value !== undefined && !(isList(value) && value.length === 0),
    ),
  );
}

/** A field in which the two leave nobody. */
export interface Emptied {
  readonly field: string;
  readonly message: string;
}

/** Both at once: what both name, and neither what one of them leaves out. The overlay never widens a campaign. */
export function combined(
  campaign: Targeting,
  given: Targeting,
): { targeting: Targeting; emptied: Emptied[] } {
  const overlay: Targeting = { ...given, ...targetingOf(given) };
  const targeting: Record<string, unknown> = { ...campaign };
  const emptied: Emptied[] = [];
  for (const [field, own] of Object.entries(overlay)) {
    const wide = campaign[field];
    if (!isList(wide) || !isList(own)) targeting[field] = own;
    else if (field.endsWith('_exclude')) targeting[field] = together(wide, own);
    else {
      const left = shared(wide, own);
      targeting[field] = left;
      if (left.length === 0) emptied.push({ field, message: `The campaign stays in ${told(wide)}.` });
    }
  }
  const both = { campaign, overlay };
  const left = withoutLeftOut(targeting, both);
  const near = withinCountries(left.targeting);
  const all = [
    ...emptied,
    ...left.emptied,
    ...beyondCountries(both),
    ...near.emptied.flatMap((field) => areasEmptiedBy(field, left.targeting, both)),
  ];
  return { targeting: near.targeting, emptied: all.filter(isFirst) };
}

/** One complaint a field, the plainest. */
function isFirst({ field }: Emptied, index: number, all: readonly Emptied[]): boolean {
  return all.findIndex((one) => one.field === field) === index;
}

interface Both {
  readonly campaign: Targeting;
  readonly overlay: Targeting;
}

/** What one of the two wants and the other leaves out is left out: sellers are told nothing both ways. */
function withoutLeftOut(targeting: Targeting, both: Both): { targeting: Targeting; emptied: Emptied[] } {
  const after: Record<string, unknown> = { ...targeting };
  const emptied: Emptied[] = [];
  for (const pair of PAIRS) {
    const [stay, gone] = [targeting[pair.wanted], targeting[pair.out]];
    if (!isList(stay) || !isList(gone) || stay.length === 0) continue;
    const left = without(stay, gone);
    if (left.length > 0) after[pair.wanted] = left;
    else emptied.push(...emptiedBy(pair, both));
  }
  return { targeting: after, emptied };
}

/**
 * Where nobody is left: the place in the overlay. A campaign that wants and leaves out the same alone is told as it is.
 */
function emptiedBy({ wanted, out }: Pair, { campaign, overlay }: Both): Emptied[] {
  const [stay, gone] = [campaign[wanted], campaign[out]];
  if (isList(overlay[wanted]) && isList(gone)) {
    return [{ field: wanted, message: `The campaign leaves out ${told(gone)}.` }];
  }
  return isList(overlay[out]) && isList(stay)
    ? [{ field: out, message: `The campaign stays in ${told(stay)}.` }]
    : [];
}

/** Areas of countries that the campaign does not run in. */
function beyondCountries({ campaign, overlay }: Both): Emptied[] {
  const stay = countriesWanted(campaign);
  if (stay === undefined) return [];
  return AREAS.flatMap((field) =>
    countriesOf(overlay, [field]).every((country) => stay.includes(country))
      ? []
      : [{ field, message: `The campaign stays in ${told(stay)}.` }],
  );
}

/**
 * Areas of which none is left: the place in the overlay. Those that a campaign leaves out by itself are its own matter.
 */
function areasEmptiedBy(
  field: (typeof AREAS)[number],
  targeting: Targeting,
  { campaign, overlay }: Both,
): Emptied[] {
  const around = countriesOf(targeting, [field]);
  const { geo_countries: stay, geo_countries_exclude: gone } = overlay;
  if (isList(overlay[field])) {
    const out = campaign['geo_countries_exclude'];
    const isOut = isList(out) && around.some((country) => out.includes(country));
    const words = isOut ? `leaves out ${told(out)}` : `stays in ${told(countriesWanted(campaign) ?? around)}`;
    return [{ field, message: `The campaign ${words}.` }];
  }
  const message = `The campaign stays in ${told(around)}.`;
  if (isList(stay) && !around.every((country) => stay.includes(country))) {
    return [{ field: 'geo_countries', message }];
  }
  return isList(gone) && around.some((country) => gone.includes(country))
    ? [{ field: 'geo_countries_exclude', message }]
    : [];
}

interface Coded {
  readonly system: string;
  readonly values: readonly string[];
}

function isList(value: unknown): value is List {
  return Array.isArray(value);
}

function isCoded(entry: unknown): entry is Coded {
  return typeof entry === 'object' && entry !== null && 'system' in entry && 'values' in entry;
}

function keyOf({ values: _, ...system }: Coded): string {
  return JSON.stringify(Object.entries(system).sort());
}

/** The codes of a list, each by its system, the same in whatever letters. */
function codesOf(list: List): ReadonlySet<string> {
  return new Set(list.filter(isCoded).flatMap((entry) => entry.values.map((code) => codeOf(entry, code))));
}

function codeOf(entry: Coded, code: string): string {
  return `${keyOf(entry)} ${code.toLowerCase()}`;
}

/** An entry with those of its codes that are to stay; none where none is. */
function withCodes(entry: Coded, stays: (code: string) => boolean): Coded[] {
  const values = entry.values.filter((code) => stays(codeOf(entry, code)));
  return values.length === 0 ? [] : [{ ...entry, values }];
}

/** What both lists have: words, or the codes that both have of one system. Other things are the choice's to say. */
function shared(wide: List, own: List): List {
  if (!own.every(isCoded)) return own.every(isWord) ? own.filter((one) => wide.includes(one)) : own;
  const known = codesOf(wide);
  return own.flatMap((entry) => withCodes(entry, (code) => known.has(code)));
}

/** The words of a list that are not in the other, or its codes that are not in the other under the same system. */
function without(list: List, gone: List): List {
  const codes = codesOf(gone);
  return list.flatMap((entry) => {
    if (isCoded(entry)) return withCodes(entry, (code) => !codes.has(code));
    return gone.includes(entry) ? [] : [entry];
  });
}

function together(wide: List, own: List): List {
  return wide.every(isWord) && own.every(isWord) ? [...new Set([...wide, ...own])] : [...wide, ...own];
}

function isWord(value: unknown): value is string {
  return typeof value === 'string';
}

const NAMED_MAX = 10;

function told(list: List): string {
  return list
    .flatMap((entry) => (isCoded(entry) ? entry.values : [asText(entry)]))
    .slice(0, NAMED_MAX)
    .join(', ');
}
