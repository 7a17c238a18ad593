import fc from 'fast-check';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { capabilityOf, knownArguments } from '../journeys/journey.ts';
import type { Fields, Made, Step } from '../journeys/step.ts';
import { argumentsFor, type Known } from '../support/mcp/mcp-arguments.ts';

/** In the name of everything that the stranger has and does not sell. */
export const MARKER = 'zqx-of-somebody-else';
const HOLDER = /^\{\{(\w+)\}\}$/;

/** Pieces that have hurt somebody before. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      ' ',
      '\u0000',
      '\u202e',
      '../..',
      '%00',
      '__proto__',
      '{}',
      "' or 1=1 --",
      '<script>',
      '9'.repeat(400),
    ],
    ...[
      '9007199254740993',
      '-1',
      '1e999',
      'null',
      'x'.repeat(5_000),
      '2026-02-30T00:00:00Z',
      'https://127.0.0.1/',
    ],
    ...[
      null,
      true,
      -1,
      0,
      1.5,
      2 ** 53,
      -(2 ** 63),
      1e300,
      [],
      {},
      [[]],
      [null],
      { constructor: { name: 'x' } },
      { toString: 1, valueOf: 1 },
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Whose ids a case names. */
export type Side = 'own' | 'foreign';

export interface Case {
  readonly args: Fields;
  readonly side: Side;
}

const side = fc.constantFrom<Side>('own', 'own', 'foreign');
const known = knownArguments();

/** Fields that must not make a call slow. */
const QUICK: Known = { waitSeconds: fc.constant(0) };

/** What its schema allows or nearly allows, what it takes with one field damaged, and what it never heard of. */
export function casesFor(step: Step): fc.Arbitrary<Case> {
  const own = known.get(step.tool) ?? {};
  const names = Object.keys(own);
  const held = names.filter((name) => HOLDER.test(String(own[name])));
  const ids = Object.fromEntries(held.map((name) => [name, fc.constant(own[name])]));
  const schema = jsonSchema(capabilityOf(step).input, 'input');
  const generated = argumentsFor(schema, { ...QUICK, ...ids });
  const field = fc.constantFrom(...names, ...Object.keys(schema['properties'] ?? {}), 'other');
  const args = fc.oneof(
    fc.constant(own),
    generated,
    generated.map((some) => ({ ...own, ...some })),
    fc.tuple(field, hostile).map(([name, value]) => ({ ...own, [name]: value })),
    fc.dictionary(field, hostile, { maxKeys: 5, noNullPrototype: true }),
  );
  return fc.record({ args, side });
}

/** With the ids of one side in place of their names. */
export function filled(value: unknown, made: Made): unknown {
  if (typeof value === 'string') {
    const [, name] = HOLDER.exec(value) ?? [];
    return name === undefined ? value : made(name);
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, made));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, made)]));
}

/**
 * With a value for each place of the address. A URL cannot hold half a character, and takes dots for itself:
 * test/http/fuzz.test.ts sends such as bytes.
 */
export function forUrls(template = '', args: Fields): Fields {
  const inPlace = (value: unknown) => {
    const written = typeof value === 'string' ? value : JSON.stringify(value ?? 'none');
    return /^\.*$/.test(written) ? 'dots' : written.toWellFormed();
  };
  const places = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const others = Object.entries(args).map(([name, value]) => [
    name.toWellFormed(),
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(places.map((name) => [name, inPlace(args[name])])),
  };
}
