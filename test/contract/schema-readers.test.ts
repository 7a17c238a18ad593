import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { bare } from '../../tools/core/schemas/schema-parts.ts';
import { readInput, readOutput } from '../../tools/core/schemas/schema-readers.ts';
import { streams, tools } from '../../tools/registry.ts';

/** What comes of an answer: what is shown of it, and the fields that it has, or what a refusal complains of. */
function outcomeOf(read: () => unknown): unknown {
  try {
    const value = read();
    return [JSON.stringify(value), shapeOf(value)];
  } catch (error) {
    return error instanceof z.ZodError ? error.issues : error;
  }
}

/** With the fields that are there and undefined. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([name, part]) => [name, shapeOf(part)]);
}

function expectSame(schema: z.ZodObject, answer: unknown): void {
  const read = outcomeOf(() => readOutput(schema, answer));
  const parsed = outcomeOf(() => schema.parse(answer));
  // Told apart by their texts first: to compare them deeply a hundred thousand times would take minutes.
  if (JSON.stringify(read) !== JSON.stringify(parsed)) expect(read).toEqual(parsed);
  // An input that is not read is asked of the schema by whoever wants it.
  const input = readInput(schema, answer);
  if (input === undefined) return;
  const outcome = outcomeOf(() => input);
  if (JSON.stringify(outcome) !== JSON.stringify(parsed)) expect(outcome).toEqual(parsed);
}

/** An answer with everything in it, one of each list. */
function sampleOf(schema: z.ZodType): unknown {
  const here = bare(schema);
  if (here instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(here.shape).map(([name, field]) => [name, sampleOf(asType(field))]),
    );
  }
  if (here instanceof z.ZodArray) return [sampleOf(asType(here.element))];
  if (here instanceof z.ZodEnum) return here.options[0];
  if (here instanceof z.ZodLiteral) return here.value;
  if (here instanceof z.ZodNumber) return 7;
  if (here instanceof z.ZodBoolean) return true;
  if (here instanceof z.ZodString) return 'text';
  if (here instanceof z.ZodUnion) return sampleOf(asType(here.options[0]));
  return {};
}

function asType(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error('That is no schema.');
}

const LEFT_OUT = Symbol('left out');
const ODD = [
  LEFT_OUT,
  undefined,
  null,
  'text',
  '',
  0,
  1.5,
  2 ** 60,
  Number.NaN,
  true,
  [],
  [null],
  {},
  { odd: 1 },
];

/** What a part of a capability's answer is put in place of. */
const ODD_PARTS = [undefined, null, 'text', 1.5, []];

/** The answer with each of its parts in turn put in another form. */
function* changesOf(value: unknown): Generator<unknown> {
  yield* ODD_PARTS;
  if (Array.isArray(value)) {
    for (const item of changesOf(value[0])) yield [item];
    yield [value[0], value[0]];
  } else if (isFields(value)) {
    yield { ...value, notAsked: 1 };
    for (const [name, part] of Object.entries(value)) {
      const { [name]: _left, ...others } = value;
      yield others;
      for (const changed of changesOf(part)) yield { ...value, [name]: changed };
    }
  }
}

/** Of answers with hundreds of parts the first changes are tried. */
const CHANGES_MAX = 250;

function expectSameOfAll(schema: z.ZodObject): number {
  let tried = 0;
  const sample = sampleOf(schema);
  expectSame(schema, sample);
  for (const changed of changesOf(sample)) {
    if (tried >= CHANGES_MAX) break;
    expectSame(schema, changed);
    tried += 1;
  }
  return tried;
}

/** Whether the schema is asked of an answer with all that it may have, or with no more than it has to. */
function isLeftToSchema(output: z.ZodObject): boolean {
  const parse = vi.spyOn(output, 'parse');
  readOutput(output, sampleOf(output));
  readOutput(output, leastOf(output));
  const { length } = parse.mock.calls;
  parse.mockRestore();
  return length > 0;
}

/** The sample without what may be left out. */
function leastOf(schema: z.ZodType): unknown {
  const here = bare(schema);
  if (!(here instanceof z.ZodObject)) return sampleOf(schema);
  const fields = Object.entries(here.shape).filter(
    ([, field]) => !asType(field).safeParse(undefined).success,
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, leastOf(asType(field))]));
}

describe('an input is read as its schema parses it', () => {
  const inputs = [...tools, ...streams].flatMap(({ name, input, example = {} }) =>
    input instanceof z.ZodObject ? [{ name, input, example }] : [],
  );

  test.each(inputs.map(({ name, input }) => [name, input] as const))('of %s', (_, input) => {
    expect(expectSameOfAll(input)).toBeGreaterThan(0);
  });

  test('an example is not left to the schema', () => {
    const plain = inputs.filter(({ input }) => (input.def.checks ?? []).length === 0);
    expect(plain.length).toBeGreaterThan(inputs.length / 2);
    const left = plain.filter(({ input, example }) => readInput(input, example) === undefined);
    expect(left.map(({ name }) => name)).toEqual([]);
  });
});

describe('an answer is read as its schema parses it', () => {
  test.each(tools.map(({ name, output }) => [name, output] as const))('of %s', (_, output) => {
    expect(expectSameOfAll(output)).toBeGreaterThan(0);
  });

  test('an answer that fits is not left to the schema', () => {
    const fitting = tools.filter(({ output }) => output.safeParse(sampleOf(output)).success);
    expect(fitting.length).toBeGreaterThan(tools.length / 2);
    expect(fitting.filter(({ output }) => isLeftToSchema(output)).map(({ name }) => name)).toEqual([]);
  });
});

test('nor is a field that may be left out twice over', () => {
  expect(isLeftToSchema(z.object({ part: z.string().optional() }).partial())).toBe(false);
});

const text = z.string();

describe('so is each kind of part', () => {
  test.each<[string, z.ZodType]>([
    ['text', text],
    ['text of a form', z.email()],
    ['text of some length', text.min(2)],
    ['text of some lengths', text.min(1).max(3)],
    ['text under a rule', text.max(9).refine((given) => given !== 'text')],
    [
      'text under a rule that says why itself',
      text.superRefine((given, ctx) => {
        if (given === 'text') ctx.addIssue('no');
      }),
    ],
    ['text that is made shorter', text.trim().min(1)],
    ['text made of anything', z.coerce.string()],
    ['a number', z.number()],
    ['a number of some size', z.number().min(1)],
    ['a whole number', z.number().int()],
    ['a whole number of some size', z.number().int().max(5)],
    ['a short whole number', z.int32()],
    ['one of some words', z.enum(['text', 'other'])],
    ['one of some numbers', z.literal([0, 7])],
    ['nothing else', z.literal('text')],
    ['yes or no', z.boolean()],
    ['what may be left out', text.optional()],
    ['the same said twice', text.optional().optional()],
    ['what may be null', text.nullable()],
    ['what may be both', text.nullable().optional()],
    ['the same the other way round', text.optional().nullable()],
    ['a default', text.default('given')],
    ['a default of yes or no', z.boolean().default(false)],
    ['a default that is made anew', z.array(text).default([])],
    ['a default before it is read', text.min(2).prefault('x')],
    ['what may be null by default', text.nullable().default(null)],
    ['a default that may be left out', text.default('given').optional()],
    ['what may not be left out after all', z.nonoptional(text.optional())],
    ['the same with a default', z.nonoptional(text.default('given'))],
    ['anything', z.unknown()],
    ['anything that may be left out', z.unknown().optional()],
    ['a list', z.array(text)],
    ['a list of what may be left out', z.array(text.optional())],
    ['a short list', z.array(text).max(1)],
    ['an object', z.object({ odd: z.number().optional() })],
    ['an object and no more', z.strictObject({ odd: z.number() })],
    ['an object of nothing', z.strictObject({})],
    ['an object and words beside', z.object({ odd: z.number() }).catchall(text)],
    ['an object and whatever more', z.looseObject({ odd: z.number() })],
    ['an object under a rule', z.object({ odd: z.number() }).refine(({ odd }) => odd > 3)],
    ['a record', z.record(text, z.number())],
    ['one of two kinds', z.union([text, z.number()])],
    ['something made of it', text.transform((given) => given.length)],
    ['what cannot be changed', z.array(text).readonly()],
  ])('%s', (_, part) => {
    const schema = z.object({ first: text, part, list: z.array(z.object({ part })), last: text.optional() });
    for (const one of ODD) {
      const given = one === LEFT_OUT ? {} : { part: one };
      for (const list of [[], [given], [{ part: 'text' }, given]]) {
        expectSame(schema, { first: 'text', ...given, list });
        expectSame(schema, { list, ...given, first: 'text', last: undefined, notAsked: 1 });
      }
    }
  });

  test('a part that holds itself', () => {
    const tree: z.ZodObject = z.object({
      name: text,
      get below() {
        return z.array(tree).optional();
      },
    });
    expectSame(tree, { name: 'a', below: [{ name: 'b', below: [] }, { name: 'c' }] });
    expectSame(tree, { name: 'a', below: [{ name: 'b', below: [{ name: 1 }] }] });
  });
});
