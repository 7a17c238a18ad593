import type { JsonSchema } from '../../../tools/core/schemas/json-schema.ts';

/** A schema inside a schema, with the way to it: `budget.total`, `products[].budget`. */
export interface Part {
  readonly path: string;
  readonly schema: JsonSchema;
}

/** The schema and every schema inside it, each definition visited where it stands. */
export function partsOf(schema: JsonSchema, path = ''): Part[] {
  const inside = [
    ...Object.entries(asSchema(schema['properties'])).flatMap(([name, part]) =>
      partsOf(asSchema(part), path === '' ? name : `${path}.${name}`),
    ),
    ...Object.entries(asSchema(schema['$defs'])).flatMap(([name, part]) => partsOf(asSchema(part), name)),
    ...['items', 'additionalProperties'].flatMap((key) =>
      isSchema(schema[key]) ? partsOf(schema[key], `${path}[]`) : [],
    ),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) =>
      listOf(schema[key]).flatMap((part) => partsOf(part, path)),
    ),
  ];
  return [{ path, schema }, ...inside];
}

/** The fields that objects of a schema have, at every depth. */
export function fieldsOf(schema: JsonSchema): Part[] {
  return partsOf(schema).flatMap(({ path, schema: part }) =>
    Object.entries(asSchema(part['properties'])).map(([name, field]) => ({
      path: path === '' ? name : `${path}.${name}`,
      schema: asSchema(field),
    })),
  );
}

export function asSchema(value: unknown): JsonSchema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}
