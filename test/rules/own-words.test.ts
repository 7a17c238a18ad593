import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tools } from '../../tools/registry.ts';

type Definition = Readonly<Record<string, unknown>>;

/** What the service has no words for by itself (`messageOf`): the schema has to bring them. */
const WITHOUT_WORDS: ReadonlySet<unknown> = new Set(['string_format', 'custom', 'multiple_of']);

const definitionOf = (schema: z.ZodType): Definition => ({ ...schema._zod.def });

/** The schemas that a schema is made of, each with its path. */
function partsOf(schema: z.ZodType): [path: string, part: z.ZodType][] {
  const { shape, options, ...others } = definitionOf(schema);
  const fields = typeof shape === 'object' && shape !== null ? Object.entries(shape) : [];
  const inside = [
    options,
    ...['element', 'innerType', 'in', 'out', 'keyType', 'valueType'].map((key) => others[key]),
  ];
  return [...fields, ...inside.flat().map((part): [string, unknown] => ['', part])].flatMap(
    ([name, part]): [string, z.ZodType][] => (part instanceof z.ZodType ? [[name, part]] : []),
  );
}

/** Where a refusal would be in the words of the library. */
function wordless(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const checks = schema._zod.def.checks ?? [];
  const isMute = [definitionOf(schema), ...checks.map(({ _zod }): Definition => ({ ..._zod.def }))].some(
    ({ check, fn, error }) =>
      WITHOUT_WORDS.has(check) && error === undefined && !(check === 'custom' && fn === undefined),
  );
  const inside = partsOf(schema).flatMap(([name, part]) =>
    wordless(part, name === '' ? path : `${path}.${name}`, seen),
  );
  return isMute ? [path, ...inside] : inside;
}

describe('a field that has to be of a form', () => {
  test.each(tools.map((tool) => [tool.name, tool.input] as const))(
    'of %s says in words of ours which',
    (name, input) => {
      expect(wordless(input, name)).toEqual([]);
    },
  );

  test('without them would be found', () => {
    const mute = z.strictObject({
      color: z.string().regex(/^#/).optional(),
      mail: z.array(z.email()),
      even: z.number().multipleOf(2),
      said: z.string().refine((text) => text !== '', 'Give a word.'),
    });

    expect(wordless(mute, 'tool')).toEqual(['tool.color', 'tool.mail', 'tool.even']);
  });
});
