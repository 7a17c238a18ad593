import type { Tool } from '../../../tools/core/define.ts';
import { jsonSchema } from '../../../tools/core/schemas/json-schema.ts';
import { partsOf } from '../../support/house/schema-walk.ts';

/**
 * The fields that a tool takes, at every depth: `budget.total`, `products[].bidPrice`. A list of words is one field.
 * What stands in the address names the object, and what has one word alone has no other value to be seen by.
 */
export function fieldsTakenBy({ input, rest }: Tool): string[] {
  const parts = partsOf(jsonSchema(input, 'input')).map(({ path, schema }) => ({
    field: withoutList(path),
    words: [schema['enum'] ?? schema['const'] ?? []].flat(),
  }));
  const all = new Set(parts.map(({ field }) => field).filter((field) => field !== ''));
  const inAddress = [...(rest?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const constant = parts.flatMap(({ field, words }) => (words.length === 1 ? [field] : []));
  return [...all]
    .filter((field) => ![...all].some((other) => isWithin(other, field)))
    .filter((field) => !inAddress.includes(field) && !constant.includes(field))
    .sort();
}

/** The fields that two inputs give other values for; one that is left out of one of them is among them. */
export function fieldsThatDiffer(one: object, other: object): string[] {
  const [before, after] = [valuesIn(one), valuesIn(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (field) => JSON.stringify(before.get(field)) !== JSON.stringify(after.get(field)),
  );
}

/** Whether a place is a field, or stands in what is handed on as it is. */
export function isOf(place: string, field: string): boolean {
  return place === field || isWithin(place, field);
}

function isWithin(place: string, field: string): boolean {
  return place.startsWith(`${field}.`) || place.startsWith(`${field}[`);
}

function withoutList(path: string): string {
  return path.replace(/(\[\])+$/, '');
}

function valuesIn(given: object): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const [path, value] of leavesOf(given, '')) {
    const field = withoutList(path);
    values.set(field, [...(values.get(field) ?? []), value]);
  }
  return values;
}

function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}
