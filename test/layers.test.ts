import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../adapters/settings/package-root.ts';
import { codeOf, sourceFiles, sourceOf } from './support/source-files.ts';

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

/** Small trees in which each rule of the project is broken once, by the module that stands first. */
const BREACHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-cycles': {
    'store/a.ts': "import { b } from './b.ts'; export const a = () => b;",
    'store/b.ts': "import { a } from './a.ts'; export const b = () => a;",
  },
  'store-imports-nothing-above': { 'store/up.ts': "import '../tools/core/call.ts';" },
  'tools-import-no-adapter': { 'tools/up.ts': "import '../adapters/http/app.ts';" },
  'product-imports-no-test': { 'adapters/tested.ts': "import '../test/support.ts';" },
  'a-family-keeps-to-itself': { 'tools/one/here.ts': "import '../two/there.ts';" },
  'shared-knows-no-family': { 'tools/shared/common.ts': "import '../two/there.ts';" },
  'tools-know-no-transport': { 'tools/wire.ts': "import 'node:http';" },
  'mcp-sdk-in-its-folder': { 'adapters/http/mcp.ts': "import '@modelcontextprotocol/server';" },
  'drivers-in-their-files': { 'store/driver.ts': "import 'pg';" },
  'express-in-http': { 'adapters/mcp/page.ts': "import 'express';" },
  'system-queries-for-background-work': { 'adapters/http/all.ts': "import '../../store/system.ts';" },
  'unscoped-in-its-modules': { 'store/loose.ts': "import './unscoped.ts';" },
  'no-orphans': { 'tools/alone.ts': 'export const alone = 1;' },
};
const NEIGHBOURS = {
  'tools/call.ts': 'export const call = 1;',
  'tools/two/there.ts': 'export const there = 1;',
  'adapters/app.ts': 'export const app = 1;',
  'store/system.ts': 'export const system = 1;',
  'store/unscoped.ts': 'export const unscoped = 1;',
  'test/support.ts': 'export const support = 1;',
};
const PACKAGES = ['express', 'pg', '@modelcontextprotocol/server'];

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

  test('hold for the whole project, and the whole project was looked at', PATIENCE, () => {
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
      expect(found).toContain(`${rule}: ${Object.keys(files)[0]}`);
    }
  });

  test('keep the SDK of MCP in adapters/mcp/', () => {
    const importers = FOLDERS.flatMap(sourceFiles).filter((path) =>
      /['"]@modelcontextprotocol\//.test(codeOf(path)),
    );

    expect(importers.length).toBeGreaterThan(0);
    expect(importers.filter((path) => !path.startsWith('adapters/mcp/'))).toEqual([]);
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

  test('let only the named modules query without a scope, and the comment there names them all', () => {
    const users = FOLDERS.flatMap(sourceFiles).filter((path) => /\bunscoped\(/.test(codeOf(path)));
    const named = [...sourceOf('store/unscoped.ts').matchAll(/`([a-z-]+\.ts)`/g)].map(
      ([, name]) => `store/${name}`,
    );

    expect(users).toEqual([...named, 'store/unscoped.ts'].sort());
    expect(users).toHaveLength(5);
  });

  test('leave the guard of the queries off nowhere else', () => {
    const users = FOLDERS.flatMap(sourceFiles).filter((path) =>
      /\bwithoutPlugins\b|\bwithPlugin\b/.test(codeOf(path)),
    );

    expect(users).toEqual(['store/unscoped.ts']);
  });
});
