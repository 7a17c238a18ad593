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

/** Every place of an input or answer with the schemas that may stand there; what only holds others is left out. */
export function schemasAt(root: JsonSchema): ReadonlyMap<string, readonly JsonSchema[]> {
  const found = new Map<string, JsonSchema[]>();
  for (const [path, schema] of placesIn(root, root, { path: '', depth: DEPTH })) {
    found.set(path, [...(found.get(path) ?? []), schema]);
  }
  return found;
}

type Placed = [path: string, schema: JsonSchema];

function placesIn(
  schema: JsonSchema,
  root: JsonSchema,
  { path, depth }: { readonly path: string; readonly depth: number },
): Placed[] {
  if (depth === 0) return [];
  return alternatives(schema, root).flatMap((one): Placed[] => [
    ...(holdsOthers(one) ? [] : [[path, one] satisfies Placed]),
    ...insideOf(one, path).flatMap(([below, part]) =>
      placesIn(part, root, { path: below, depth: depth - 1 }),
    ),
  ]);
}

function insideOf(schema: JsonSchema, path: string): Placed[] {
  const fields = Object.entries(asSchema(schema['properties'])).map(
    ([name, part]): Placed => [path === '' ? name : `${path}.${name}`, asSchema(part)],
  );
  const entries = ['items', 'additionalProperties'].flatMap((key): Placed[] =>
    typeof schema[key] === 'object' ? [[`${path}[]`, asSchema(schema[key])]] : [],
  );
  return [...fields, ...entries];
}

/** Whether a schema says nothing of what stands there. */
export function isAnything(schema: JsonSchema): boolean {
  return !['type', 'enum', 'const'].some((key) => key in schema);
}

function holdsOthers(schema: JsonSchema): boolean {
  return ['$ref', 'anyOf', 'oneOf'].some((key) => key in schema);
}
