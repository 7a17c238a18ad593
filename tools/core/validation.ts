import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import type { Tool } from './define.ts';
import type { Issue } from './errors/app-error.ts';
import { invalidInput } from './errors/refusals.ts';
import { respell } from './spellings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How the caller spelled the fields of an input that was parsed. */
const spelled = new WeakMap<object, (path: string) => string>();

/** What the caller called a field, for a complaint that only the stored state gives rise to. */
export function nameGiven(input: object, path: string): string {
  return spelled.get(input)?.(path) ?? path;
}

/**
 * The input as the tool wants it, or every complaint about it at once, each under the name that the caller
 * used (interface, Errors: `details.issues`).
 */
export function parseInput(tool: Pick<Tool, 'input' | 'spellings'>, raw: unknown): Fields {
  const respelled = tool.spellings === undefined ? undefined : respell(raw, tool.spellings);
  const given = respelled === undefined ? raw : respelled.input;
  const result = tool.input.safeParse(given);
  const doubled = respelled?.issues ?? [];
  if (result.success && doubled.length === 0) {
    if (respelled !== undefined) spelled.set(result.data, respelled.nameGiven);
    return result.data;
  }
  const found = result.success ? [] : issuesOf(tool.input, given);
  const named = found.map((issue) => ({ ...issue, path: respelled?.nameGiven(issue.path) ?? issue.path }));
  throw invalidInput([...doubled, ...named]);
}

/** Parses once more, now with what was given beside each complaint: most input needs no such care. */
function issuesOf(schema: z.ZodType, given: unknown): Issue[] {
  const { error } = schema.safeParse(given, { reportInput: true });
  return (error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.map(String);
    const known = knownFields(schema, path);
    if (issue.code !== 'unrecognized_keys')
      return [{ path: path.join('.'), message: messageOf(issue, known) }];
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: unknownField(key, known) }));
  });
}

/** `known` are the fields of the object that is wanted at the place, if one is. */
function messageOf(issue: z.core.$ZodIssue, known: readonly string[]): string {
  switch (issue.code) {
    case 'invalid_type': {
      const fields = known.length === 0 ? '' : ` with ${known.join(', ')}`;
      return `${issue.input === undefined ? 'Required: give' : 'Give'} ${kindOf(issue.expected)}${fields}.`;
    }
    case 'invalid_value':
      return `Give one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `${Number(issue.maximum)}${unitOf(issue.origin)} at the most.`;
    case 'too_small':
      return `${Number(issue.minimum)}${unitOf(issue.origin)} at the least.`;
    default:
      return issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' entries' : '';
}

function kindOf(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function unknownField(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'Unknown field. No field is known here.';
  const near = closest(key, [...known]);
  const close = distance(key.toLowerCase(), near.toLowerCase()) <= Math.max(2, key.length / 2);
  return close ? `Unknown field. Did you mean ${near}?` : `Unknown field. Known here: ${known.join(', ')}.`;
}

/** The fields of the object at a path, as far as the schema can be followed there. */
function knownFields(schema: z.ZodType, path: readonly string[]): string[] {
  let here: unknown = schema;
  for (const step of path) here = inside(bare(here), step);
  const shape = shapeOf(bare(here));
  return shape === undefined ? [] : Object.keys(shape);
}

interface SchemaParts {
  readonly def?: {
    readonly innerType?: unknown;
    readonly out?: unknown;
    readonly in?: unknown;
    readonly element?: unknown;
    readonly shape?: Readonly<Record<string, unknown>>;
    readonly type?: string;
  };
}

function partsOf(schema: unknown): SchemaParts['def'] {
  return isParts(schema) ? schema.def : undefined;
}

function isParts(value: unknown): value is SchemaParts {
  return typeof value === 'object' && value !== null && 'def' in value;
}

/** The schema without what wraps it: optional, default, nullable, pipe. */
function bare(schema: unknown): unknown {
  const def = partsOf(schema);
  if (def?.innerType !== undefined) return bare(def.innerType);
  if (def?.type === 'pipe') return bare(partsOf(def.in)?.type === 'transform' ? def.out : def.in);
  return schema;
}

function inside(schema: unknown, step: string): unknown {
  const def = partsOf(schema);
  return def?.element ?? def?.shape?.[step];
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  return partsOf(schema)?.shape;
}
