import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApi } from '../../adapters/docs/openapi.ts';
import { open } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { jsonSchema } from '../../tools/core/schemas/json-schema.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';
import { familyOf } from '../support/server/family.ts';

/** The ids that code gives to schemas: the names under which documents hold them. */
const idsIn = (code: string) => [...code.matchAll(/\.meta\(\{\s*id: '([^']+)'/g)].map(([, id]) => id ?? '');

/** Those of them that come more than once. */
const twice = (ids: readonly string[]) => ids.filter((id, at) => ids.indexOf(id) !== at);

const FACTS = { title: 'Planted', version: '1', serverUrl: 'http://127.0.0.1', cookie: 'session' };

/** A capability whose answer holds a schema of this id. */
const showing = (name: string, part: z.ZodType) =>
  defineTool({
    name,
    title: 'Get planted',
    description: 'Gives what was planted.',
    effect: 'read',
    access: open,
    rest: { method: 'GET', path: `/${name.replace('_', '-')}` },
    input: z.strictObject({}),
    output: z.object({ part }),
    errors: [],
    handler: async () => ({ part: {} }),
  });
const documentOf = (...parts: readonly z.ZodType[]) => {
  const tools = parts.map((part, at) => showing(`planted_${'ab'[at]}`, part));
  return openApi(familyOf(tools).tools, [], FACTS);
};
const named = (id: string, shape: z.ZodRawShape) => z.object(shape).meta({ id });

describe('the id of a schema', () => {
  test('is given once in the whole product', () => {
    const ids = ['adapters', 'tools'].flatMap(sourceFiles).flatMap((path) => idsIn(codeOf(path)));

    expect(ids.length).toBeGreaterThan(40);
    expect(twice(ids)).toEqual([]);
  });

  test('would be found where it is given twice', () => {
    const code = `a.meta({ id: 'Planted' }); b.meta({ id: 'Other' }); c.meta({
      id: 'Planted', title: 'Of another one' });`;

    expect(twice(idsIn(code))).toEqual(['Planted']);
  });

  test('that two capabilities give to different schemas keeps the document from being written', () => {
    const [one, other] = [named('Planted', { size: z.number() }), named('Planted', { size: z.string() })];

    expect(() => documentOf(one, other)).toThrow('Two different schemas are called Planted.');
    expect(() => documentOf(named('Around', { one }), other)).toThrow(
      'Two different schemas are called Planted.',
    );
  });

  test('that one capability gives to different schemas keeps it from being shown at all', () => {
    const [one, other] = [named('Planted', { size: z.number() }), named('Planted', { size: z.string() })];

    expect(() => jsonSchema(z.object({ one, other }), 'output')).toThrow(/Duplicate schema id "Planted"/);
  });

  test('stands once in the document for all who show the same schema', () => {
    const one = named('Planted', { size: z.number() });

    expect(documentOf(one, one)['components']).toMatchObject({
      schemas: { Planted: { properties: { size: { type: 'number' } } } },
    });
  });
});
