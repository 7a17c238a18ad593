import { z } from 'zod';
import { BOTH_CASES } from './both-cases.ts';

export type JsonSchema = Record<string, unknown>;

/** In the meta of a schema: a number in our store and on REST that is the id of an object. */
export const ID_MARK = 'decimalId';

/** In the meta of an id: how the right one is found, for whoever gave something else. */
export const LOOK_UP = 'lookUp';

/** In the meta of a list: lists of tools name the fields of its entries, and explain none of them. */
export const BRIEF_MARK = 'briefForHosts';

/** In the meta of a field: its default over MCP, where an answer is read by a model. */
export const MODEL_DEFAULT = 'defaultForModels';

/**
 * The JSON Schema (2020-12) of a zod schema, as clients should see it. Made when it is first asked for: a start
 * must not take longer with every capability. That each can be written down, the tests see to.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return converted(schema, io, (body) => {
    delete body[ID_MARK];
    delete body[LOOK_UP];
    delete body[BRIEF_MARK];
    delete body[MODEL_DEFAULT];
    delete body[BOTH_CASES];
  });
}

/** The same with the marks still on it, for who shows them in another form. */
export function markedSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return converted(schema, io, () => {});
}

function converted(schema: z.ZodType, io: 'input' | 'output', change: (body: JsonSchema) => void) {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema: part }) => {
      simplify(part);
      // An answer may gain fields; who reads it passes over what it does not know.
      if (io === 'output' && part.additionalProperties === false) delete part.additionalProperties;
      change(part);
    },
  });
  return body;
}

/** Leaves out what costs a reader tokens and tells nothing: patterns behind a format, the widest integers. */
function simplify(body: JsonSchema): void {
  if (body['format'] !== undefined) delete body['pattern'];
  if (body['maximum'] === Number.MAX_SAFE_INTEGER) delete body['maximum'];
  if (body['minimum'] === Number.MIN_SAFE_INTEGER) delete body['minimum'];
}
