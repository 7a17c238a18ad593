import { closest, distance } from 'fastest-levenshtein';

/** What others call the fields that page a list. */
const PAGING = /^(?:page(?:_?(?:number|index|size|token))?|per_?page|cursor)$/i;
const PAGERS: readonly (readonly [string, string])[] = [
  ['skip', 'take'],
  ['groupOffset', 'groupLimit'],
];

/** What is said of a field that nobody knows, where others are. */
export function unknownField(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'Unknown field. No field is known here: leave it out.';
  // One form of an object lacks what another has.
  if (known.includes(key)) return 'It does not go with what else is given here: leave it out.';
  const pager = PAGING.test(key) ? PAGERS.find(([skip]) => known.includes(skip)) : undefined;
  if (pager !== undefined) return `Unknown field. Pages go by ${pager.join(' and ')}.`;
  const meant = key.toLowerCase();
  const near = closest(
    meant,
    known.map((name) => name.toLowerCase()),
  );
  const far = distance(meant, near);
  // What shares no letter with a name is no slip of it, however short both are.
  const close = far <= Math.max(2, key.length / 2) && far < Math.max(meant.length, near.length);
  const name = known.find((one) => one.toLowerCase() === near);
  return close ? `Unknown field. Did you mean ${name}?` : `Unknown field. Known here: ${known.join(', ')}.`;
}
