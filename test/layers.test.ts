import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../adapters/settings/package-root.ts';
import { surfaceNames } from '../tools/core/surfaces.ts';
import {
  breachesOf,
  forbids,
  PACKAGES,
  plantsOf,
  type Rule,
  resolved,
  TREES,
  weakenings,
} from './support/house/breaches.ts';
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
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
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

function rules(): readonly Rule[] {
  return createRequire(import.meta.url)(CONFIG).forbidden;
}

function ruleNames(): string[] {
  return rules()
    .map(({ name }) => name)
    .sort();
}

/** What families may ask without a tenant, by the rules, each of which is about one file. */
const askedByFamilies = ruleNames().flatMap((name) => {
  const [, file] = /^unscoped-(.+)-for-its-families$/.exec(name) ?? [];
  return file === undefined ? [] : [file];
});

const breaches = breachesOf(ruleNames());

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
    const rules = new Set([...Object.keys(TREES), ...breaches.map(({ rule }) => rule)]);
    expect([...rules].sort()).toEqual(ruleNames());
  });

  test('have a breach to try for each alternative of their patterns', () => {
    const idle = rules().flatMap(({ name, from, to }) => {
      const own = breaches.filter(({ rule }) => rule === name);
      const weaker = [
        ...weakenings(from.path).map((path) => ({ from: { ...from, path }, to })),
        ...weakenings(to.path).map((path) => ({ from, to: { ...to, path } })),
      ];
      return weaker
        .filter((ends) => own.every((breach) => forbids(ends, breach)))
        .map((ends) => `${name}: ${ends.from.path} → ${ends.to.path}`);
    });

    expect(idle).toEqual([]);
  });

  test('are defended: each rule finds every breach of it that is planted', PATIENCE, () => {
    for (const [path, text] of plantsOf(breaches)) write(path, text);

    const { violations } = cruise(root);

    const found = new Set(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`));
    const missed = breaches.filter(({ rule, from, to }) => !found.has(`${rule}: ${from} → ${resolved(to)}`));
    expect(missed).toEqual([]);
    const modules = new Set(violations.map(({ rule, from }) => `${rule.name}: ${from}`));
    for (const [rule, files] of Object.entries(TREES)) {
      const [first = ''] = Object.keys(files);
      // A folder that breaks a rule is named, not the file in it.
      expect(modules).toContain(`${rule}: ${rule.endsWith('-between-folders') ? dirname(first) : first}`);
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
    const asked = surfaceNames
      .flatMap((surface) => sourceFiles(`tools/${surface}`))
      .flatMap((path) =>
        [...codeOf(path).matchAll(/store\/unscoped\/([a-z-]+)\.ts'/g)].map(([, file]) => file),
      );

    expect(askedByFamilies.sort()).toEqual([...new Set(asked)].sort());
  });

  test('leave the guard of the queries off nowhere else, but where the tables are made', () => {
    const users = FOLDERS.flatMap(sourceFiles).filter((path) =>
      /\bwithoutPlugins\b|\bwithPlugin\b/.test(codeOf(path)),
    );

    // Names add a plugin of their own, which takes none away.
    expect(users).toEqual(['store/engine/db.ts', 'store/engine/names.ts', 'store/engine/unscoped.ts']);
  });
});
