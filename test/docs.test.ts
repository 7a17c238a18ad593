import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../adapters/settings/package-root.ts';
import { codeOf, sourceOf } from './support/house/source-files.ts';

const DECISIONS = 'docs/decisions';
const decisions = readdirSync(join(packageRoot, DECISIONS))
  .filter((name) => name !== 'README.md')
  .sort();
/** What `npm run generate` writes tells of the registry and the settings, and begins by saying so. */
const GENERATED = /^<!-- Generated /;
const written = readdirSync(join(packageRoot, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((page) => !GENERATED.test(sourceOf(page)))
  .sort();
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...written,
  `${DECISIONS}/README.md`,
  ...decisions.map((name) => `${DECISIONS}/${name}`),
];

const FOLDERS = 'adapters|bench|demo|docs|store|test|tools|web|\\.ci';
/** A path from the root of the project, in whatever it is written between; the middle of a URL is none. */
const PATH = new RegExp(`(?<![\\w/.:-])(?:${FOLDERS})/[\\w./<>{}*-]*[\\w>}*/]`, 'g');
const LINK = /\]\((?!https?:|#)([^)#]+)/g;
/** Methods of MCP that look like paths. */
const NO_PATHS = new Set(['tools/list', 'tools/call']);

/** The paths that a page names, its links among them; of one with a placeholder the part in front of it. */
function pathsIn(page: string, text: string): string[] {
  const named = (text.match(PATH) ?? []).filter((path) => !NO_PATHS.has(path));
  const linked = [...text.matchAll(LINK)].map(([, target = '']) => join(dirname(page), target));
  return [...named, ...linked].map((path) => path.replace(/[^/]*[<{*].*$/, ''));
}

/** A function or a constant with the file that it stands in: “`name` (`path`)” or “`name` in `path`”. */
const NAMED = new RegExp(`\`([A-Za-z_]\\w*)\` (?:\\(|in )\`((?:${FOLDERS})/[\\w./-]+\\.(?:ts|mjs))\``, 'g');

/** Of the names that a page gives with their files, those that are not declared there. */
function undeclared(text: string, code: (path: string) => string = codeOf): string[] {
  return [...text.matchAll(NAMED)].flatMap(([, name = '', path = '']) =>
    isDeclared(name, code(path)) ? [] : [`${name} in ${path}`],
  );
}

function isDeclared(name: string, code: string): boolean {
  return new RegExp(`\\b(?:function\\*?|const|class|interface|type) ${name}\\b`).test(code);
}

/** A function or a constant, by the way it is written; words of one part, `sending`, are other things as well. */
const NAME = /`([a-z]+[A-Z]\w*)`/g;
const FILE = new RegExp(`\`((?:${FOLDERS})/[\\w./-]+\\.(?:ts|mjs))\``, 'g');

/** Of the names in the lines of a walk, those that no file of their line declares. */
function strayNames(text: string, code: (path: string) => string = codeOf): string[] {
  return text.split('\n').flatMap((line) => {
    const all = [...line.matchAll(FILE)].map(([, path = '']) => code(path)).join('\n');
    const names = [...line.matchAll(NAME)].map(([, name = '']) => name);
    return names.filter((name) => !isDeclared(name, all));
  });
}

/** The names that a text has in backticks, each where it comes first. */
function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(NAME)].map(([, name = '']) => name))];
}

/** The body of a function that stands at the margin of its file. */
function bodyOf(code: string, name: string): string {
  return new RegExp(`\\bfunction ${name}\\([\\s\\S]*?\\n}\\n`).exec(code)?.[0] ?? '';
}

/** The paths of a map: two more spaces are one folder deeper, and what comes after the name is about it. */
function pathsOfMap(map: string): string[] {
  const above: string[] = [];
  return map.split('\n').flatMap((line) => {
    const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
    if (name === '') return [];
    above.splice(indent.length / 2);
    above.push(name.replace(/\/$/, ''));
    return [above.join('/')];
  });
}

const missing = (paths: readonly string[]) => paths.filter((path) => !existsSync(join(packageRoot, path)));

describe.each(pages)('%s', (page) => {
  test('names no path that is not there', () => {
    expect(missing(pathsIn(page, sourceOf(page)))).toEqual([]);
  });

  test('names no function with a file that does not declare it', () => {
    expect(undeclared(sourceOf(page))).toEqual([]);
  });

  test('has no line of a draft', () => {
    expect(sourceOf(page)).not.toMatch(/\b(TODO|TBD|FIXME|XXX)\b/);
  });
});

describe('the pages', () => {
  test('are all that a person has written', () => {
    expect(written).toEqual(expect.arrayContaining(['docs/architecture.md', 'docs/money.md']));
    expect(written).not.toContain('docs/reference.md');
  });

  test('name functions with their files in the walks', () => {
    expect([...sourceOf('docs/architecture.md').matchAll(NAMED)].length).toBeGreaterThan(60);
  });
});

describe('the walks of architecture.md', () => {
  const [, ...walks] = sourceOf('docs/architecture.md').split(/^## (?=A )/m);

  test('name in each step the files of all its functions', () => {
    expect(walks).toHaveLength(5);
    expect(walks.flatMap((walk) => strayNames(walk))).toEqual([]);
  });

  test('tell of a buy what its transaction calls, in the order in which it does', () => {
    const claim = bodyOf(codeOf('tools/domain/buying/orders/order-claiming.ts'), 'claim');
    const told = namesIn(walks.find((walk) => walk.startsWith('A buy\n')) ?? '');
    const called = told.filter((name) => claim.includes(`${name}(`));

    expect(called).toEqual(expect.arrayContaining(['holdAsRead', 'writeCampaign', 'commitOrders']));
    expect(called).toEqual(
      called.toSorted((one, other) => claim.indexOf(`${one}(`) - claim.indexOf(`${other}(`)),
    );
  });

  test('would be found to name others', () => {
    const files = new Map([['store/ships.ts', 'export function findShip() {}\nconst shipKind = 1;']]);
    const text =
      '1. `findShip` (`store/ships.ts`), `shipKind` beside it.\n2. `findShip` again, `sendShip` (`store/ships.ts`).';

    expect(strayNames(text, (path) => files.get(path) ?? '')).toEqual(['sendShip']);
    expect(strayNames('`findShip` alone', () => '')).toEqual(['findShip']);
  });
});

describe('the functions of a page', () => {
  test('are those that stand beside a file, and have to be declared in it', () => {
    const files = new Map([
      ['store/ships.ts', 'export function findShip() {}\nexport const shipKind = 1;'],
      ['store/fleets.ts', "import { findShip } from './ships.ts';\nfindShip();"],
    ]);
    const text =
      'It is found (`findShip` in `store/ships.ts`), by `shipKind` (`store/ships.ts`, `store/fleets.ts`). ' +
      'Not `findShip` in `store/fleets.ts`, nor `find` (`store/ships.ts`). `page` (`GET /ships`) is none.';

    expect(undeclared(text, (path) => files.get(path) ?? '')).toEqual([
      'findShip in store/fleets.ts',
      'find in store/ships.ts',
    ]);
  });
});

describe('the paths of a page', () => {
  test('are found in text, code and links, from wherever the page is', () => {
    const text =
      'Read `tools/core/call.ts`, [that](../architecture.md) and test/tools/<family>/<tool>.test.ts. POST ' +
      'https://ads.example/docs/nothing, tools/call and /docs/x are none; store/gone.ts, is.';

    expect(pathsIn('docs/decisions/page.md', text)).toEqual([
      'tools/core/call.ts',
      'test/tools/',
      'store/gone.ts',
      'docs/architecture.md',
    ]);
    expect(missing(['store/gone.ts', 'docs/architecture.md'])).toEqual(['store/gone.ts']);
  });
});

describe('the map of the tree in README.md', () => {
  const [, map = ''] = /## Map of the tree\n+```\n([\s\S]*?)```/.exec(sourceOf('README.md')) ?? [];

  test('shows what is there', () => {
    const paths = pathsOfMap(map);

    expect(paths.length).toBeGreaterThan(20);
    expect(missing(paths)).toEqual([]);
  });

  test('shows every folder of adapters and of the root', () => {
    const folders = (path: string) =>
      readdirSync(join(packageRoot, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !/^(\.(?!ci$)|node_modules$|dist$|data$)/.test(entry.name))
        .map(({ name }) => join(path, name));

    expect(pathsOfMap(map)).toEqual(expect.arrayContaining([...folders('.'), ...folders('adapters')]));
  });

  test('is read line by line', () => {
    expect(pathsOfMap('one/     about\n  two/   more\n    three.ts\n  four.ts\nfive/\n')).toEqual([
      'one',
      'one/two',
      'one/two/three.ts',
      'one/four.ts',
      'five',
    ]);
  });
});

describe('the decisions', () => {
  test('are listed by number, each in one line with its title', () => {
    const listed = sourceOf(`${DECISIONS}/README.md`)
      .split('\n')
      .filter((line) => line.startsWith('- '));

    const titles = decisions.map((name, index) => {
      const [first = ''] = sourceOf(`${DECISIONS}/${name}`).split('\n');
      const number = String(index + 1).padStart(4, '0');
      expect(name).toMatch(new RegExp(`^${number}-[a-z0-9-]+\\.md$`));
      expect(first).toMatch(new RegExp(`^# ${number}: \\S`));
      return `- [${first.slice(2)}](${name})`;
    });

    expect(listed.map((line) => line.replace(/\)[^)]*$/, ')'))).toEqual(titles);
  });

  test.each(decisions)('%s says what was decided, why, what follows and what was measured', (name) => {
    const lines = sourceOf(`${DECISIONS}/${name}`).split('\n');

    expect(lines.length).toBeLessThan(40);
    expect(lines.filter((line) => line.startsWith('## '))).toEqual([
      '## Context',
      '## Decision',
      '## Consequences',
      '## Figures',
    ]);
    expect(lines.slice(lines.indexOf('## Figures')).join()).toMatch(/\d/);
  });
});
