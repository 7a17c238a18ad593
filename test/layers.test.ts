import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../adapters/settings/package-root.ts';
import { codeOf, sourceFiles, sourceOf } from './support/house/source-files.ts';
import { isLong } from './support/run/effort.ts';

const CONFIG = join(packageRoot, '.dependency-cruiser.cjs');
const CRUISER = join(packageRoot, 'node_modules/.bin/depcruise');
const FOLDERS = ['adapters', 'store', 'tools'];

/** A cruise reads every file of the project. */
const PATIENCE = { timeout: 120_000 };

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { readonly rule: { readonly name: string }; readonly from: string }[];
  };
}

/** What the rules of the project say about a tree with its three layers. */
function cruise(root: string): Cruise['summary'] {
  const { stdout, stderr } = spawnSync(CRUISER, [...FOLDERS, '--config', CONFIG, '--output-type', 'json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1_048_576,
  });
  expect(stderr).toBe('');
  const { summary }: Cruise = JSON.parse(stdout);
  return summary;
}

function ruleNames(): string[] {
  const { forbidden } = createRequire(import.meta.url)(CONFIG);
  return forbidden.map(({ name }: { name: string }) => name).sort();
}

/** What families may ask without a tenant, by the rules, each of which is about one file. */
const FOR_ITS_FAMILIES = /^unscoped-(.+)-for-its-families$/;
const forFamilies = ruleNames().flatMap((name) => {
  const [, file] = FOR_ITS_FAMILIES.exec(name) ?? [];
  return file === undefined ? [] : [{ name, file }];
});

/** Small trees in which each rule of the project is broken once, by the module that stands first. */
const BREACHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  'ground-knows-nothing-around-it': {
    'tools/core/ground/here.ts': "import type { Roof } from '../roof.ts'; export type Here = Roof;",
    'tools/core/roof.ts': 'export type Roof = 1;',
  },
  'errors-know-nothing-around-them': {
    'tools/core/errors/nosy.ts': "import type { call } from '../call.ts';",
  },
  'store-imports-nothing-above': { 'store/up.ts': "import '../tools/core/call.ts';" },
  'engine-knows-no-aggregate': { 'store/engine/up.ts': "import '../rows.ts';" },
  'aggregates-keep-their-scope': { 'store/open.ts': "import './unscoped/all.ts';" },
  'tables-are-made-at-the-opening': { 'store/loose.ts': "import './migrations/0001-all.ts';" },
  'tools-import-no-adapter': { 'tools/core/up.ts': "import '../../adapters/http/app.ts';" },
  'core-knows-no-business': { 'tools/core/nosy.ts': "import '../domain/money.ts';" },
  'domain-knows-no-family': { 'tools/domain/nosy.ts': "import '../buyer/two/there.ts';" },
  'a-family-keeps-to-itself': { 'tools/buyer/one/here.ts': "import '../two/there.ts';" },
  'adapters-know-no-family': { 'adapters/http/nosy.ts': "import '../../tools/buyer/two/there.ts';" },
  'families-make-no-scope': {
    'tools/buyer/one/scope.ts':
      "import { scope } from '../../../store/engine/scope.ts'; export const own = scope;",
  },
  'rest-and-mcp-never-meet': { 'adapters/rest/nosy.ts': "import '../mcp/there.ts';" },
  'product-imports-no-test': { 'adapters/tested.ts': "import '../test/support.ts';" },
  'tools-know-no-transport': { 'tools/core/wire.ts': "import 'node:http';" },
  'mcp-sdk-in-its-folders': { 'adapters/http/mcp.ts': "import '@modelcontextprotocol/server';" },
  'drivers-in-their-files': { 'store/driver.ts': "import 'pg';" },
  'express-in-pages': { 'adapters/mcp/page.ts': "import 'express';" },
  'background-queries-for-background-work': {
    'adapters/http/all.ts': "import '../../store/unscoped/abandoned-work.ts';",
  },
  'unscoped-in-its-folder': { 'store/bare.ts': "import './engine/unscoped.ts';" },
  'families-ask-few-things-unscoped': {
    'tools/buyer/curious/all.ts': "import '../../../store/unscoped/all.ts';",
  },
  ...Object.fromEntries(
    forFamilies.map(({ name, file }) => [
      name,
      { [`tools/buyer/curious/${file}.ts`]: `import '../../../store/unscoped/${file}.ts';` },
    ]),
  ),
  'engine-keeps-its-inside': { 'tools/core/inside.ts': "import '../../store/engine/prepared.ts';" },
  'files-of-the-database-for-commands': {
    'adapters/http/copy.ts': "import '../../store/engine/sqlite-copy.ts';",
  },
  'queries-in-the-store': { 'adapters/cli/query.ts': "import type { Kysely } from 'kysely';" },
  'no-orphans': { 'tools/alone.ts': 'export const alone = 1;' },
};
const NEIGHBOURS = {
  'tools/core/call.ts': 'export const call = 1;',
  'tools/domain/money.ts': 'export const money = 1;',
  'tools/buyer/two/there.ts': 'export const there = 1;',
  'adapters/http/app.ts': 'export const app = 1;',
  'adapters/mcp/there.ts': 'export const there = 1;',
  'store/rows.ts': 'export const rows = 1;',
  'store/migrations/0001-all.ts': 'export const step = 1;',
  'store/unscoped/all.ts': 'export const all = 1;',
  'store/unscoped/abandoned-work.ts': 'export const work = 1;',
  ...Object.fromEntries(
    forFamilies.map(({ file }) => [`store/unscoped/${file}.ts`, 'export const rows = 1;']),
  ),
  'store/engine/prepared.ts': 'export const prepared = 1;',
  'store/engine/sqlite-copy.ts': 'export const copy = 1;',
  'store/engine/scope.ts': 'export const scope = 1;',
  'store/engine/unscoped.ts': 'export const unscoped = 1;',
  'test/support.ts': 'export const support = 1;',
};
const PACKAGES = ['express', 'kysely', 'pg', '@modelcontextprotocol/server'];

describe('the layers', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'rialto-layers-'));
    copyFileSync(join(packageRoot, 'tsconfig.json'), join(root, 'tsconfig.json'));
    for (const name of PACKAGES) {
      write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
      );
      write(`node_modules/${name}/index.js`, 'module.exports = {};');
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  // `npm run check` looks at the same with the same words, before each change lands.
  test.runIf(isLong)('hold for the whole project, and the whole project was looked at', PATIENCE, () => {
    const files = FOLDERS.flatMap(sourceFiles);

    const { totalCruised, violations } = cruise(packageRoot);

    expect(violations).toEqual([]);
    expect(files.length).toBeGreaterThan(150);
    expect(totalCruised).toBeGreaterThanOrEqual(files.length);
  });

  test('have a breach to try for every rule', () => {
    expect(Object.keys(BREACHES).sort()).toEqual(ruleNames());
  });

  test('are defended: each rule finds its planted breach', PATIENCE, () => {
    for (const files of [NEIGHBOURS, ...Object.values(BREACHES)]) {
      for (const [path, text] of Object.entries(files)) write(path, text);
    }

    const { violations } = cruise(root);

    const found = new Set(violations.map(({ rule, from }) => `${rule.name}: ${from}`));
    for (const [rule, files] of Object.entries(BREACHES)) {
      const [first = ''] = Object.keys(files);
      // A folder that breaks a rule is named, not the file in it.
      expect(found).toContain(`${rule}: ${rule.endsWith('-between-folders') ? dirname(first) : first}`);
    }
  });

  test('keep the SDK of MCP in adapters/mcp/, and its client in adapters/sellers/', () => {
    const importers = FOLDERS.flatMap(sourceFiles).filter((path) =>
      /['"]@modelcontextprotocol\//.test(codeOf(path)),
    );

    expect(importers.length).toBeGreaterThan(0);
    expect(importers.filter((path) => !/^adapters\/((mcp|sellers)\/|cli\/bundle\.mjs$)/.test(path))).toEqual(
      [],
    );
  });

  test('read the environment in adapters/settings/config.ts alone, once the packages are there', () => {
    const readers = FOLDERS.flatMap(sourceFiles).filter((path) =>
      /\bprocess\s*(\.\s*env\b|\[\s*['"]env['"]\s*\])|\benv\b[^;]*from 'node:process'|\{[^}]*\benv\b[^}]*\} = process\b/.test(
        codeOf(path),
      ),
    );

    // Two scripts run before there are packages to make config.ts with; they ask npm's own variables.
    const asked = (path: string) => codeOf(path).match(/process\.env\.\w+/g);
    const scripts = ['adapters/cli/prepare.mjs', 'adapters/cli/start.mjs'];
    expect(readers).toEqual([...scripts, 'adapters/settings/config.ts']);
    expect(scripts.map(asked)).toEqual([['process.env.npm_execpath'], ['process.env.npm_lifecycle_event']]);
  });

  test('let only the modules of one folder query without a scope, and each of them says what for', () => {
    const users = FOLDERS.flatMap(sourceFiles).filter((path) => /\bunscoped\(/.test(codeOf(path)));
    const folder = sourceFiles('store').filter((path) => path.startsWith('store/unscoped/'));

    // Those whose tables belong to no organization need not: the guard has nothing to say of them.
    expect(users.filter((path) => !folder.includes(path))).toEqual(['store/engine/unscoped.ts']);
    for (const path of folder) expect(sourceOf(path), path).toMatch(/^\/\*\*/m);
  });

  test('let families ask without a tenant for what some of them ask, and for nothing else', () => {
    const asked = ['buyer', 'storefront', 'platform']
      .flatMap((surface) => sourceFiles(`tools/${surface}`))
      .flatMap((path) =>
        [...codeOf(path).matchAll(/store\/unscoped\/([a-z-]+)\.ts'/g)].map(([, file]) => file),
      );

    expect(forFamilies.map(({ file }) => file).sort()).toEqual([...new Set(asked)].sort());
  });

  test('leave the guard of the queries off nowhere else, but where the tables are made', () => {
    const users = FOLDERS.flatMap(sourceFiles).filter((path) =>
      /\bwithoutPlugins\b|\bwithPlugin\b/.test(codeOf(path)),
    );

    // Names add a plugin of their own, which takes none away.
    expect(users).toEqual(['store/engine/db.ts', 'store/engine/names.ts', 'store/engine/unscoped.ts']);
  });
});
