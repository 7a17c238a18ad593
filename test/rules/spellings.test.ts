import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../tools/core/errors/app-error.ts';
import { inOtherCase } from '../../tools/core/schemas/both-cases.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { respell, type Spellings } from '../../tools/core/schemas/spellings.ts';
import { nameGiven, parseInput } from '../../tools/core/validation.ts';
import { tools } from '../../tools/registry.ts';
import { partsOf } from '../support/house/schema-walk.ts';

const spellings: Spellings = {
  'flight.start': ['flight.from', 'start_date'],
  total: ['amount'],
};
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean());
/** Every path under which the first field may come. */
const path = fc.constantFrom('flight.start', 'flight.from', 'start_date');

const at = (where: string, what: unknown): Record<string, unknown> => {
  const [head = '', rest] = where.split('.');
  return rest === undefined ? { [head]: what } : { [head]: { [rest]: what } };
};

describe('respell', () => {
  test('finds a field under its own name, whichever name it came under, and knows that name', () => {
    fc.assert(
      fc.property(path, value, (where, what) => {
        const { input, nameGiven: nameOf, issues } = respell(at(where, what), spellings);
        expect(input).toEqual({ flight: { start: what } });
        expect(nameOf('flight.start')).toBe(where);
        expect(nameOf('flight.start.inner')).toBe(`${where}.inner`);
        expect(issues).toEqual([]);
      }),
    );
  });

  test('leaves alone what has no other name, and what is no object', () => {
    const others = fc.dictionary(fc.constantFrom('a', 'b', 'total', 'constructor'), fc.object());
    fc.assert(
      fc.property(others, (given) => {
        expect(respell(given, spellings).input).toEqual(given);
      }),
    );
    for (const odd of [undefined, null, 7, 'text', [], [{ amount: 1 }]]) {
      expect(respell(odd, spellings).input).toBe(odd);
    }
  });

  test('complains when two names carry two values, and not when they carry the same', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        const { input, issues } = respell({ total: one, amount: other }, spellings);
        expect(input).toEqual({ total: one });
        expect(issues.map((issue) => issue.path)).toEqual(same ? [] : ['amount']);
      }),
    );
  });

  test('takes null under a second name for nothing where another value stands', () => {
    const asGiven = (given: object) => respell(given, spellings).input;

    expect(asGiven({ total: 1, amount: null })).toEqual({ total: 1 });
    expect(asGiven({ total: null, amount: 1 })).toEqual({ total: 1 });
    expect(asGiven({ amount: null })).toEqual({ total: null });
    expect(asGiven({ start_date: null })).toEqual({});
    expect(asGiven({ flight: { start: 1 }, start_date: null })).toEqual({ flight: { start: 1 } });
  });

  test('changes nothing of what it was given', () => {
    const given = { flight: { from: 1 }, amount: 2, inner: { deep: [1] } };
    const before = structuredClone(given);

    respell(given, spellings);

    expect(given).toEqual(before);
  });

  test('does the same twice', () => {
    fc.assert(
      fc.property(path, value, (where, what) => {
        const once = respell(at(where, what), spellings).input;
        expect(respell(once, spellings).input).toEqual(once);
      }),
    );
  });

  test('takes no field from the prototype of an object', () => {
    const { input } = respell(JSON.parse('{"__proto__": {"amount": 1}}'), spellings);

    expect(Object.hasOwn(input as object, 'total')).toBe(false);
    expect(Object.hasOwn({}, 'amount')).toBe(false);
  });
});

describe('parseInput', () => {
  const tool = {
    input: z.strictObject({
      name: z.string().min(2).max(5),
      total: z.number().int().positive(),
      flight: z.strictObject({ start: z.iso.date() }).optional(),
      lines: z
        .array(z.strictObject({ color: z.enum(['red', 'blue']) }))
        .max(2)
        .default([]),
    }),
    spellings,
  };
  const complaints = (raw: unknown): Record<string, string> => {
    try {
      parseInput(tool, raw);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
      const issues = z
        .array(z.object({ path: z.string(), message: z.string() }))
        .parse(error.details?.['issues']);
      expect(error.field).toBe(issues.length === 1 && issues[0]?.path !== '' ? issues[0]?.path : undefined);
      return Object.fromEntries(issues.map((issue) => [issue.path, issue.message]));
    }
    return {};
  };

  test('gives the input with its defaults, under its own names', () => {
    expect(parseInput(tool, { name: 'Acme', amount: 3 })).toEqual({ name: 'Acme', total: 3, lines: [] });
  });

  test('remembers what the caller called a field, for complaints that come later', () => {
    const input = parseInput(tool, { name: 'Acme', amount: 3, start_date: '2026-12-01' });

    expect(nameGiven(input, 'total')).toBe('amount');
    expect(nameGiven(input, 'flight.start')).toBe('start_date');
    expect(nameGiven(input, 'name')).toBe('name');
    expect(nameGiven({}, 'total')).toBe('total');
  });

  test('names every problem at once, each at its dotted path and as the caller spelled it', () => {
    const raw = {
      name: 'A',
      amount: 1.5,
      start_date: 'soon',
      lines: [{ color: 'green' }, { colour: 'red' }],
      surprise: 1,
    };

    expect(Object.keys(complaints(raw)).sort()).toEqual([
      'amount',
      'lines.0.color',
      'lines.1.color',
      'lines.1.colour',
      'name',
      'start_date',
      'surprise',
    ]);
  });

  test.each([
    [{ total: 1 }, 'name', 'Required: give a string.'],
    [{ total: 1, name: 7 }, 'name', 'Give a string.'],
    [{ total: 1, name: 'A' }, 'name', '2 characters at the least.'],
    [{ total: 1, name: 'Abcdef' }, 'name', '5 characters at the most.'],
    [{ name: 'Abc', total: 0 }, 'total', 'More than 0.'],
    [{ name: 'Abc', total: 1, lines: [1, 2, 3] }, 'lines', '2 entries at the most.'],
    [{ name: 'Abc', total: 1, lines: [{ color: 'green' }] }, 'lines.0.color', 'Give one of: red, blue.'],
    [
      { name: 'Abc', total: 1, lines: [{ colr: 'red' }] },
      'lines.0.colr',
      'Unknown field. Did you mean color?',
    ],
    [{ nam: 'Abc', total: 1 }, 'nam', 'Unknown field. Did you mean name?'],
    [{ nam: 'Abc', name: 'Abc', total: 1 }, 'nam', 'Unknown field: leave it out, name is given already.'],
    [{ nam: 'Abc', name: null, total: 1 }, 'nam', 'Unknown field. Did you mean name?'],
    [
      { name: 'Abc', total: 1, surprise: 1 },
      'surprise',
      'Unknown field. Known here: name, total, flight, lines.',
    ],
    [{ name: 'Abc', total: 1, amount: 2 }, 'amount', 'Says something else than total; give one of them.'],
    ['text', '', 'Give an object with name, total, flight, lines.'],
    [{ name: 'Abc', total: 1, lines: ['red'] }, 'lines.0', 'Give an object with color.'],
  ])('says of %j what is wrong with %j', (raw, where, message) => {
    expect(complaints(raw)[where]).toBe(message);
  });

  test('never throws anything but a complaint, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        expect(complaints(raw)).toBeTypeOf('object');
      }),
    );
  });
});

describe('an id that a call names in snake case', () => {
  const named = (schema: Parameters<typeof jsonSchema>[0], way: 'input' | 'output') =>
    partsOf(jsonSchema(schema, way)).map(({ path }) => path.split('.').at(-1) ?? '');
  const shown = new Set(tools.flatMap(({ output }) => named(output, 'output')));
  const ids = tools.flatMap((tool) =>
    Object.keys(tool.input.shape)
      .filter((field) => field.endsWith('_id') && shown.has(inOtherCase(field)))
      .map((field) => ({ tool, name: tool.name, field })),
  );

  test('is that of media buys, which campaigns show in camel case', () => {
    expect(ids.length).toBeGreaterThanOrEqual(5);
  });

  test.each(ids)('is taken as other answers name it: $field of $name', ({ tool, field }) => {
    expect(tool.spellings?.[field]).toContain(inOtherCase(field));
  });
});
