import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../adapters/cli/prepare.mjs', import.meta.url));

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
