import type { z } from 'zod';
import { asWritten } from './both-cases.ts';
import type { Effect, Tool } from './define.ts';
import type { Issue } from './errors/app-error.ts';
import { errorEntry } from './errors/catalogue.ts';
import { ISSUES_MAX } from './errors/few-issues.ts';
import { invalidInput, notImplemented } from './errors/refusals.ts';
import { LOOK_UP } from './json-schema.ts';
import { mended, valueAt } from './mending.ts';
import {
  type Elsewhere,
  isNotBuilt,
  type NotBuilt,
  nameOf as nameAt,
  placesNamed,
  wayTo,
  withoutUnasked,
} from './not-built.ts';
import { bare, fieldsAt, schemaAt } from './schema-parts.ts';
import { readInput } from './schema-readers.ts';
import { type Respelled, respell } from './spellings.ts';
import { unknownField } from './unknown-field.ts';

type Fields = Readonly<Record<string, unknown>>;
type Parsed = ReturnType<Tool['input']['safeParse']>;

/** A stream, which has no effect, only reads. */
type Reader = Pick<Tool, 'input' | 'spellings' | 'notBuilt' | 'elsewhere'> & { readonly effect?: Effect };

/** How the caller spelled the fields of an input that was parsed. */
const spelled = new WeakMap<object, (path: string) => string>();

/** What the caller called a field, for a complaint that only the stored state gives rise to. */
export function nameGiven(input: object, path: string): string {
  return spelled.get(input)?.(path) ?? path;
}

/**
 * The input as the tool wants it, or what is wrong with it, at once, each under the name that the caller used
 * (interface, Errors: `details.issues`).
 */
export function parseInput(tool: Reader, raw: unknown): Fields {
  const respelled = tool.spellings === undefined ? undefined : respell(raw, tool.spellings);
  const given = respelled === undefined ? raw : respelled.input;
  const first = read(tool.input, given);
  const { result, input } = first.success ? { result: first, input: given } : secondLook(tool, first, given);
  const doubled = respelled?.issues ?? [];
  const nameOf = namesIn(tool.input, { respelled, given, read: input });
  if (result.success && doubled.length === 0) {
    if (nameOf !== undefined) spelled.set(result.data, nameOf);
    return result.data;
  }
  const { input: schema, elsewhere } = tool;
  const complaints = { schema, elsewhere, input, found: result.error?.issues ?? [], doubled, nameOf };
  throw refusalFor(complaints, tool.notBuilt ?? []);
}

/** What is right as it is need not be asked of the schema. */
function read(schema: Tool['input'], given: unknown): Parsed {
  const data = readInput(schema, given);
  return data === undefined ? schema.safeParse(given) : { success: true, data };
}

type NameOf = (path: string) => string;

interface Read {
  readonly respelled: Respelled | undefined;
  readonly given: unknown;
  /** As it was given, or mended. */
  readonly read: unknown;
}

/** What the caller called a path, where that may be something else. */
function namesIn(schema: z.ZodType, { respelled, given, read }: Read): NameOf | undefined {
  if (read === given) return respelled?.nameGiven;
  return (path) => {
    const written = asWritten(schema, given, path);
    return respelled?.nameGiven(written) ?? written;
  };
}

function refusalFor(complaints: Complaints, notBuilt: NotBuilt) {
  const missing = notBuiltIn(complaints, notBuilt);
  return missing.length > 0 ? notImplemented(missing) : refusalOf(complaints);
}

/** The documented fields and values that were given and are not built: whatever else is wrong, they stay so. */
function notBuiltIn({ input, found, nameOf }: Complaints, notBuilt: NotBuilt): string[] {
  if (notBuilt.length === 0) return [];
  return placesNamed(notBuilt, found)
    .filter((path) => isNotBuilt(notBuilt, path, valueAt(input, path)))
    .map((path) => path.map(String).join('.'))
    .map((path) => nameOf?.(path) ?? path);
}

/** One thing for a list of one may have to be mended itself. */
const LOOKS = 2;

function secondLook(
  { input: schema, effect = 'read', notBuilt = [] }: Reader,
  first: Parsed,
  given: unknown,
) {
  const asked = withoutUnasked(given, notBuilt);
  let seen = { result: asked === given ? first : schema.safeParse(asked), input: asked };
  for (let look = 0; look < LOOKS && !seen.result.success; look += 1) {
    const { issues } = seen.result.error;
    const better = mended({ schema, input: seen.input, issues, reads: effect === 'read' });
    if (better === undefined) break;
    seen = { result: schema.safeParse(better), input: better };
  }
  return seen;
}

interface Complaints {
  readonly schema: z.ZodType;
  readonly elsewhere: Elsewhere | undefined;
  readonly input: unknown;
  readonly found: readonly z.core.$ZodIssue[];
  /** Fields that came under two names with two values. */
  readonly doubled: readonly Issue[];
  readonly nameOf: NameOf | undefined;
}

/** Words for as many problems as are named; the others are counted, and cost nothing else. */
function refusalOf({ schema, elsewhere, input, found, doubled, nameOf }: Complaints) {
  const issues = [...doubled];
  const lookUps = new Set<string>();
  let total = doubled.length;
  for (const issue of found.filter(saysMore)) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    total += keys.length;
    for (const key of keys.slice(0, Math.max(0, ISSUES_MAX - issues.length))) {
      const { path, message } = wordsFor({ schema, elsewhere, input }, issue, key);
      issues.push({ path: nameOf?.(path) ?? path, message });
    }
    const lookUp = lookUpAt(schema, issue.path);
    if (lookUp !== undefined && issues.length <= ISSUES_MAX) lookUps.add(lookUp);
  }
  return invalidInput(issues, { total, ...suggested([...lookUps], issues.length) });
}

/** How the id that belongs there is found, where an id is wanted. */
function lookUpAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  const wanted = schemaAt(schema, path);
  const told = wanted === undefined ? undefined : bare(wanted).meta()?.[LOOK_UP];
  return typeof told === 'string' ? told : undefined;
}

/** Where more is wrong than ids are, that comes first. */
function suggested(lookUps: readonly string[], problems: number) {
  const { suggestion: correct = '' } = errorEntry('VALIDATION_ERROR');
  const all = lookUps.length < problems ? [correct, ...lookUps] : lookUps;
  return lookUps.length === 0 ? {} : { suggestion: all.slice(0, LOOK_UPS_MAX).join(' ') };
}

/** So many ways to ids are told at once. */
const LOOK_UPS_MAX = 4;

/** A number that is beyond what numbers can hold is beyond the bound of its field too, which is told next. */
function saysMore(issue: z.core.$ZodIssue, at: number, found: readonly z.core.$ZodIssue[]): boolean {
  const isWidest =
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);
  if (!isWidest) return true;
  const next = found[at + 1];
  return next === undefined || next.code !== issue.code || next.path.join('.') !== issue.path.join('.');
}

/** As much of a name as is repeated to whoever invented it. */
const NAME_MAX = 80;

function wordsFor(
  { schema, elsewhere, input }: Pick<Complaints, 'schema' | 'elsewhere' | 'input'>,
  issue: z.core.$ZodIssue,
  key: string | undefined,
): Issue {
  const known = fieldsAt(schema, issue.path);
  const path = issue.path.map(String);
  if (key === undefined) {
    const given = valueAt(input, issue.path);
    const way = typeof given === 'string' ? wayTo(`${nameAt(issue.path)}=${given}`, elsewhere) : undefined;
    const message = messageOf(issue, known, input);
    return { path: path.join('.'), message: way === undefined ? message : `${message} ${way}` };
  }
  const name = key.length <= NAME_MAX ? key : `${key.slice(0, NAME_MAX).replace(/[\ud800-\udbff]$/, '')}…`;
  const message = wayTo(nameAt([...issue.path, key]), elsewhere) ?? unknownField(name, known);
  return { path: [...path, name].join('.'), message };
}

/** What the schema says itself begins like this when nobody gave it words. */
const NO_WORDS = /^Invalid (?:input|option)\b/;

/** `known` are the fields of the object that is wanted at the place, if one is. */
export function messageOf(issue: z.core.$ZodIssue, known: readonly string[], input: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return wanted(issue, known, valueAt(input, issue.path));
    case 'invalid_value':
      return `Give one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `${bound('Less than', 'at the most', issue, issue.maximum)}.`;
    case 'too_small':
      return `${bound('More than', 'at the least', issue, issue.minimum)}.`;
    default:
      return sentence(issue.message);
  }
}

/** What has to be there, of which type. */
function wanted(issue: z.core.$ZodIssueInvalidType, known: readonly string[], given: unknown): string {
  const fields = known.length === 0 ? '' : ` with ${known.join(', ')}`;
  const instead = typeof given === 'string' && /^\s*[[{]/.test(given) ? ', not its JSON as text' : '';
  const words = NO_WORDS.test(issue.message)
    ? `Give ${kindOf(issue.expected)}${fields}${instead}.`
    : sentence(issue.message);
  return given === undefined || given === null ? words.replace(/^Give/, 'Required: give') : words;
}

interface Bound {
  readonly origin: string;
  readonly inclusive?: boolean | undefined;
}

// biome-ignore lint/complexity/useMaxParams: the words of both forms, and what they are about.
function bound(outside: string, inside: string, { inclusive, origin }: Bound, limit: number | bigint) {
  return inclusive === false ? `${outside} ${limit}` : `${limit}${unitOf(origin, limit)} ${inside}`;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function unitOf(origin: string, limit: number | bigint): string {
  const isOne = Number(limit) === 1;
  if (origin === 'string') return isOne ? ' character' : ' characters';
  if (origin !== 'array' && origin !== 'set') return '';
  return isOne ? ' entry' : ' entries';
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
};

function kindOf(expected: string): string {
  return KINDS[expected] ?? (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
}
