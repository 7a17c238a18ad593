import type { z } from 'zod';
import { asText } from './as-text.ts';
import { isFields } from './checks.ts';

/**
 * What the contract documents for an operation and this service does not do yet: `utmConfig` for a field,
 * `products[].pageId` for one in the entries of a list, `mode=performance` for a value of a field that is built,
 * `debug=true` for a flag that may say false, `frequencyCaps[1]` for what comes after the first of a list. A call that
 * gives one is answered NOT_IMPLEMENTED; it is never taken and passed over.
 */
export type NotBuilt = readonly string[];

/**
 * Unknown fields by their names (`packages[].canceled`), and unknown values (`mediaBuys[].action=pause`), each with the
 * way.
 */
export type Elsewhere = Readonly<Record<string, string>>;

type Path = readonly PropertyKey[];

/** Whether a field, or this value of it, is documented and not built. */
export function isNotBuilt(notBuilt: NotBuilt, path: Path, value: unknown): boolean {
  const name = nameAt(path);
  return [name, `${name}=${asText(value)}`, placeIn(path)].some((one) => notBuilt.includes(one));
}

/** `frequencyCaps[1]` of a place in a list. */
function placeIn(path: Path): string {
  return `${nameAt(path.slice(0, -1))}[${String(path.at(-1))}]`;
}

/** The places among those complained about that can be meant, told by their last name: of any number of them. */
export function placesNamed(notBuilt: NotBuilt, issues: readonly z.core.$ZodIssue[]): Path[] {
  const names = new Set(notBuilt.map(lastName));
  return issues.flatMap((issue): Path[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.filter((key) => names.has(key)).map((key) => [...issue.path, key]);
    }
    const beyond = firstBeyond(issue);
    if (beyond !== undefined && notBuilt.includes(placeIn(beyond))) return [beyond];
    return names.has(String(issue.path.findLast((step) => typeof step === 'string'))) ? [issue.path] : [];
  });
}

/** The place of the first entry that is too many in its list. */
function firstBeyond(issue: z.core.$ZodIssue): Path | undefined {
  if (issue.code !== 'too_big' || issue.origin !== 'array') return undefined;
  return [...issue.path, Number(issue.maximum)];
}

/** `pageId` of `products[].pageId`, `mode` of `mode=performance`. */
function lastName(name: string): string {
  const [field = ''] = name.split('=');
  return field.replace(/(\[\d*\])+$/, '').replace(/^.*\./, '');
}

/** `packages[].canceled` of a place in the list. */
export function nameAt(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

/** The input without what asks for nothing: null for what is not built, and false for a flag that is not. */
export function withoutUnasked(input: unknown, notBuilt: NotBuilt): unknown {
  if (notBuilt.length === 0 || !isFields(input)) return input;
  const unasked = notBuilt.filter((name) => asksNothing(input, name)).map((name) => name.replace(FLAG, ''));
  if (unasked.length === 0) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !unasked.includes(name)));
}

const FLAG = /=true$/;

function asksNothing(input: Readonly<Record<string, unknown>>, name: string): boolean {
  const field = name.replace(FLAG, '');
  if (!Object.hasOwn(input, field)) return false;
  return input[field] === null || (field !== name && asText(input[field]) === 'false');
}

/** What to do instead of an unknown field, or an unknown value. A name may be one that every object has. */
export function wayTo(name: string, elsewhere: Elsewhere = {}): string | undefined {
  return Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
}
