import type { IncomingMessage } from 'node:http';
import { isFields } from '../../tools/core/checks.ts';
import type { Tool } from '../../tools/core/define.ts';
import { badRequest, invalid } from '../../tools/core/errors/refusals.ts';
import { ID_MARK, type JsonSchema, markedSchema } from '../../tools/core/json-schema.ts';
import { type BodyLimits, readJson, refuseUnsafe } from '../http/body.ts';

type Fields = Record<string, unknown>;
type Kind = 'number' | 'id' | 'boolean' | 'numbers' | 'texts' | 'text';

/** How the text of each field in a path or query is read: by the type its schema publishes. */
export type Kinds = ReadonlyMap<string, Kind>;

export function kindsOf(tool: Pick<Tool, 'input' | 'spellings'>): Kinds {
  const properties = propertiesOf(markedSchema(tool.input, 'input'));
  const kinds = new Map(Object.entries(properties).map(([name, property]) => [name, kindOf(property)]));
  for (const [canonical, others] of Object.entries(tool.spellings ?? {})) {
    const kind = kinds.get(canonical);
    for (const other of others) if (kind !== undefined && !other.includes('.')) kinds.set(other, kind);
  }
  return kinds;
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const { properties } = schema;
  return isFields(properties) ? Object.fromEntries(Object.entries(properties).filter(isSchemaEntry)) : {};
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, JsonSchema] {
  return isFields(entry[1]);
}

function kindOf(schema: JsonSchema): Kind {
  if (schema[ID_MARK] === true) return 'id';
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return isFields(schema['items']) && isNumber(kindOf(schema['items'])) ? 'numbers' : 'texts';
    default:
      return 'text';
  }
}

const isNumber = (kind: Kind) => kind === 'number' || kind === 'id';

/** The type of the value, where null may stand for it. */
function typeOf({ type, anyOf }: JsonSchema): unknown {
  const types: unknown[] = Array.isArray(type) ? type : Array.isArray(anyOf) ? anyOf.map(innerType) : [type];
  return types.find((one) => one !== 'null');
}

function innerType(part: unknown): unknown {
  return isFields(part) ? part['type'] : undefined;
}

export interface RequestParts {
  readonly req: IncomingMessage;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Asked for where text has to be read. */
  readonly kinds: () => Kinds;
  readonly limits: BodyLimits;
}

const BODILESS = new Set(['GET', 'HEAD']);

/** Path, query and body as one input object. The path wins; a body that says otherwise is refused. */
export function readInput(parts: RequestParts): Fields | Promise<Fields> {
  const { req, limits } = parts;
  // What has no body need not be waited for.
  if (BODILESS.has(req.method ?? '')) return inputOf(parts, undefined);
  return readJson(req, limits).then((body) => inputOf(parts, body));
}

function inputOf({ params, query, kinds, limits }: RequestParts, body: unknown): Fields {
  if (body !== undefined && !isFields(body)) throw badRequest('The body must be a JSON object.');
  const asked = typed(query, kinds);
  refuseUnsafe(asked, limits.maxDepth);
  const input: Fields = { ...asked, ...body };
  for (const [name, text] of Object.entries(params)) {
    if (text === undefined) continue;
    refuseUnsafe(text, 1);
    input[name] = fromPath(input[name], { name, text, kind: kinds().get(name) ?? 'text' });
  }
  return input;
}

function fromPath(given: unknown, { name, text, kind }: { name: string; text: string; kind: Kind }): unknown {
  if (given !== undefined && String(given) !== text) {
    throw invalid(name, `Says something else than the path, which has ${text}.`);
  }
  return readText(text, kind);
}

function typed(query: Readonly<Record<string, unknown>>, kinds: () => Kinds): Fields {
  // A map has no names of its own that a caller could mean.
  const read = new Map<string, unknown>();
  for (const [given, value] of Object.entries(query)) {
    const name = fieldOf(given);
    if (read.has(name)) throw invalid(name, `Give ${name} or ${name}[], not both.`);
    read.set(name, readValue(value, kinds().get(name) ?? 'text'));
  }
  return Object.fromEntries(read);
}

/** Many write a list as `name[]`. */
function fieldOf(given: string): string {
  return given.endsWith('[]') ? given.slice(0, -'[]'.length) : given;
}

/** A repeated parameter is a list; a list may also come with commas. */
function readValue(value: unknown, kind: Kind): unknown {
  if (kind === 'texts' || kind === 'numbers') {
    const items = [value].flat().flatMap((item) => String(item).split(','));
    return items
      .filter((item) => item !== '')
      .map((item) => readText(item, kind === 'numbers' ? 'number' : 'text'));
  }
  return Array.isArray(value)
    ? value.map((item) => readText(String(item), kind))
    : readText(String(value), kind);
}

/** What does not read as its type stays text, for the schema to name. */
function readText(text: string, kind: Kind): unknown {
  if (isNumber(kind)) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
