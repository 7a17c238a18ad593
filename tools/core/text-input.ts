import type { Tool } from './define.ts';
import { invalid } from './errors/refusals.ts';
import { isFields } from './schemas/checks.ts';
import { ID_MARK, type JsonSchema, markedSchema } from './schemas/json-schema.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kind = 'number' | 'id' | 'boolean' | 'numbers' | 'texts' | 'moment' | 'text';

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
      return schema['format'] === 'date-time' ? 'moment' : 'text';
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

/** The fields of a query, each text read as its field is typed. What is no text already is what it is. */
export function readQuery(query: Fields, kinds: () => Kinds): Record<string, unknown> {
  const asked = Object.entries(query);
  if (asked.length === 0) return {};
  // A map has no names of its own that a caller could mean.
  const read = new Map<string, unknown>();
  for (const [given, value] of asked) {
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
  if ((kind === 'texts' || kind === 'numbers') && isText(value)) {
    const items = [value].flat().flatMap((item) => item.split(','));
    return items
      .filter((item) => item !== '')
      .map((item) => readText(item, kind === 'numbers' ? 'number' : 'text'));
  }
  return Array.isArray(value) ? value.map((item) => readOne(item, kind)) : readOne(value, kind);
}

function isText(value: unknown): value is string | string[] {
  return [value].flat().every((item) => typeof item === 'string');
}

function readOne(value: unknown, kind: Kind): unknown {
  return typeof value === 'string' ? readText(value, kind) : value;
}

/** The text of one field of a path. */
export function readParam(name: string, text: string, kinds: () => Kinds): unknown {
  return readText(text, kinds().get(name) ?? 'text');
}

/** A moment whose offset was written with a plus sign as it is, which stands for a space in a query. */
const WITH_SPACE = /^(\d{4}-\d\d-\d\dT[\d:.]+) (\d\d:?\d\d)$/i;

/** What does not read as its type stays text, for the schema to name. */
function readText(text: string, kind: Kind): unknown {
  if (isNumber(kind)) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind === 'moment') return text.replace(WITH_SPACE, '$1+$2');
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
