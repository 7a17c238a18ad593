import fc from 'fast-check';
import type { JsonSchema } from '../../../tools/core/schemas/json-schema.ts';
import { asSchema } from './schema-walk.ts';

type Fields = Record<string, unknown>;

/** Texts that a field of this name means something by, where its schema alone does not say which. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/currency$/i, 'USD'],
  [/^geo_regions/, 'US-CA'],
  [/countr|geo_/i, 'US'],
  [/^language$/, 'en'],
  [/^device_platform$/, 'ios'],
  [/^system$/, 'custom'],
  [/^start_time$/, 'asap'],
  [/^start$/, '2026-12-10'],
  [/^end$/, '2026-12-12'],
  [/^brand$|domain$/i, 'acme.example'],
  [/^formats$/, 'display_300x250'],
  [/url$|^website$/i, 'https://hooks.example/in'],
  [/^(?:advertiserId|storefrontIds?)$/, '7'],
  [/^sourceId$/, 'main'],
  [/^secret$/, 'sixteen characters'],
  [/^email$/, 'ada@acme.example'],
  [/^origin$/, 'https://app.acme.example'],
];
const ADDRESSES = ['https://hooks.example/in', 'https://acme.example/a?b=c'];
const MOMENTS = ['2026-12-10T00:00:00.000Z', '2026-12-31T00:00:00+01:00'];
const NUMBERS_UP_TO = 1_000_000;
const LONGEST = 40;

/** Values that a schema allows, read from the schema and the name of the field. */
export function valuesOf(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  switch (schema['type']) {
    case 'object':
      return objectsOf(schema);
    case 'array':
      return listsOf(schema, name);
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textsOf(schema, name);
    default:
      throw new Error(`No values for ${JSON.stringify(schema)}.`);
  }
}

function objectsOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(asSchema(schema['properties']));
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const values = fields.map(([name, field]) => [name, valuesOf(asSchema(field), name)] as const);
  return fc.record<Fields, string>(Object.fromEntries(values), { requiredKeys: required });
}

function listsOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const minLength = numberOr(schema['minItems'], 0);
  const maxLength = Math.min(numberOr(schema['maxItems'], LONGEST), minLength + 3);
  return fc.array(valuesOf(asSchema(schema['items']), name), { minLength, maxLength });
}

function numbersOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const above = numberOr(schema['exclusiveMinimum'], -1) + 1;
  const min = Math.max(above, numberOr(schema['minimum'], 0));
  return fc.integer({ min, max: Math.min(numberOr(schema['maximum'], NUMBERS_UP_TO), NUMBERS_UP_TO) });
}

function textsOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema['format'] === 'date-time') return fc.constantFrom(...MOMENTS);
  if (schema['format'] === 'uri') return fc.constantFrom(...ADDRESSES);
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern'], 'u'));
  const minLength = numberOr(schema['minLength'], 0);
  const maxLength = Math.min(numberOr(schema['maxLength'], LONGEST), minLength + LONGEST);
  const any = fc.string({ minLength, maxLength });
  const [, meant] = MEANT.find(([names]) => names.test(name)) ?? [];
  return meant === undefined ? any : fc.oneof({ weight: 8, arbitrary: fc.constant(meant) }, any);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
