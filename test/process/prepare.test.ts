import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../adapters/cli/prepare.mjs', import.meta.url));

const FATAL = 'end the process amid its work';
test.each([
  ['18.20.8', '20.19 or later is needed'],
  ['20.18.3', '20.19 or later is needed'],
  ['24.19.0', FATAL],
  ['24.21.0', FATAL],
])('Node %s is refused before anything is installed: %s', (version, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-prepare-'));
  const cli = join(folder, 'adapters', 'cli');
  cpSync(script, join(cli, 'prepare.mjs'));
  const told = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(told)}`, join(cli, 'prepare.mjs')];

  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });

  expect(status).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).toContain(`this is ${version}.`);
  expect(readdirSync(folder)).toEqual(['adapters']);
  rmSync(folder, { recursive: true });
});

test('packages behind a link are left alone, and whoever starts is told what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-prepare-'));
  const elsewhere = join(folder, 'elsewhere');
  const cli = join(folder, 'project', 'adapters', 'cli');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'theirs.js'), '');
  cpSync(script, join(cli, 'prepare.mjs'));
  symlinkSync(elsewhere, join(folder, 'project', 'node_modules'));

  const { status, stderr } = spawnSync(process.execPath, [join(cli, 'prepare.mjs')], { encoding: 'utf8' });

  expect(status).toBe(1);
  expect(stderr).toContain('Remove the link');
  expect(readdirSync(elsewhere)).toEqual(['theirs.js']);
  rmSync(folder, { recursive: true });
});

describe('a fresh clone', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  /** A clone in which npm, the compiler and the bundler are a few lines, and note what they were asked. */
  function clone(parts: { readonly driver?: string; readonly compiler?: string } = {}) {
    const root = mkdtempSync(join(tmpdir(), 'rialto-prepare-'));
    folders.push(root);
    const driver = 'node_modules/better-sqlite3/build/Release';
    const made = `fs.mkdirSync('${driver}', { recursive: true }); fs.writeFileSync('${driver}/better_sqlite3.node', '');`;
    const compiler = `fs.appendFileSync('asked', 'tsc|'); ${parts.compiler ?? ''}`;
    const installed = `
      fs.mkdirSync('node_modules/tsc-native/bin', { recursive: true });
      fs.writeFileSync('node_modules/tsc-native/bin/tsc', ${JSON.stringify(`const fs = require('node:fs'); ${compiler}`)});
      fs.writeFileSync('node_modules/.package-lock.json', '');`;
    const npm = `
      const fs = require('node:fs');
      const [order, ...rest] = process.argv.slice(2);
      fs.appendFileSync('asked', [order, ...rest.filter((word) => /script|sqlite/.test(word))].join(' ') + '|');
      if (order === 'ci') { ${installed} } else { ${parts.driver ?? made} }`;
    const bundler = `
      import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('dist/bundle', { recursive: true }); writeFileSync('dist/bundle/main.js', '');`;
    for (const folder of ['adapters/cli', 'store', 'tools'])
      mkdirSync(join(root, folder), { recursive: true });
    cpSync(script, join(root, 'adapters', 'cli', 'prepare.mjs'));
    writeFileSync(join(root, 'adapters', 'cli', 'bundle.mjs'), bundler);
    writeFileSync(join(root, 'package-lock.json'), '{}');
    writeFileSync(join(root, 'npm.js'), npm);
    return {
      root,
      prepare: () =>
        spawnSync(process.execPath, [join(root, 'adapters', 'cli', 'prepare.mjs')], {
          encoding: 'utf8',
          env: { npm_execpath: join(root, 'npm.js') },
        }),
      /** What was asked since the last time, in any order. */
      asked: () => {
        const path = join(root, 'asked');
        const words = existsSync(path) ? readFileSync(path, 'utf8').split('|').slice(0, -1) : [];
        rmSync(path, { force: true });
        return words.sort();
      },
    };
  }

  const INSTALL = 'ci --ignore-scripts';
  const COMPILE = 'rebuild better-sqlite3 --ignore-scripts=false';

  test('gets its packages without their scripts, the driver compiled and a build, each once', () => {
    const { prepare, asked } = clone();

    const first = prepare();
    // Beside what a command prints, which may be read by another program.
    expect(first).toMatchObject({ status: 0, stdout: '' });
    expect(first.stderr).toContain('Building: done');
    expect(asked()).toEqual([INSTALL, COMPILE, 'tsc']);
    expect(prepare()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(asked()).toEqual([]);
  });

  test('whose driver was not compiled to the end has it compiled the next time, and nothing else', () => {
    const { root, prepare, asked } = clone();
    prepare();
    asked();
    rmSync(join(root, 'node_modules', 'better-sqlite3'), { recursive: true });

    expect(prepare()).toMatchObject({ status: 0, stdout: '' });
    expect(asked()).toEqual([COMPILE]);
  });

  test('that loses a source loses what was built of it, and what was built of others stays', () => {
    const { root, prepare, asked } = clone();
    prepare();
    asked();
    const steps = join(root, 'dist', 'store', 'migrations');
    mkdirSync(steps, { recursive: true });
    for (const name of ['0001-kept.js', '0002-renamed.js']) writeFileSync(join(steps, name), '');
    const source = join(root, 'store', 'migrations');
    mkdirSync(source);
    writeFileSync(join(source, '0001-kept.ts'), '');

    expect(prepare()).toMatchObject({ status: 0, stdout: '' });
    expect(asked()).toEqual(['tsc']);
    expect(readdirSync(steps)).toEqual(['0001-kept.js']);
  });

  test('that cannot be made ready is told what each part said', () => {
    const { prepare } = clone({
      driver: `console.error('no compiler here'); process.exit(1);`,
      compiler: `console.error('no room on the disk'); process.exit(1);`,
    });

    const { status, stderr } = prepare();

    expect(status).toBe(1);
    expect(stderr).toContain('no compiler here');
    expect(stderr).toContain('no room on the disk');
  });

  test('whose driver is not there although npm was content is told so', () => {
    const { status, stderr } = clone({ driver: `process.exit(0);` }).prepare();

    expect(status).toBe(1);
    expect(stderr).toContain('The database driver was compiled, but is not at');
  });
});
