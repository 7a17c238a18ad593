import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** What every folder of tests may lean on. */
const SHARED = ['test/support', 'test/journeys'];
/** Folders that no usual run visits: what holds of them is asked by a rule, which every run asks. */
const ASKED_BY_RULES = ['test/growth', 'test/mutants'];

/** `test/tools/guide/help.test.ts` stands in `test/tools`. */
const folderOf = (path: string) => path.split('/').slice(0, 2).join('/');

/** The files of another folder of tests that a file uses. */
function usedElsewhere(path: string, code: string): string[] {
  const used = [...code.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );
  return used
    .filter((to) => to.startsWith('test/') && folderOf(to) !== folderOf(path))
    .filter((to) => !SHARED.includes(folderOf(to)))
    .filter((to) => folderOf(path) !== 'test/rules' || !ASKED_BY_RULES.includes(folderOf(to)));
}

const files = sourceFiles('test');

describe('a folder of tests', () => {
  test('uses no file of another one: what several lean on stands in test/support', () => {
    // Tests of rules have imports in texts, of files that are nowhere.
    const found = files.flatMap((path) =>
      usedElsewhere(path, codeOf(path))
        .filter((to) => files.includes(to))
        .map((to) => `${path}: ${to}`),
    );

    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  test('would be found to use one', () => {
    const code = `import { one } from './beside.ts';
      import { two } from '../support/run/gate.ts';
      import { three } from '../../tools/registry.ts';
      const four = await import('../people/signing.ts');`;

    expect(usedElsewhere('test/oauth/planted.test.ts', code)).toEqual(['test/people/signing.ts']);
    expect(usedElsewhere('test/rules/planted.test.ts', "from '../growth/family.ts'")).toEqual([]);
  });
});
