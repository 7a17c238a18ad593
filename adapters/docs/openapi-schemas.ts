import { errorCatalogue } from '../../tools/core/errors/catalogue.ts';
import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';

export type Json = Record<string, unknown>;

/** The body of every failure. */
export function errorSchema(): Json {
  return {
    type: 'object',
    properties: {
      data: { type: 'null' },
      error: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: Object.keys(errorCatalogue) },
          message: { type: 'string', description: 'For a reader; do not match on its text.' },
          field: { type: 'string', description: 'Path of the one field that is wrong.' },
          details: {
            type: 'object',
            properties: {
              issues: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { path: { type: 'string' }, message: { type: 'string' } },
                  required: ['path', 'message'],
                },
              },
              suggestion: { type: 'string', description: 'What to do next.' },
            },
          },
        },
        required: ['code', 'message'],
      },
    },
    required: ['data', 'error'],
  };
}

export const paginationSchema = {
  type: 'object',
  properties: {
    skip: { type: 'integer' },
    take: { type: 'integer' },
    total: { type: 'integer' },
    hasMore: { type: 'boolean' },
  },
  required: ['skip', 'take', 'total', 'hasMore'],
};

/**
 * Moves the named parts of a schema to the components and points at them there. Two schemas under one name would
 * make one of them a lie: that stops whoever writes the document.
 */
export function hoist(schema: JsonSchema, schemas: Json): JsonSchema {
  const { $defs, ...body } = schema;
  for (const [name, part] of Object.entries(asSchemas($defs))) keep(schemas, name, part);
  const id = body['id'];
  if (typeof id === 'string') {
    keep(schemas, id, body);
    return { $ref: `#/components/schemas/${id}` };
  }
  return asSchema(repoint(body));
}

function keep(schemas: Json, name: string, part: JsonSchema): void {
  const schema = repoint(withoutId(part));
  const known = schemas[name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`Two different schemas are called ${name}.`);
  schemas[name] = schema;
}

function withoutId({ id: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function repoint(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repoint);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string'
        ? item.replace('#/$defs/', '#/components/schemas/')
        : repoint(item),
    ]),
  );
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function asSchemas(value: unknown): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(asSchema(value)).map(([name, part]) => [name, asSchema(part)]));
}

export function asNames(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
