import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema (2020-12) of a zod schema, as clients should see it. Made when it is first asked for: a start
 * must not take longer with every capability. That each can be written down, the tests see to.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const override = io === 'input' ? simplify : simplifyOutput;
  const converted = z.toJSONSchema(schema, { target: 'draft-2020-12', io, override });
  const { $schema: _, ...body } = converted;
  return body;
}

/** Leaves out what costs a reader tokens and tells nothing: patterns behind a format, the widest integers. */
function simplify({ jsonSchema: body }: { jsonSchema: JsonSchema }): void {
  if (body['format'] !== undefined) delete body['pattern'];
  if (body['maximum'] === Number.MAX_SAFE_INTEGER) delete body['maximum'];
  if (body['minimum'] === Number.MIN_SAFE_INTEGER) delete body['minimum'];
}

/** An answer may gain fields; who reads it passes over what it does not know. */
function simplifyOutput({ jsonSchema: body }: { jsonSchema: JsonSchema }): void {
  simplify({ jsonSchema: body });
  if (body['additionalProperties'] === false) delete body['additionalProperties'];
}
