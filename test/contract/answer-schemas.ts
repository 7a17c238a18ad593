import type { Tool } from '../../tools/core/define.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { asSchema } from '../support/house/schema-walk.ts';

/** What a capability answers, as REST shows it. */
export function answerSchemaOf(tool: Pick<Tool, 'rest' | 'output'>): JsonSchema {
  return jsonSchema(tool.rest?.shows?.schema ?? tool.output, 'output');
}

/** The schemas that stand where this one does: what it names, and what it may be of several. */
export function alternatives(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const name = /^#\/\$defs\/(.+)$/.exec(String(schema['$ref'] ?? ''))?.[1];
  if (name !== undefined) return alternatives(asSchema(asSchema(root['$defs'])[name]), root);
  const either = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => [schema[key] ?? []].flat());
  return [schema, ...either.flatMap((one) => alternatives(asSchema(one), root))];
}

/** How deep what was agreed goes, with room to spare. */
const DEPTH = 12;

/** Every place of an answer with the schemas that may stand there; what only holds others is left out. */
export function schemasAt(root: JsonSchema): ReadonlyMap<string, readonly JsonSchema[]> {
  const found = new Map<string, JsonSchema[]>();
  const visit = (schema: JsonSchema, path: string, depth: number) => {
    if (depth === 0) return;
    for (const one of alternatives(schema, root)) {
      if (!holdsOthers(one)) found.set(path, [...(found.get(path) ?? []), one]);
      for (const [below, part] of insideOf(one, path)) visit(part, below, depth - 1);
    }
  };
  visit(root, '', DEPTH);
  return found;
}

function insideOf(schema: JsonSchema, path: string): [path: string, part: JsonSchema][] {
  const fields = Object.entries(asSchema(schema['properties'])).map(([name, part]): [string, JsonSchema] => [
    path === '' ? name : `${path}.${name}`,
    asSchema(part),
  ]);
  const entries = ['items', 'additionalProperties'].flatMap((key): [string, JsonSchema][] =>
    typeof schema[key] === 'object' ? [[`${path}[]`, asSchema(schema[key])]] : [],
  );
  return [...fields, ...entries];
}

function holdsOthers(schema: JsonSchema): boolean {
  return ['$ref', 'anyOf', 'oneOf'].some((key) => key in schema);
}
