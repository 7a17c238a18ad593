import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

/** Values that fit nowhere in particular. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, '', ' ', 'x', '❄', 'a'.repeat(300), [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** By name: ids that exist, and fields that must not make a call slow or reach out into the world. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Arguments that a tool's schema allows, or nearly: a field may be missing, too much, or of another kind. */
export function argumentsFor(schema: Schema, known: Known): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = new Set((schema['required'] ?? []) as string[]);
  const fields = properties.map(([name, part]) => {
    const fit = known[name] ?? valueFor(part, known);
    const value = fc.oneof({ weight: 14, arbitrary: fit }, { weight: 1, arbitrary: junk });
    const present = required.has(name) ? 24 : 6;
    return fc.option(value, { nil: undefined, freq: present }).map((given) => [name, given] as const);
  });
  const extra = fc.option(fc.tuple(fc.constantFrom('extra', 'nmae', 'toString'), junk), {
    freq: 1,
    nil: undefined,
  });
  return fc.tuple(fc.tuple(...fields), fc.integer({ min: 0, max: 9 }), extra).map(([pairs, dice, more]) => {
    const kept = pairs.filter(([, value]) => value !== undefined);
    return Object.fromEntries(dice === 0 && more !== undefined ? [...kept, more] : kept);
  });
}

function valueFor(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valueFor(choice, known)));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  if ('const' in schema) return fc.constant(schema['const']);
  if (schema['type'] === 'object') return argumentsFor(schema, known);
  if (schema['type'] === 'array') {
    return fc.array(valueFor((schema['items'] ?? {}) as Schema, known), { minLength: 1, maxLength: 2 });
  }
  return plainValue(schema);
}

function plainValue(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema['type']) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Number(schema['minimum'] ?? 0), max: 60 });
    case 'number':
      return fc.constantFrom(1, 25, 99.5, 1000);
    case 'string':
      return schema['format'] === 'date-time'
        ? fc.constantFrom('2026-12-10T00:00:00Z', '2027-01-05T12:00:00+02:00', '2020-01-01T00:00:00Z')
        : fc.constantFrom('Winter', 'US', 'USD', 'news.example', 'everything', '7');
    default:
      return junk;
  }
}
