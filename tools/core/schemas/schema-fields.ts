import { asFields } from './checks.ts';
import { ID_MARK, type JsonSchema } from './json-schema.ts';

/** A field of an input or an output, as those who document it need it. */
export interface Field {
  /** `budget.total`, `products[].productId`; a list of lists has `[][]`. */
  readonly path: string;
  /** Its JSON type; of lists, that of what stands in them. An id that is marked as one is text, as over MCP. */
  readonly type: string;
  /** How many lists it stands in: 0 where it is none. */
  readonly lists: number;
  /** The words it takes, the first of them; none where it takes others. */
  readonly words: readonly string[];
  readonly required: boolean;
  readonly about: string;
}

/** Few who look for something read deeper than this, and some records hold themselves. */
const DEPTH_MAX = 4;
const WORDS_SHOWN = 12;

/** The fields of an input or an output, those inside others below them, in no more than so many others. */
export function schemaFields(schema: JsonSchema, depth = DEPTH_MAX): Field[] {
  return fieldsIn(schema, { prefix: '', defs: asFields(schema['$defs']), depth });
}

/** The type of a field, or the words that it takes, with something between them. */
export function typeIn({ type, words }: Pick<Field, 'type' | 'words'>, between: string): string {
  return words.length === 0 ? type : words.join(between);
}

interface Place {
  readonly prefix: string;
  readonly defs: JsonSchema;
  readonly depth: number;
}

function fieldsIn(given: unknown, place: Place): Field[] {
  if (place.depth < 0) return [];
  const schema = pointedAt(given, place.defs);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(asFields(schema['properties'])).flatMap(([name, property]) => {
    const field = pointedAt(property, place.defs);
    const { value, lists } = unlisted(field, place.defs);
    const path = `${place.prefix}${name}${'[]'.repeat(lists)}`;
    const inner = { ...place, prefix: `${path}.`, depth: place.depth - 1 };
    const own = {
      path,
      type: value[ID_MARK] === true ? 'string' : String(value['type'] ?? 'any'),
      lists,
      words: wordsOf(value),
      required: required.has(name),
      about: String(asFields(property)['description'] ?? field['description'] ?? ''),
    };
    return [own, ...fieldsIn(value, inner)];
  });
}

/** What stands in a list, or in a list of lists. */
function unlisted(field: JsonSchema, defs: JsonSchema): { value: JsonSchema; lists: number } {
  if (field['type'] !== 'array') return { value: field, lists: 0 };
  const { value, lists } = unlisted(pointedAt(field['items'], defs), defs);
  return { value, lists: lists + 1 };
}

function wordsOf({ enum: values }: JsonSchema): string[] {
  if (!Array.isArray(values)) return [];
  const shown = values.slice(0, WORDS_SHOWN).map(String);
  return values.length > WORDS_SHOWN ? [...shown, '…'] : shown;
}

function pointedAt(value: unknown, defs: JsonSchema): JsonSchema {
  const schema = asFields(value);
  const name = String(schema['$ref'] ?? '').replace('#/$defs/', '');
  return name === '' ? schema : asFields(defs[name]);
}
