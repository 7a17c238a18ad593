import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { settings, variableOf } from '../../adapters/settings/config.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { tools } from '../../tools/registry.ts';
import { asSchema, partsOf } from '../support/house/schema-walk.ts';
import { BOUNDED, SAME, STANDS_IN, WITHIN } from './bounded-lists.ts';

const root = join(import.meta.dirname, '..', '..');

type Tool = (typeof tools)[number];

interface List {
  readonly tool: Tool;
  /** Where it stands: from the tool or the record on that it is part of. */
  readonly path: string;
  readonly items: object;
  /** Whether it is part of a record that itself stands in a list. */
  readonly isInRecord: boolean;
}

/** The lists of an answer that its schema lets be of any length. */
function openLists(tool: Tool): List[] {
  const parts = partsOf(jsonSchema(tool.output, 'output'));
  const lists = parts
    .filter(({ schema }) => schema['type'] === 'array')
    .map(({ path, schema }) => ({ tool, path, schema, items: asSchema(schema['items']) }));
  const listed = lists.map(({ items }) => String(items['$ref']).replace('#/$defs/', ''));
  return (
    lists
      // No word of a fixed list comes twice.
      .filter(({ schema, items }) => schema['maxItems'] === undefined && !('enum' in items))
      .map(({ path, items }) => {
        const isInRecord = path.includes('[]') || listed.some((name) => path.startsWith(`${name}.`));
        return { tool, path, items, isInRecord };
      })
  );
}

/** Whether it is what the tool pages: its length is that of a page. */
function isPage({ tool, path }: List): boolean {
  return 'take' in tool.input.shape && path === (tool.rest?.list ?? 'items');
}

const isOfRecords = ({ items }: List) => '$ref' in items || 'properties' in items;

function nameOf({ tool, path }: List): string {
  return `${tool.name} ${path.replace(/^[A-Z]\w*\./, '')}`;
}

/** By the record that it is part of, written in one way where several tools show the same. */
function placeOf({ tool, path }: List): string {
  const whole = /^[A-Z]/.test(path) ? path : `${tool.name}.${path}`;
  const same = Object.entries(SAME).find(([one]) => whole.startsWith(`${one}.`));
  return same === undefined ? whole : `${same[1]}${whole.slice(same[0].length)}`;
}

const once = (names: readonly string[]) => [...new Set(names)].sort();

describe('an answer that can be long', () => {
  const open = tools.flatMap(openLists).filter((list) => !isPage(list));
  const isBig = (list: List) => !list.isInRecord && isOfRecords(list);

  test('pages its records, says in its schema how many there are, or why there are few', () => {
    expect(once(open.filter(isBig).map(nameOf))).toEqual(Object.keys(BOUNDED).sort());
  });

  test('does so of the lists inside its records, and of words', () => {
    const inside = open.filter((list) => !isBig(list));

    expect(once(inside.map(placeOf))).toEqual(Object.keys(WITHIN).sort());
  });

  test('is as short as it is said: each reason with a number stands in the code, each setting is one', () => {
    const reasons = once([...Object.values(BOUNDED), ...Object.values(WITHIN)]);
    const words = /\b(\d+|ten|twice|last ones|metrics|units)\b/;
    const numbered = reasons.filter((reason) => words.test(reason));
    const variables = new Set(
      Object.entries(settings.shape).map(([name, schema]) => variableOf(name, schema)),
    );
    const named = reasons.flatMap((reason) => reason.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);

    expect(numbered).toEqual(Object.keys(STANDS_IN).sort());
    for (const [reason, places] of Object.entries(STANDS_IN)) {
      for (const [file, text] of places)
        expect(readFileSync(join(root, file), 'utf8'), reason).toContain(text);
    }
    expect(named.filter((name) => !variables.has(name))).toEqual([]);
  });

  test('says the same words wherever it has a short form', () => {
    for (const { input } of tools.filter((tool) => 'detail' in tool.input.shape)) {
      const { enum: words } = Object(Object(jsonSchema(input, 'input')['properties'])['detail']);
      expect(words).toEqual(['compact', 'full']);
    }
  });

  test('is found out where nothing says how long it is', () => {
    const [first] = tools;
    if (first === undefined) throw new Error('There is no tool.');
    const made = { ...first, output: z.object({ rows: z.array(z.object({ id: z.string() })) }) };

    expect(openLists(made).map(({ path }) => path)).toEqual(['rows']);
  });
});
