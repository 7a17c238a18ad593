import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z as z3 } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { eventTypes } from '../../store/webhooks.ts';
import { inputForHosts } from '../../tools/core/host-schemas.ts';
import { type JsonSchema, jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { streams, tools } from '../../tools/registry.ts';
import { valuesOf } from '../support/house/schema-values.ts';
import { asSchema } from '../support/house/schema-walk.ts';
import { roundsOf } from '../support/run/effort.ts';

type Fields = Record<string, unknown>;

const independent = new AjvJsonSchemaValidator();

/** The published schema as an independent validator understands it. */
function judgeOf(schema: JsonSchema): (input: unknown) => boolean {
  const validate = independent.getValidator(schema);
  return (input) => validate(input).valid;
}

const inputs = [...tools, ...streams].map(({ name, input }) => [name, input] as const);
/** Rules between the fields of entries that cannot be left out: chance keeps to them never, the example does. */
const byExample = tools.filter(({ name }) => name === 'media_buy_create_batch');

/** Days, ids and rules between fields, all in one input: what is made at random seldom keeps to all of them. */
const SELDOM: Readonly<Record<string, number>> = { campaign_create: 2_000, product_query: 3_000 };

/** So many that the service accepts are enough: they are made from the schema that is to accept them. */
const ACCEPTED_MAX = roundsOf(40, 1_000);
/** What is spoiled is each field in turn, in every round. */
const SPOILED = roundsOf(10, 50);

describe.each(inputs)('the published input schema of %s', (name, input) => {
  const schema = inputForHosts(input);
  const accepts = judgeOf(schema);
  const values = valuesOf(schema);

  test('accepts what the service accepts', () => {
    let accepted = 0;
    fc.assert(
      fc.property(values, (value) => {
        if (accepted >= ACCEPTED_MAX || !input.safeParse(value).success) return true;
        accepted += 1;
        return accepts(value);
      }),
      { numRuns: SELDOM[name] ?? 200, seed: 7 },
    );
    for (const { example } of byExample.filter((tool) => tool.name === name)) {
      // Hosts give ids as text.
      const given = JSON.parse(JSON.stringify(example).replace(/(Id":)(\d+)/g, '$1"$2"'));
      expect([input.safeParse(given).success, accepts(given)]).toEqual([true, true]);
      accepted += 1;
    }
    expect(accepted).toBeGreaterThan(0);
  });

  test('accepts what is made from it, so that the values are worth trying', () => {
    fc.assert(
      fc.property(values, (value) => accepts(value)),
      { numRuns: 100, seed: 11 },
    );
  });

  test('refuses with the service what has an unknown field, lacks one or has one of another type', () => {
    fc.assert(
      fc.property(values, (value) => {
        const wrongs = spoiled(schema, asSchema(value));
        // One assertion for all of them: there are thousands.
        expect(wrongs.filter((wrong) => accepts(wrong) || input.safeParse(wrong).success)).toEqual([]);
      }),
      { numRuns: SPOILED, seed: 13 },
    );
  });
});

/** The same input, wrong in one place each. */
function spoiled(schema: JsonSchema, fields: Fields): Fields[] {
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const plain = Object.entries(asSchema(schema['properties']))
    .filter(([, field]) => asSchema(field)['type'] !== 'object')
    .map(([name]) => name);
  return [
    { ...fields, unknownField: 1 },
    ...required.map((name) => without(fields, name)),
    ...plain.map((name) => ({ ...fields, [name]: { not: 'of this type' } })),
  ];
}

function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...others } = fields;
  return others;
}

describe('the conversion of schemas', () => {
  /** The inputs of some tools in zod 3, which the independent converter reads. */
  const twins = {
    webhook_delete: z3.object({ id: z3.string() }).strict(),
    inventory_source_get: z3.object({ sourceId: z3.string() }).strict(),
    discovery_remove_products: z3
      .object({ discoveryId: z3.string(), productIds: z3.array(z3.string()) })
      .strict(),
    webhook_create: z3
      .object({
        url: z3.string(),
        secret: z3.string(),
        eventTypes: z3.array(z3.enum(eventTypes)),
      })
      .strict(),
  } as const;

  test.each(Object.entries(twins))('of %s agrees with an independent converter', (name, twin) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`No tool is called ${name}.`);

    expect(outlineOf(jsonSchema(tool.input, 'input'))).toEqual(outlineOf(asSchema(zodToJsonSchema(twin))));
  });

  test('is not left to a converter that finds nothing in a schema of zod 4', () => {
    const ours = tools.find(({ name }) => name === 'webhook_create')?.input;

    expect(asSchema(zodToJsonSchema(ours as never))['properties']).toBeUndefined();
  });
});

/** What a schema says but for words and limits: its types, its fields, which of them have to be there. */
function outlineOf(schema: JsonSchema): unknown {
  const properties = Object.entries(asSchema(schema['properties']));
  return {
    type: schema['type'],
    enum: schema['enum'],
    additionalProperties: schema['additionalProperties'],
    required: Array.isArray(schema['required']) ? [...schema['required']].sort() : undefined,
    items: schema['items'] === undefined ? undefined : outlineOf(asSchema(schema['items'])),
    properties: Object.fromEntries(properties.map(([name, part]) => [name, outlineOf(asSchema(part))])),
  };
}
