import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../.ci/packages.mjs', import.meta.url));

const sound = { version: '1.2.3', integrity: 'sha512-AAAA', license: 'MIT' };

/** What the check says of a lock file with these packages beside one that is sound. */
function check(packages: Readonly<Record<string, object>>) {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-packages-'));
  const lock = { packages: { '': { name: 'rialto' }, 'node_modules/sound': sound, ...packages } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return { status, stderr };
}

describe('the check of packages', () => {
  test('passes what this project installs', () => {
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });

    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test.each([
    { what: 'a checksum that is missing', entry: { integrity: undefined }, words: 'no checksum' },
    { what: 'an old checksum', entry: { integrity: 'sha1-AAAA' }, words: 'no checksum' },
    { what: 'a licence that binds', entry: { license: 'AGPL-3.0-only' }, words: 'AGPL-3.0-only' },
    { what: 'one that binds beside another', entry: { license: 'MIT AND GPL-3.0' }, words: 'GPL-3.0' },
    { what: 'no licence', entry: { license: undefined }, words: 'licence of nobody' },
    { what: 'a script', entry: { hasInstallScript: true }, words: '@far/telemetry 1.2.3: runs a script' },
    { what: 'a script of a tool', entry: { dev: true, hasInstallScript: true }, words: 'runs a script' },
  ])('fails on $what, also inside another package', ({ entry, words }) => {
    for (const path of ['node_modules/@far/telemetry', 'node_modules/sound/node_modules/@far/telemetry']) {
      const { status, stderr } = check({ [path]: { ...sound, ...entry } });

      expect(status).toBe(1);
      expect(stderr).toContain(words);
    }
  });

  test.each([
    ['a choice of licences, one of them free', 'far', { ...sound, license: '(MIT OR GPL-3.0)' }],
    ['a licence of a tool', 'far', { ...sound, dev: true, license: 'MPL-2.0' }],
    ['the script of the database driver', 'better-sqlite3', { ...sound, hasInstallScript: true }],
  ])('passes %s', (_what, name, entry) => {
    expect(check({ [`node_modules/${name}`]: entry })).toEqual({ status: 0, stderr: '' });
  });
});
