import { asFields } from '../../core/schemas/checks.ts';
import type { JsonSchema } from '../../core/schemas/json-schema.ts';

export interface Field {
  /** `budget.total`, `products[].productId`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly about: string;
}

/** Nobody reads deeper than this in a list of fields, and some records hold themselves. */
const DEPTH_MAX = 4;
const VALUES_SHOWN = 12;

/** The fields of an input or an output, those inside others below them. */
export function schemaFields(schema: JsonSchema): Field[] {
  return fieldsIn(schema, { prefix: '', defs: asFields(schema['$defs']), depth: 0 });
}

interface Place {
  readonly prefix: string;
  readonly defs: JsonSchema;
  readonly depth: number;
}

function fieldsIn(given: unknown, place: Place): Field[] {
  if (place.depth > DEPTH_MAX) return [];
  const schema = pointedAt(given, place.defs);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(asFields(schema['properties'])).flatMap(([name, property]) => {
    const field = pointedAt(property, place.defs);
    const isList = field['type'] === 'array';
    const path = `${place.prefix}${name}${isList ? '[]' : ''}`;
    const inner = { ...place, prefix: `${path}.`, depth: place.depth + 1 };
    const own = {
      path,
      type: typeOf(isList ? pointedAt(field['items'], place.defs) : field),
      required: required.has(name),
      about: String(asFields(property)['description'] ?? field['description'] ?? ''),
    };
    return [own, ...fieldsIn(isList ? field['items'] : field, inner)];
  });
}

function typeOf(schema: JsonSchema): string {
  const values = schema['enum'];
  if (!Array.isArray(values)) return String(schema['type'] ?? 'any');
  const shown = values.slice(0, VALUES_SHOWN).map(String);
  return `${shown.join(' | ')}${values.length > VALUES_SHOWN ? ' | …' : ''}`;
}

function pointedAt(value: unknown, defs: JsonSchema): JsonSchema {
  const schema = asFields(value);
  const name = String(schema['$ref'] ?? '').replace('#/$defs/', '');
  return name === '' ? schema : asFields(defs[name]);
}
