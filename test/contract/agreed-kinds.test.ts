import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { type Difference, type Exceptions, idleAmong, unexplained } from './agreed-exceptions.ts';
import { type AgreedKind, readAgreed } from './agreed-notation.ts';
import optional from './agreed-optional.json' with { type: 'json' };
import always from './agreed-replies.json' with { type: 'json' };
import { agreedTools } from './agreed-tools.ts';
import { answerSchemaOf, isAnything, schemasAt } from './placed-schemas.ts';

/** What was agreed that stands in each place of an answer, in the notation of requests. */
const ALWAYS: Readonly<Record<string, Readonly<Record<string, string>>>> = always;

const LONG_LIST = 'A request takes words of a list alone, which is too long for the schema of each answer.';
const OF_SELLERS = 'Read as it was agreed; what was kept from sellers before may be otherwise.';
const OWN_WORDS = 'What is told besides, by the decisions or for want of a word.';

const OWN_WARNINGS =
  /may be (goal_left_out|even_pace|unallocated_budget|ended_at_seller|not_ordered|runs_on|more_warnings)$/;

/** Where something else may be answered than was agreed, each with the reason. */
const OTHERWISE: Exceptions = [
  [/\bgeo_(metros|postal_areas)(_exclude)?\[\]\.system$/, /any text/, LONG_LIST],
  [/\b(deliveryType|delivery_type|pricing_model)$/, /any text/, OF_SELLERS],
  [/\bestimatedExposures$/, /type number/, OF_SELLERS],
  [/\bproposalCode$/, /type null/, 'It stands encrypted, and the key may be missing.'],
  [/^incompleteAgents\[\]\.reason$/, /error|invalid_response|auth_required/, OWN_WORDS],
  [/^reason$/, /approval_needed/, OWN_WORDS],
  [/^warnings\[\]\.type$/, OWN_WARNINGS, OWN_WORDS],
];

const answered = agreedTools.map(({ address, tool }) => ({
  address,
  tool,
  written: [
    ...Object.entries(ALWAYS[address] ?? {}),
    ...optional
      .filter(({ operations }) => operations.includes(address))
      .flatMap(({ fields }) => Object.entries(fields as Readonly<Record<string, string>>)),
  ],
}));

const TYPES: Readonly<Record<string, readonly string[]>> = {
  text: ['string'],
  int: ['integer'],
  number: ['integer', 'number'],
  list: ['array'],
  object: ['object'],
  null: ['null'],
};

/** What may be answered in one place that was not agreed. */
function beyond(written: string, schemas: readonly JsonSchema[]): string[] {
  const { kinds, words } = readAgreed(written);
  if (kinds.some(({ kind }) => kind === 'any')) return [];
  return schemas.flatMap((schema) => [
    ...(isAnything(schema) ? ['may be anything'] : []),
    ...typesOf(schema)
      .filter((type) => !isAmong(type, kinds, words))
      .map((type) => `may be of type ${type}`),
    ...wordsBeyond(schema, kinds, words),
  ]);
}

function typesOf(schema: JsonSchema): string[] {
  return schema['type'] === undefined ? valuesOf(schema).map(typeOf) : [schema['type']].flat().map(String);
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function valuesOf(schema: JsonSchema): unknown[] {
  return 'const' in schema ? [schema['const']] : [schema['enum'] ?? []].flat();
}

function isAmong(type: string, kinds: readonly AgreedKind[], words: readonly unknown[]): boolean {
  return kinds.some(({ kind }) => TYPES[kind]?.includes(type)) || words.some((word) => typeof word === type);
}

/** Where a closed list was agreed: words that are not of it, or any text. */
function wordsBeyond(schema: JsonSchema, kinds: readonly AgreedKind[], words: readonly unknown[]): string[] {
  if (!words.some((word) => typeof word === 'string') || kinds.some(({ kind }) => kind === 'text')) return [];
  if (schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined) {
    return ['may be any text'];
  }
  const others = valuesOf(schema).filter((value) => typeof value === 'string' && !words.includes(value));
  return others.map((value) => `may be ${value}`);
}

function differences({ tool, written }: (typeof answered)[number]): Difference[] {
  const ours = schemasAt(answerSchemaOf(tool));
  return written.flatMap(([place, what]) =>
    [...new Set(beyond(what, ours.get(place) ?? []))].map((said): Difference => [place, said]),
  );
}

describe('what was agreed that stands in an answer', () => {
  test.each(answered)('stands in that of $address, and nothing else', (one) => {
    expect(unexplained(differences(one), OTHERWISE)).toEqual([]);
  });

  test('has no reason for anything else of which nothing is left', () => {
    const all = answered.flatMap(differences);

    expect(idleAmong(OTHERWISE, all)).toEqual([]);
  });
});
