import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { sourceFiles, sourceOf } from '../support/house/source-files.ts';

/** Which folders of the store a folder may import from, types included: down, and never round. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'store/engine': [],
  'store/migrations': ['store/engine'],
  store: ['store/engine', 'store/migrations'],
  'store/unscoped': ['store', 'store/engine'],
};

const GATE = 'store/engine/unscoped.ts';

/** The files of the store that a file names in an import, a type or a `declare module`. */
function importsOf(path: string): string[] {
  const { importedFiles, ambientExternalModules } = ts.preProcessFile(sourceOf(path), true, true);
  const names = [...importedFiles.map(({ fileName }) => fileName), ...(ambientExternalModules ?? [])];
  return names.filter((name) => name.startsWith('.')).map((name) => join(dirname(path), name));
}

describe('the folders of the store', () => {
  const files = sourceFiles('store');
  const edges = files.flatMap((from) => importsOf(from).map((to) => ({ from, to })));

  test('are the ones that are named here, and each of them imports', () => {
    expect([...new Set(files.map(dirname))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
    expect(new Set(edges.map(({ from }) => dirname(from))).size).toBe(Object.keys(MAY_IMPORT).length);
  });

  test('import downwards alone: unscoped, then the aggregates, then migrations, then the engine', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [here, there] = [dirname(from), dirname(to)];
      return here !== there && !MAY_IMPORT[here]?.includes(there);
    });

    expect(wrong).toEqual([]);
  });

  test('hold the way round the scope in one of them', () => {
    const users = edges.filter(({ to }) => to === GATE).map(({ from }) => dirname(from));

    expect(users.length).toBeGreaterThan(3);
    expect([...new Set(users)]).toEqual(['store/unscoped']);
  });

  test('know no other way round: plugins are taken off in the gate, and for the migrations', () => {
    const users = files.filter((path) => sourceOf(path).includes('withoutPlugins('));

    expect(users).toEqual(['store/engine/db.ts', GATE]);
  });
});
