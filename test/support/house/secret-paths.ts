import { z } from 'zod';
import { isSecret } from '../../../tools/core/redaction.ts';

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/**
 * The fields of a schema, wherever they stand, that hold a secret: by their own name, or as the `value` of what is
 * named after one.
 */
export function secretPaths(schema: z.ZodType, io: 'input' | 'output'): string[] {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
  return [...new Set(fieldsOf(root, { root, path: [], seen: new Set() }))].sort();
}

interface Place {
  readonly root: Schema;
  readonly path: readonly string[];
  /** References on the way here: what holds itself is looked into once. */
  readonly seen: ReadonlySet<string>;
}

function* fieldsOf(schema: Schema, place: Place): Generator<string> {
  const { path } = place;
  for (const [one, at] of partsOf(schema, place)) yield* fieldsOf(one, at);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const isValue = name === 'value' && path.some(isSecret);
    if ((isSecret(name) || isValue) && isText(inner)) yield [...path, name].join('.');
    yield* fieldsOf(inner, { ...place, path: [...path, name] });
  }
}

/** What else a schema is made of: its branches, its items and what it refers to. */
function partsOf(
  { $ref = '', items, anyOf = [], oneOf = [], allOf = [] }: Schema,
  place: Place,
): [Schema, Place][] {
  const named = place.seen.has($ref) ? undefined : place.root.$defs?.[$ref.replace('#/$defs/', '')];
  const here = [...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])];
  const there: [Schema, Place][] =
    named === undefined ? [] : [[named, { ...place, seen: new Set([...place.seen, $ref]) }]];
  return [...here.map((one): [Schema, Place] => [one, place]), ...there];
}

function isText({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('string') || anyOf.some(isText);
}
