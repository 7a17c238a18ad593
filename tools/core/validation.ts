import type { z } from 'zod';
import type { Beside } from './beside-input.ts';
import type { Effect, Tool } from './define.ts';
import type { AppError, Issue } from './errors/app-error.ts';
import { calledOtherwise } from './errors/called-otherwise.ts';
import { errorEntry } from './errors/catalogue.ts';
import { ISSUES_MAX } from './errors/few-issues.ts';
import { invalidInput, notImplemented } from './errors/refusals.ts';
import { asWritten } from './schemas/both-cases.ts';
import { mended, valueAt } from './schemas/input-mending.ts';
import { messageOf } from './schemas/issue-words.ts';
import { LOOK_UP } from './schemas/json-schema.ts';
import {
  type Elsewhere,
  isNotBuilt,
  type NotBuilt,
  nameAt,
  placesNamed,
  wayTo,
  withoutUnasked,
} from './schemas/not-built.ts';
import { bare, fieldsAt, schemaAt } from './schemas/schema-parts.ts';
import { readInput } from './schemas/schema-readers.ts';
import { type Respelled, respell } from './schemas/spellings.ts';
import { beginningOf } from './text-beginning.ts';
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

/** A refusal with its places under the names that the caller used, whoever found them wrong. */
export function asGiven(refusal: AppError, input: object | null): AppError {
  const nameOf = input === null ? undefined : spelled.get(input);
  return nameOf === undefined ? refusal : calledOtherwise(refusal, nameOf);
}

/**
 * The input as the tool wants it, or what is wrong with it, at once, each under the name that the caller used
 * (interface, Errors: `details.issues`). `beside` is asked where a field is unknown.
 */
export function parseInput(tool: Reader, raw: unknown, beside?: () => Beside): Fields {
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
  const complaints = { schema, elsewhere, beside, input, found: result.error?.issues ?? [], doubled, nameOf };
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
  const names = placesNamed(notBuilt, found)
    .filter((path) => isNotBuilt(notBuilt, path, valueAt(input, path)))
    .map((path) => path.map(String).join('.'))
    .map((path) => nameOf?.(path) ?? path);
  // Once, however much else is wrong with it.
  return [...new Set(names)];
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
  readonly beside: (() => Beside) | undefined;
  readonly input: unknown;
  readonly found: readonly z.core.$ZodIssue[];
  /** Fields that came under two names with two values. */
  readonly doubled: readonly Issue[];
  readonly nameOf: NameOf | undefined;
}

/** Words for as many problems as are named; the others are counted, and cost nothing else. */
function refusalOf(complaints: Complaints) {
  const { schema, found, doubled, nameOf } = complaints;
  const issues = [...doubled];
  const lookUps = new Set<string>();
  let total = doubled.length;
  for (const issue of found.filter(saysMore)) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    total += keys.length;
    for (const key of keys.slice(0, Math.max(0, ISSUES_MAX - issues.length))) {
      const { path, message } = wordsFor(complaints, issue, key);
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
  { schema, elsewhere, beside, input }: Complaints,
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
  const name = key.length <= NAME_MAX ? key : `${beginningOf(key, NAME_MAX)}…`;
  const place = {
    known,
    given: valueAt(input, issue.path),
    beside: path.length === 0 ? beside?.() : undefined,
  };
  const message = wayTo(nameAt([...issue.path, key]), elsewhere) ?? unknownField(name, place);
  return { path: [...path, name].join('.'), message };
}
