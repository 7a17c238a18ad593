import { z } from 'zod';
import { isFields } from './checks.ts';

/**
 * Inputs and answers, read by a program that is made from their schema once: walking through the schema with each of
 * them would cost about as much as the question to the database. What the program is not sure of the schema reads
 * itself, so that what passes, what comes out and what a refusal says are the schema's.
 */

type Fields = Record<string, unknown>;
type Reader = (value: unknown) => unknown;

/** What a reader gives for a value that it leaves to the schema. */
const DOUBTFUL = Symbol('doubtful');

const readers = new WeakMap<z.ZodObject, Reader>();

/** The answer as its schema makes it; throws as that does. */
export function readOutput(schema: z.ZodObject, answer: unknown): Fields {
  const reader = readers.get(schema) ?? keptReader(schema);
  const read = reader(answer);
  return isFields(read) ? read : schema.parse(answer);
}

/** An input as its schema makes it; undefined where that has to be asked. */
export function readInput(schema: z.ZodType, given: unknown): Fields | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const reader = readers.get(schema) ?? keptReader(schema);
  const read = reader(given);
  return isFields(read) ? read : undefined;
}

function keptReader(schema: z.ZodObject): Reader {
  const reader = new Program().readerOf(schema);
  readers.set(schema, reader);
  return reader;
}

/** Reads a part by its schema, where no program does. */
function ask(schema: z.ZodType, value: unknown): unknown {
  const read = schema.safeParse(value);
  return read.success ? read.data : DOUBTFUL;
}

/** The source of a reader: a function for each object and list, which call one another. */
class Program {
  readonly #names = new Map<z.ZodType, string>();
  readonly #functions: string[] = [];
  readonly #asked: z.ZodType[] = [];
  readonly #rules: Rule[] = [];

  readerOf(schema: z.ZodType): Reader {
    const main = this.#nameOf(schema);
    const make = new Function(
      'DOUBTFUL',
      'ask',
      'schemas',
      'rules',
      [...this.#functions, `return ${main};`].join('\n'),
    );
    return make(DOUBTFUL, ask, this.#asked, this.#rules);
  }

  /** The function that reads such a value. */
  #nameOf(schema: z.ZodType): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    const name = `read${this.#names.size}`;
    // Before its parts: a schema may hold itself.
    this.#names.set(schema, name);
    this.#functions.push(`function ${name}(value) {\n${this.#bodyOf(schema)}\n}`);
    return name;
  }

  #bodyOf(schema: z.ZodType): string {
    if (schema instanceof z.ZodObject && isPlainObject(schema)) return this.#objectBody(schema);
    if (schema instanceof z.ZodArray && isUnchecked(schema)) return this.#listBody(schema);
    this.#asked.push(schema);
    return `return ask(schemas[${this.#asked.length - 1}], value);`;
  }

  /** In the order of the schema; a field that may be left out is there where it was given, as undefined too. */
  #objectBody({ shape, def }: z.ZodObject): string {
    const fields = Object.entries(shape).map(([name, field], index) => ({
      key: JSON.stringify(name),
      held: `field${index}`,
      field: asType(field),
    }));
    const reading = fields.map(({ key, held, field }) =>
      mayBeLeftOut(field) || field instanceof z.ZodDefault
        ? `let ${held} = value[${key}]; ${this.#check(field, held)}`
        : `if (!(${key} in value)) return DOUBTFUL; let ${held} = value[${key}]; ${this.#check(field, held)}`,
    );
    const firstLeftOut = fields.findIndex(({ field }) => mayBeLeftOut(field));
    const always = fields.slice(0, firstLeftOut < 0 ? fields.length : firstLeftOut);
    return [
      `if (typeof value !== 'object' || value === null || Array.isArray(value)) return DOUBTFUL;`,
      ...(def.catchall === undefined ? [] : [onlyThese(Object.keys(shape))]),
      ...reading,
      `const read = { ${always.map(({ key, held }) => `${key}: ${held}`).join(', ')} };`,
      ...fields
        .slice(always.length)
        .map(({ key, held }) => `if (${held} !== undefined || ${key} in value) read[${key}] = ${held};`),
      'return read;',
    ].join('\n');
  }

  #listBody(schema: z.ZodArray): string {
    return [
      'if (!Array.isArray(value)) return DOUBTFUL;',
      'const read = new Array(value.length);',
      'for (let at = 0; at < value.length; at += 1) {',
      `let item = value[at]; ${this.#check(asType(schema.element), 'item')}`,
      'read[at] = item;',
      '}',
      'return read;',
    ].join('\n');
  }

  /** What has to hold of a variable, which is read in its place. */
  #check(schema: z.ZodType, held: string): string {
    if (schema instanceof z.ZodOptional && mayBeLeftOut(schema)) {
      return `if (${held} !== undefined) { ${this.#check(asType(schema.unwrap()), held)} }`;
    }
    if (schema instanceof z.ZodNullable && isUnchecked(schema)) {
      return `if (${held} !== null) { ${this.#check(asType(schema.unwrap()), held)} }`;
    }
    if (schema instanceof z.ZodNonOptional && isUnchecked(schema)) {
      return `if (${held} === undefined) return DOUBTFUL; ${this.#check(asType(schema.unwrap()), held)}`;
    }
    const instead = plainDefault(schema);
    if (schema instanceof z.ZodDefault && instead !== undefined) {
      const given = this.#check(asType(schema.unwrap()), held);
      return `if (${held} === undefined) ${held} = ${instead}; else { ${given} }`;
    }
    const test = testOf(schema, held) ?? this.#testOfText(schema, held);
    if (test !== undefined) return `if (!(${test})) return DOUBTFUL;`;
    return `${held} = ${this.#nameOf(schema)}(${held}); if (${held} === DOUBTFUL) return DOUBTFUL;`;
  }

  /** Text of some length, or under rules of our own. */
  #testOfText(schema: z.ZodType, held: string): string | undefined {
    if (!(schema instanceof z.ZodString)) return undefined;
    const { checks = [], format, coerce }: Said = schema.def;
    if (format !== undefined || coerce) return undefined;
    const tests = checks.map((check) => this.#testOfCheck(check, held));
    return tests.includes(undefined) ? undefined : [`typeof ${held} === 'string'`, ...tests].join(' && ');
  }

  #testOfCheck(check: unknown, held: string): string | undefined {
    const {
      check: kind,
      minimum,
      maximum,
      fn,
    }: Check = check instanceof z.core.$ZodCheck ? check._zod.def : {};
    if (kind === 'min_length' && typeof minimum === 'number') return `${held}.length >= ${minimum}`;
    if (kind === 'max_length' && typeof maximum === 'number') return `${held}.length <= ${maximum}`;
    if (kind !== 'custom' || !isRule(fn)) return undefined;
    this.#rules.push(fn);
    return `rules[${this.#rules.length - 1}](${held})`;
  }
}

/** What `refine` was given: whether a value may be. */
type Rule = (value: unknown) => unknown;

function isRule(given: unknown): given is Rule {
  return typeof given === 'function';
}

/** What zod keeps of a check of ours: its kind, and its bound or its rule. */
interface Check {
  readonly check?: string;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly fn?: unknown;
}

/** Refuses fields that nobody knows. */
function onlyThese(names: readonly string[]): string {
  const known = names.map((name) => `name !== ${JSON.stringify(name)}`).join(' && ') || 'true';
  return `for (const name in value) if (${known}) return DOUBTFUL;`;
}

/** The source of what a field is where it was left out; undefined where it is made anew each time, or nothing is. */
function plainDefault(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodDefault) || !isUnchecked(schema)) return undefined;
  const { defaultValue } = schema.def;
  return ['string', 'number', 'boolean'].includes(typeof defaultValue)
    ? JSON.stringify(defaultValue)
    : undefined;
}

/** Whether a value without parts is one of these; undefined where that takes more than a look. */
function testOf(schema: z.ZodType, held: string): string | undefined {
  if (schema instanceof z.ZodNumber && isInteger(schema)) return `Number.isSafeInteger(${held})`;
  if (!isUnchecked(schema)) return undefined;
  if (schema instanceof z.ZodNumber) return `Number.isFinite(${held})`;
  if (schema instanceof z.ZodBoolean) return `typeof ${held} === 'boolean'`;
  if (schema instanceof z.ZodEnum) return isOneOf(schema.options, held);
  return schema instanceof z.ZodLiteral ? isOneOf([...schema.values], held) : undefined;
}

function isOneOf(values: readonly unknown[], held: string): string | undefined {
  if (values.length === 0 || !values.every((value) => typeof value === 'string')) return undefined;
  return values.map((value) => `${held} === ${JSON.stringify(value)}`).join(' || ');
}

/** What a schema says beside its type. A format is a check, too. */
interface Said {
  readonly checks?: readonly unknown[] | undefined;
  readonly format?: unknown;
  readonly coerce?: unknown;
}

function isUnchecked({ def }: z.ZodType): boolean {
  const { checks = [], format, coerce }: Said = def;
  return checks.length === 0 && format === undefined && !coerce;
}

/** A whole number, and nothing else is said of it. */
function isInteger({ def, format }: z.ZodNumber): boolean {
  const { checks = [], coerce }: Said = def;
  return checks.length === 1 && format === 'safeint' && !coerce;
}

/** An object whose further fields are left away without a word, or refused. */
function isPlainObject({ def, shape }: z.ZodObject): boolean {
  const { checks = [], catchall } = def;
  const isClosed = catchall instanceof z.ZodNever && isUnchecked(catchall);
  return checks.length === 0 && (catchall === undefined || isClosed) && !Object.hasOwn(shape, '__proto__');
}

/** A field that is absent where it was not given. What puts something in its place the schema reads itself. */
function mayBeLeftOut(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional && isUnchecked(schema) && !givesDefault(asType(schema.unwrap()));
}

function givesDefault(schema: z.ZodType): boolean {
  const { success, data } = schema.safeParse(undefined);
  return success && data !== undefined;
}

function asType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error('A schema is none of zod’s own.');
}
