import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tools } from '../../tools/registry.ts';

/** Short and long: some texts have a least length. */
const HIDDEN = ['a\u202eb', 'a\u202eb'.repeat(14)];

/** Texts that are neither kept as a name of something nor shown, with the reason of each. */
const NEVER_SHOWN: Record<string, string> = {
  'advertiser_list.name': 'searched for',
  'discover_products.proposalCode': 'looked up',
  'product_query.pagination.cursor': 'looked up',
  'campaign_list.name': 'searched for',
  'campaign_list.cursor': 'looked up',
  'storefront_list.name': 'searched for',
  'storefront_list.region': 'searched for',
  'webhook_create.secret': 'a key, never shown',
  'accept_tos.version': 'compared with the present one',
  'capability_search.query': 'searched for',
  'api_call.operation': 'looked up',
  'api_call.path': 'looked up',
  'api_call.idempotencyKey': 'checked by the gate that reads it',
  'help.topic': 'looked up',
};

/** Ids are looked up: of what does not exist none is kept. */
const ID = /(\.id|_id|Id)(\[\]|s\[\])?$/;

interface Leaf {
  readonly path: string;
  readonly schema: z.ZodType;
}

/** The schema of a text in an input: what takes texts as they come, however deep it stands. */
function leavesOf(schema: z.core.$ZodType, path: string, seen: readonly unknown[] = []): Leaf[] {
  if (seen.includes(schema)) return [];
  if (isText(schema)) return [{ path, schema: schema as z.ZodType }];
  return insideOf(schema).flatMap(([name, inside]) => leavesOf(inside, path + name, [...seen, schema]));
}

/** Whether a schema reads a text first of all: steps behind it count as parts of it. */
function isText(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'pipe') return isText(def.in);
  return ['string', 'unknown', 'any', 'custom'].includes(def.type) || isOpen(def);
}

/** Fields of any name and kind: their texts are looked at by what holds them. */
function isOpen(def: z.core.$ZodTypes['_zod']['def']): boolean {
  return def.type === 'record' && def.valueType._zod.def.type === 'unknown';
}

function insideOf(schema: z.core.$ZodType): [string, z.core.$ZodType][] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([name, inside]) => [`.${name}`, inside]);
    case 'array':
      return [['[]', def.element]];
    case 'record':
      return [
        ['{name}', def.keyType],
        ['{}', def.valueType],
      ];
    case 'union':
      return def.options.map((option) => ['', option]);
    case 'tuple':
      return def.items.map((item, index) => [`[${index}]`, item]);
    case 'pipe':
      // A shape for hosts in front of the strict one: what holds is behind it.
      return [['', isChange(def.out) ? def.in : def.out]];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return [['', def.innerType]];
    case 'lazy':
      return [['', def.getter()]];
    default:
      return [];
  }
}

function isChange(schema: z.core.$ZodType): boolean {
  return (schema._zod as z.core.$ZodTypes['_zod']).def.type === 'transform';
}

/** A text as itself, and inside of open fields. */
const asGiven = (text: string) => [text, { note: text }, { deep: [{ [text]: 1 }] }];

const takesHidden = ({ schema }: Leaf) =>
  HIDDEN.flatMap(asGiven).some((given) => schema.safeParse(given).success);

/** Whether a text far above its length is searched for hidden characters all the same. */
const readsOn = ({ schema }: Leaf) =>
  /hidden/.test(schema.safeParse('\u202e'.repeat(100_000)).error?.message ?? '');

const leaves = tools.flatMap(({ name, input }) => leavesOf(input, name));

describe('in the input of every capability', () => {
  test('a text has no hidden characters', () => {
    expect(leaves.length).toBeGreaterThan(400);
    const taking = leaves.filter(takesHidden).map(({ path }) => path);

    expect(taking.filter((path) => !ID.test(path))).toEqual(Object.keys(NEVER_SHOWN));
  });

  test('a text above its length is looked at no further', () => {
    expect(leaves.filter(readsOn).map(({ path }) => path)).toEqual([]);
  });

  test('others would be found', () => {
    const planted = z.object({
      list: z.array(z.object({ name: z.string() }).optional()),
      loose: z.object({ ask: z.string() }).pipe(z.object({ ask: z.literal('all') })),
    });

    expect(leavesOf(planted, 'planted').filter(takesHidden)).toMatchObject([{ path: 'planted.list[].name' }]);
  });
});
