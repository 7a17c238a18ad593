import { z } from 'zod';
import { fieldsInBothCases, inOtherCase } from './both-cases.ts';
import { isDay, isFields } from './checks.ts';
import { bare, schemaAt } from './schema-parts.ts';

type Path = readonly PropertyKey[];

/** So many complaints are worth a second look; who has more of them means something else. */
const PLACES_MAX = 50;

/** Stands for a value that goes. */
const LEFT_OUT = Symbol('left out');

/** A value for a place. */
interface Change {
  readonly at: Path;
  readonly value: unknown;
}

interface Refused {
  readonly schema: z.ZodType;
  readonly input: unknown;
  readonly issues: readonly z.core.$ZodIssue[];
  /** True where fields narrow what is read. */
  readonly reads: boolean;
}

/**
 * An input that was refused, with what can be meant in one way only put right: null for a field that may be left
 * out, numbers and truth values as text, one thing for a list of one, words in another case, a day for a moment.
 * Undefined where nothing of it could. Only looked at once an input was refused: others pay nothing for it.
 */
export function mended({ schema, input, issues, reads }: Refused): unknown {
  if (!isFields(input)) return undefined;
  const names = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? renamed({ schema, input, issue }) : [],
  );
  // A name in the other case, which is two changes, is two complaints: it is unknown, and the known one may be missing.
  if (complaintsIn(issues) - names.length > PLACES_MAX) return undefined;
  const changes = [...names, ...issues.flatMap((issue) => meant({ schema, input, issue, reads }) ?? [])];
  if (changes.length === 0) return undefined;
  const copy = structuredClone(input);
  for (const change of changes) put(copy, change);
  return copy;
}

/** Each unknown field is one: a copy of thousands of them would be made for nothing. */
function complaintsIn(issues: Refused['issues']): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
}

interface Unknown extends Pick<Refused, 'schema' | 'input'> {
  readonly issue: z.core.$ZodIssueUnrecognizedKeys;
}

/** Fields in the other case, where both are taken and the first one is not there. */
function renamed({ schema, input, issue: { path, keys } }: Unknown): Change[] {
  const known = fieldsInBothCases(schemaAt(schema, path));
  const fields = valueAt(input, path);
  if (known === undefined || !isFields(fields)) return [];
  return keys.flatMap((key) => {
    const name = inOtherCase(key);
    if (!Object.hasOwn(known, name) || Object.hasOwn(fields, name)) return [];
    return [
      { at: [...path, name], value: fields[key] },
      { at: [...path, key], value: LEFT_OUT },
    ];
  });
}

interface Place extends Pick<Refused, 'schema' | 'input' | 'reads'> {
  readonly issue: z.core.$ZodIssue;
}

function meant({ schema, input, issue, reads }: Place): Change | undefined {
  const at = issue.path;
  const value = valueAt(input, at);
  const here = schemaAt(schema, at);
  if (value === undefined || here === undefined) return undefined;
  if (value === null) return here.safeParse(undefined).success ? { at, value: LEFT_OUT } : undefined;
  switch (issue.code) {
    case 'invalid_type':
      return changed(at, ofType(issue.expected, value, at));
    case 'invalid_format':
      return issue.format === 'datetime' ? changed(at, momentOf(value, at)) : undefined;
    case 'invalid_value':
      return wordFor(value, { at, words: wordsOf(bare(here)), reads });
    default:
      return undefined;
  }
}

function changed(at: Path, value: unknown): Change | undefined {
  return value === undefined ? undefined : { at, value };
}

interface Words extends Pick<Refused, 'reads'> {
  readonly at: Path;
  readonly words: readonly string[];
}

/** A word of the list in another case, or with other joints; where a state is looked for, `ALL` is no filter. */
function wordFor(value: unknown, { at, words, reads }: Words): Change | undefined {
  if (typeof value !== 'string') return undefined;
  const same = words.filter((word) => plain(word) === plain(value));
  if (same.length === 1) return { at, value: same[0] };
  return reads && plain(value) === 'all' && nameOf(at) === 'status' ? everything(at, words) : undefined;
}

/** No filter; where words can be listed, all of them. */
function everything(at: Path, words: readonly string[]): Change {
  return typeof at.at(-1) === 'number' ? { at: at.slice(0, -1), value: words } : { at, value: LEFT_OUT };
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,10})?$/;

function ofType(expected: string, value: unknown, path: Path): unknown {
  if (typeof value === 'number') return fromNumber(expected, value, path);
  return typeof value === 'string' ? fromText(expected, value.trim(), path) : undefined;
}

/** A number is a list of one, or an id where ids are text. */
function fromNumber(expected: string, value: number, path: Path): unknown {
  if (expected === 'array') return [value];
  return expected === 'string' && /id$/i.test(nameOf(path)) ? String(value) : undefined;
}

function fromText(expected: string, text: string, path: Path): unknown {
  // Who says all of them names none of them, but where it stands for no filter.
  if (expected === 'array') return /^(all|\*)$/i.test(text) && nameOf(path) !== 'status' ? undefined : [text];
  if (expected === 'boolean') return TRUTH.get(text.toLowerCase());
  return ['number', 'int'].includes(expected) && DECIMAL.test(text) ? Number(text) : undefined;
}

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function wordsOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '_');
}

/** A day starts at midnight UTC, and where something ends with it, it ends with its last millisecond. */
function momentOf(value: unknown, path: Path): unknown {
  if (!isDay(value)) return undefined;
  return `${value}T${/^end/i.test(nameOf(path)) ? '23:59:59.999' : '00:00:00.000'}Z`;
}

/** The name of the field, for an entry that of its list. */
function nameOf(path: Path): string {
  return String(path.findLast((step) => typeof step === 'string') ?? '');
}

export function valueAt(input: unknown, path: Path): unknown {
  let here = input;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = Reflect.get(here, step);
  }
  return here;
}

function put(input: object, { at, value }: Change): void {
  const last = at.at(-1);
  const holder = valueAt(input, at.slice(0, -1));
  if (last === undefined || typeof holder !== 'object' || holder === null) return;
  if (value === LEFT_OUT) Reflect.deleteProperty(holder, last);
  else Reflect.set(holder, last, value);
}
