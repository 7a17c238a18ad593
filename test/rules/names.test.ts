import { describe, expect, test } from 'vitest';
import { familyFolders } from '../journeys/families.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

const families = familyFolders.flatMap((folder) => sourceFiles(`tools/${folder}`));

/** What turns a row into what is shown of it: the function, and the schema that it is shown in. */
function mappersIn(code: string): { name: string; schema: string }[] {
  const mapper =
    /^export (?:async )?function (\w+)\([^)]*\brow: \w+[^)]*\): (?:Promise<)?z\.input<typeof (\w+)>/gm;
  return [...code.matchAll(mapper)].map(([, name = '', schema = '']) => ({ name, schema }));
}

/** The functions that find the object of a call, where they ask no query of the store themselves. */
function loadersIn(code: string): string[] {
  const found = [...code.matchAll(/^ {2}find: (?:(?:async )?\([^)]*\) =>\s*(\w+)\((?!ctx\.db)|(\w+),)/gm)];
  return found.map(([, called, named]) => called ?? named ?? '');
}

const isMapperName = ({ name, schema }: { name: string; schema: string }) => name === `${schema}Record`;
const isLoaderName = (name: string) => /^(reach[A-Z]|present$)/.test(name);

describe('in every family', () => {
  test('what makes a record of a row is called after the schema of the record', () => {
    const mappers = families.flatMap((path) => mappersIn(codeOf(path)));

    expect(mappers.length).toBeGreaterThan(15);
    expect(mappers.filter((mapper) => !isMapperName(mapper))).toEqual([]);
  });

  test('what finds the object of a call is called reach and the object', () => {
    const loaders = families.flatMap((path) => loadersIn(codeOf(path)));

    expect(loaders.length).toBeGreaterThan(50);
    expect(loaders.filter((name) => !isLoaderName(name))).toEqual([]);
  });

  test('other names would be found', () => {
    const code = [
      'export async function fullThing(ctx: Context, row: ThingRow): Promise<z.input<typeof thing>> {',
      'export function thingRecord(',
      '  { now }: Context,',
      '  row: ThingRow,',
      '): z.input<typeof thing> {',
      '  find: (ctx, { id }) => loadThing(ctx, id),',
      '  find: findThing,',
      '  find: async (ctx, { id }) => present(await findThing(ctx.db, ctx.scope, id), thingKind),',
      '  find: (ctx) => findOwnThing(ctx.db, ctx.scope),',
      '  find: (ctx, { id }) => reachThing(ctx, id),',
    ].join('\n');

    expect(mappersIn(code).filter((mapper) => !isMapperName(mapper))).toEqual([
      { name: 'fullThing', schema: 'thing' },
    ]);
    expect(mappersIn(code)).toHaveLength(2);
    expect(loadersIn(code).filter((name) => !isLoaderName(name))).toEqual(['loadThing', 'findThing']);
  });
});
