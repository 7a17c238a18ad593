import { describe, expect, test } from 'vitest';
import { familyFolders } from '../journeys/families.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

const families = familyFolders.flatMap((folder) => sourceFiles(`tools/${folder}`));

/** An exported function: its name, what it takes and what it is said to give. */
const EXPORTED = /^export (?:async )?function (\w+)\(([\s\S]*?)\)(?:: ([^{]+))? \{$/gm;
/** One row, whatever it is called: of several, and of tables, something else is made. */
const TAKES_ROW = /: \w+Row\b(?!\[|>)/;

function ofRowsIn(code: string): { name: string; gives: string }[] {
  return [...code.matchAll(EXPORTED)].flatMap(([, name = '', takes = '', gives = '']) =>
    TAKES_ROW.test(takes) ? [{ name, gives }] : [],
  );
}

/** What turns a row into what is shown of it: the function, and the schema that it is shown in. */
function mappersIn(code: string): { name: string; schema: string }[] {
  const called = [...code.matchAll(/^(?:export )?type (\w+) = z\.input<typeof (\w+)>;$/gm)];
  const schemaOf = new Map(called.map(([, type = '', schema = '']) => [type, schema]));
  return ofRowsIn(code).flatMap(({ name, gives }) => {
    const [, alone = ''] = /^(?:Promise<)?([\w.]+(?:<typeof \w+>)?)>?$/.exec(gives) ?? [];
    const schema = /^z\.input<typeof (\w+)>$/.exec(alone)?.[1] ?? schemaOf.get(alone);
    return schema === undefined ? [] : [{ name, schema }];
  });
}

/** A kind of object has a `find` as well: the row alone, without whose call it is. */
const KIND = /: Kind = \{[\s\S]*?\n\};/g;

/** The functions that find the object of a call, where they ask no query of the store themselves. */
function loadersIn(code: string): string[] {
  const found = [
    ...code
      .replace(KIND, '')
      .matchAll(/^ {2}find: (?:(?:async )?\([^)]*\) =>\s*(\w+)\((?!ctx\.db)|(\w+),)/gm),
  ];
  return found.map(([, called, named]) => called ?? named ?? '');
}

/** `thingRecord`, or `bareThingRecord` where there are several; a whole answer is `thingOutput`. */
function isMapperName({ name, schema }: { name: string; schema: string }): boolean {
  const own = `${schema.replace(/Output$/, '')}Record`;
  return name === own || name.endsWith(own.charAt(0).toUpperCase() + own.slice(1));
}
/** The other way of calling one: `asThing`. */
const isOtherName = (name: string) => /^as[A-Z]/.test(name);
/** The ways in which capabilities find their objects without a loader. */
function ownWaysIn(code: string): string[] {
  return [...code.matchAll(/^ {2}find: .*?(present\([\s\S]*?\)),\n {2}\w/gm)].map(([, way = '']) => way);
}

const isLoaderName = (name: string) => /^(reach[A-Z]|present$)/.test(name);

describe('in every family', () => {
  test('what makes a record of a row is called after the schema of the record', () => {
    const mappers = families.flatMap((path) => mappersIn(codeOf(path)));

    expect(mappers.length).toBeGreaterThan(25);
    expect(mappers.filter((mapper) => !isMapperName(mapper))).toEqual([]);
  });

  test('what others use to show a row is not called as and the record', () => {
    const names = families.flatMap((path) => ofRowsIn(codeOf(path))).map(({ name }) => name);

    expect(names.length).toBeGreaterThan(60);
    expect(names.filter(isOtherName)).toEqual([]);
  });

  test('what two capabilities find in the same way has a loader', () => {
    const ways = families.flatMap((path) => ownWaysIn(codeOf(path)));

    expect(ways.length).toBeGreaterThan(3);
    expect(ways.filter((way, index) => ways.indexOf(way) !== index)).toEqual([]);
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
      'export type Known = z.input<typeof knownThing>;',
      'export function asKnown(thing: ThingRow, open: readonly OtherRow[]): Known {',
      'export function bareThingRecord(before: ThingRow): z.input<typeof thing> {',
      'export function thingRecords(rows: readonly ThingRow[]): z.input<typeof thing> {',
      '  find: (ctx, { id }) => loadThing(ctx, id),',
      '  find: findThing,',
      '  find: async (ctx, { id }) => present(await findThing(ctx.db, ctx.scope, id), thingKind),',
      '  find: (ctx) => findOwnThing(ctx.db, ctx.scope),',
      '  find: (ctx, { id }) => reachThing(ctx, id),',
      'export const thingKind: Kind = {',
      "  word: 'thing',",
      '  find: findThingRow,',
      '};',
    ].join('\n');

    expect(mappersIn(code).filter((mapper) => !isMapperName(mapper))).toEqual([
      { name: 'fullThing', schema: 'thing' },
      { name: 'asKnown', schema: 'knownThing' },
    ]);
    expect(mappersIn(code)).toHaveLength(4);
    expect(ofRowsIn(code).filter(({ name }) => isOtherName(name))).toHaveLength(1);
    expect(ownWaysIn(`${code}\n  handler: go,`)).toEqual([
      'present(await findThing(ctx.db, ctx.scope, id), thingKind)',
    ]);
    expect(loadersIn(code).filter((name) => !isLoaderName(name))).toEqual(['loadThing', 'findThing']);
  });
});
