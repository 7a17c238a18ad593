import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shortText } from '../../tools/domain/text.ts';
import { tools } from '../../tools/registry.ts';

/** What turns a line around, and what no reader sees. */
const UNSEEN = ['\u202e', '\u{e0041}'];
/** Forms of texts, one of which each field takes that takes any. */
const FORMS = [
  (unseen: string) => `a${unseen}b`,
  (unseen: string) => `${'x'.repeat(40)}${unseen}`,
  (unseen: string) => `https://acme.example/${unseen}`,
  (unseen: string) => `ada${unseen}@acme.example`,
  (unseen: string) => `1${unseen}`,
];
const ODD = UNSEEN.flatMap((unseen) => FORMS.map((form) => form(unseen)));
const OPEN = ODD.flatMap((odd) => [{ field: odd }, { [odd]: 'text' }, { field: [{ field: odd }] }]);

type Definition = Readonly<Record<string, unknown>>;

const definitionOf = (schema: z.ZodType): Definition => ({ ...schema._zod.def });

/** The schemas right inside of a schema, each with its step. */
function inside(schema: z.ZodType): [step: string, part: z.ZodType][] {
  const { shape, options, element, innerType, in: first, out } = definitionOf(schema);
  // What is read first may be wider than what is taken in the end.
  const last = out instanceof z.ZodType && !isText(out) ? out : first;
  const fields = typeof shape === 'object' && shape !== null ? Object.entries(shape) : [];
  const wrapped = [options, innerType, last].flat().map((part): [string, unknown] => ['', part]);
  return [
    ...fields.map(([name, part]): [string, unknown] => [`.${name}`, part]),
    ...wrapped,
    ['[]', element] as const,
  ].flatMap(([step, part]): [string, z.ZodType][] => (part instanceof z.ZodType ? [[step, part]] : []));
}

/** Whether something hidden is still in what is made of one of these. */
function keeps(schema: z.ZodType, given: readonly unknown[]): boolean {
  return given.some((odd) => {
    const { success, data } = schema.safeParse(odd);
    return success && UNSEEN.some((unseen) => JSON.stringify(data ?? null).includes(unseen));
  });
}

/** Where a text is taken with what is hidden in it. */
function takers(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { type } = definitionOf(schema);
  if (type === 'record') return keeps(schema, OPEN) ? [path] : [];
  const parts = type === 'string' ? [] : inside(schema);
  // What a text is made into is looked at as a whole: a part of it may refuse what the part before takes.
  if (type === 'pipe' && !keeps(schema, ODD)) {
    return parts
      .filter(([, part]) => !isText(part))
      .flatMap(([step, part]) => takers(part, `${path}${step}`, seen));
  }
  if (parts.length === 0) return keeps(schema, ODD) ? [path] : [];
  return parts.flatMap(([step, part]) => takers(part, `${path}${step}`, seen));
}

/** What is no schema by itself: it stands before or behind the one that says what is taken. */
const isText = (schema: z.ZodType) => ['string', 'transform'].includes(String(definitionOf(schema)['type']));

/** What is looked up by it is found or not, and a cursor is opened or not: neither is kept. */
const LOOKED_UP = /(^|[._])id$|Id$|_id$|\.cursor$/;

/** Texts that are taken to the letter, and why that misleads nobody. */
const TO_THE_LETTER: Readonly<Record<string, string>> = {
  'accept_tos.version': 'It has to be that of the terms in force.',
  'discover_products.proposalCode': 'It is looked up.',
  'webhook_create.secret': 'It signs, and is never shown.',
};

describe('a text that a change takes', () => {
  test('has nothing hidden in it, wherever it stands', () => {
    const found = tools
      .filter(({ effect }) => effect !== 'read')
      .flatMap(({ name, input }) => takers(input, name))
      .filter((path) => !LOOKED_UP.test(path));

    expect(found.sort()).toEqual(Object.keys(TO_THE_LETTER).sort());
  });

  test('would be found otherwise, also in a list, in what is made of it and in open fields', () => {
    const bare = z.strictObject({
      name: z.string().max(9),
      said: z.array(z.string().transform((text) => text.trim())),
      ext: z.record(z.string(), z.unknown()).optional(),
      title: shortText(9),
      day: z.iso.date(),
    });

    expect(takers(bare, 'tool')).toEqual(['tool.name', 'tool.said[]', 'tool.ext']);
  });
});
