import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { packageRoot } from '../../../adapters/settings/package-root.ts';
import { surfaceNames } from '../../../tools/core/surfaces.ts';

/** One import that a rule forbids: of a file of the tree, a package, or a module of Node with `node:` before it. */
export interface Breach {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

interface End {
  readonly path?: string;
  readonly pathNot?: string;
}

/** A rule about imports; of others there is more to say. */
export interface Rule {
  readonly name: string;
  readonly from: End;
  readonly to: End;
}

const { dependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
export const PACKAGES: readonly string[] = Object.keys(dependencies);
const OF_NODE = builtinModules
  .filter((name) => !name.startsWith('_'))
  .map((name) => `node:${name.replace('node:', '')}`);

/** All that can be imported from outside, but this. */
function foreignBut(...allowed: readonly string[]): string[] {
  return [...PACKAGES, ...OF_NODE].filter((name) => !allowed.includes(name));
}

const FAMILIES = surfaceNames.map((surface) => `tools/${surface}/two/there.ts`);
const REGISTRY = 'tools/registry.ts';
const CALL = 'tools/core/call.ts';
const APP = 'adapters/http/app.ts';
const OUTSIDE = ['test/support.ts', 'bench/main.ts', 'demo/main.ts'];
const engineFiles = ['moving', 'sqlite', 'sqlite-copy', 'sqlite-files'].map(
  (name) => `store/engine/${name}.ts`,
);
const inBackground = ['webhook-deliveries', 'abandoned-work', 'mcp-sessions'].map(
  (name) => `store/unscoped/${name}.ts`,
);
/** A file in a family of each surface, named so that no two plants are in one. */
const inFamilies = (name: string) => surfaceNames.map((surface) => `tools/${surface}/curious/${name}.ts`);

/** Who must not import what, by the rule: each of the first, each of the second. */
const TABLE: Readonly<Record<string, readonly (readonly [readonly string[], readonly string[]])[]>> = {
  'ground-knows-nothing-around-it': [
    [['tools/core/ground/here.ts'], ['tools/core/roof.ts']],
    [['tools/domain/ground.ts'], ['tools/roof.ts']],
    [['store/engine/ground.ts'], ['store/rows.ts']],
  ],
  'errors-know-nothing-around-them': [[['tools/core/errors/nosy.ts'], [CALL, APP]]],
  'store-imports-nothing-above': [
    [
      ['store/up.ts', 'store/engine/above.ts', 'store/unscoped/up.ts'],
      [CALL, APP, ...OUTSIDE],
    ],
  ],
  'store-knows-databases-alone': [
    [
      ['store/engine/wide.ts', 'store/migrations/0002-wide.ts'],
      foreignBut(
        ...['kysely', 'better-sqlite3', 'pg', 'lru-cache', 'node:async_hooks', 'node:crypto', 'node:fs'],
        ...['node:path', 'node:timers/promises', 'node:url', 'node:worker_threads'],
      ),
    ],
  ],
  'aggregates-know-queries-alone': [
    [['store/wide.ts', 'store/unscoped/wide.ts'], foreignBut('kysely', 'jose', 'node:timers/promises')],
  ],
  'engine-knows-no-aggregate': [
    [['store/engine/up.ts'], ['store/rows.ts', 'store/unscoped/all.ts', 'store/migrations/0001-all.ts']],
  ],
  'aggregates-keep-their-scope': [[['store/open.ts'], ['store/unscoped/all.ts']]],
  'tables-are-made-at-the-opening': [[['store/loose.ts'], ['store/migrations/0001-all.ts']]],
  'tools-import-no-adapter': [
    [
      ['tools/core/up.ts', 'tools/domain/up.ts', ...inFamilies('up')],
      [APP, ...OUTSIDE],
    ],
  ],
  'core-knows-no-business': [[['tools/core/nosy.ts'], ['tools/domain/money.ts', ...FAMILIES, REGISTRY]]],
  'domain-knows-no-family': [[['tools/domain/nosy.ts'], [...FAMILIES, REGISTRY]]],
  'a-family-keeps-to-itself': [[inFamilies('nosy'), [...FAMILIES, REGISTRY]]],
  'adapters-know-no-family': [[['adapters/http/nosy.ts'], FAMILIES]],
  'families-make-no-scope': [[inFamilies('scope'), ['store/engine/scope.ts']]],
  'rest-and-mcp-never-meet': [
    [['adapters/rest/nosy.ts'], ['adapters/mcp/there.ts']],
    [['adapters/mcp/nosy.ts'], ['adapters/rest/there.ts']],
  ],
  'product-imports-no-test': [[['adapters/tested.ts', 'store/tested.ts', 'tools/core/tested.ts'], OUTSIDE]],
  'tools-know-no-transport': [
    [
      ['tools/core/wire.ts', 'tools/domain/wire.ts', 'tools/storefront/curious/wire.ts'],
      foreignBut('zod', 'fastest-levenshtein', 'node:util', 'node:timers/promises'),
    ],
  ],
  'mcp-sdk-in-its-folders': [
    [
      ['adapters/http/mcp.ts', 'adapters/rest/mcp.ts', 'tools/core/mcp.ts', 'store/mcp.ts'],
      PACKAGES.filter((name) => name.startsWith('@modelcontextprotocol/')),
    ],
  ],
  'drivers-in-their-files': [
    [
      ['store/driver.ts', 'store/engine/driver.ts', 'adapters/http/driver.ts', 'tools/core/driver.ts'],
      ['better-sqlite3', 'pg'],
    ],
  ],
  'express-in-pages': [
    [['adapters/mcp/page.ts', 'adapters/http/page.ts', 'tools/core/page.ts'], ['express']],
  ],
  'background-queries-for-background-work': [
    [['adapters/http/all.ts', 'tools/core/all.ts', 'tools/domain/all.ts', 'store/jobs.ts'], inBackground],
  ],
  'unscoped-in-its-folder': [
    [
      ['store/bare.ts', 'store/engine/bare.ts', 'tools/core/bare.ts', APP.replace('app', 'bare')],
      ['store/engine/unscoped.ts'],
    ],
  ],
  'families-ask-few-things-unscoped': [[inFamilies('all'), ['store/unscoped/all.ts']]],
  'engine-keeps-its-inside': [
    [['tools/core/inside.ts', 'adapters/http/inside.ts'], ['store/engine/prepared.ts']],
  ],
  'files-of-the-database-for-commands': [[['tools/core/copy.ts', 'adapters/http/copy.ts'], engineFiles]],
  'queries-in-the-store': [
    [['adapters/cli/query.ts', 'tools/core/query.ts', 'tools/domain/query.ts'], ['kysely']],
  ],
};

/** What families may ask without a tenant, by the rules, each of which is about one file. */
const FOR_ITS_FAMILIES = /^unscoped-(.+)-for-its-families$/;

/** Every import that these rules forbid, of every kind that they forbid. */
export function breachesOf(rules: readonly string[]): Breach[] {
  const own = rules.flatMap((rule) => {
    const [, file] = FOR_ITS_FAMILIES.exec(rule) ?? [];
    if (file === undefined) return [];
    return inFamilies(file).map((from) => ({ rule, from, to: `store/unscoped/${file}.ts` }));
  });
  const others = Object.entries(TABLE).flatMap(([rule, pairs]) =>
    pairs.flatMap(([from, to]) => from.flatMap((one) => to.map((other) => ({ rule, from: one, to: other })))),
  );
  return [...others, ...own];
}

/** Rules about more than one import: small trees in which each is broken, by the module that stands first. */
export const TREES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': {
    'store/a.ts': "import { b } from './b.ts'; export const a = () => b;",
    'store/b.ts': "import { a } from './a.ts'; export const b = () => a;",
  },
  'no-cycles-between-folders': {
    'adapters/one/here.ts': "import type { There } from '../other/there.ts'; export type Here = There;",
    'adapters/other/there.ts': 'export type There = 1;',
    'adapters/other/back.ts': "import type { Home } from '../one/home.ts'; export type Back = Home;",
    'adapters/one/home.ts': 'export type Home = 1;',
  },
  'a-folder-knows-nothing-within-it': {
    'adapters/people/here.ts':
      "import type { Inner } from './inner/deep/inner.ts'; export type Here = Inner;",
    'adapters/people/inner/deep/inner.ts':
      "import type { Base } from '../../base.ts'; export type Inner = Base;",
    'adapters/people/base.ts': 'export type Base = 1;',
  },
  'no-orphans': { 'tools/alone.ts': 'export const alone = 1;' },
};

/** The files of a tree in which all of these stand. */
export function plantsOf(breaches: readonly Breach[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { to } of breaches) if (to.endsWith('.ts')) files.set(to, 'export const there = 1;');
  for (const tree of Object.values(TREES)) {
    for (const [path, text] of Object.entries(tree)) files.set(path, text);
  }
  for (const { from, to } of breaches) {
    files.set(from, `${files.get(from) ?? ''}import '${specifierOf(from, to)}';\n`);
  }
  return files;
}

/** A module as the rules know it. */
export function resolved(to: string): string {
  if (to.startsWith('node:')) return to.slice('node:'.length);
  return to.endsWith('.ts') ? to : `node_modules/${to}/index.js`;
}

function specifierOf(from: string, to: string): string {
  if (!to.endsWith('.ts')) return to;
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** A pattern without one of its alternatives, for each of them. What must not follow is no alternative. */
export function weakenings(pattern: string | undefined): string[] {
  if (pattern === undefined) return [];
  const spans = alternativesIn(pattern);
  return spans.map(([start, end]) => {
    const isFirst = pattern[start - 1] !== '|';
    return isFirst
      ? pattern.slice(0, start) + pattern.slice(end + 1)
      : pattern.slice(0, start - 1) + pattern.slice(end);
  });
}

/** Where the alternatives of a pattern begin and end, of groups with more than one. */
function alternativesIn(pattern: string): [number, number][] {
  const found: [number, number][] = [];
  const open: number[][] = [[0]];
  const close = (at: number) => {
    const starts = open.pop() ?? [];
    const isLookahead = pattern.startsWith('?!', starts[0]);
    if (starts.length < 2 || isLookahead) return;
    found.push(...starts.map((start, index): [number, number] => [start, (starts[index + 1] ?? at + 1) - 1]));
  };
  for (const [at, sign] of [...pattern].entries()) {
    if (sign === '(') open.push([at + 1]);
    if (sign === '|') open.at(-1)?.push(at + 1);
    if (sign === ')') close(at);
  }
  close(pattern.length);
  return found;
}

/** Whether a rule with these ends forbids an import. */
export function forbids({ from, to }: Pick<Rule, 'from' | 'to'>, breach: Breach): boolean {
  const found = new RegExp(from.path ?? '').exec(breach.from);
  if (found === null || isExempt(from.pathNot, breach.from)) return false;
  const filled = (pattern: string) => pattern.replace(/\$(\d)/g, (_, group) => found[Number(group)] ?? '');
  const target = resolved(breach.to);
  const isExcused = to.pathNot !== undefined && isExempt(filled(to.pathNot), target);
  return new RegExp(filled(to.path ?? '')).test(target) && !isExcused;
}

function isExempt(pattern: string | undefined, path: string): boolean {
  return pattern !== undefined && new RegExp(pattern).test(path);
}
