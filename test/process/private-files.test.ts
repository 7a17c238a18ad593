import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../store/open.ts';
import { emptyDatabase } from '../support/database/database.ts';
import { runHere } from '../support/server/command-line.ts';
import { freshPlaces } from '../support/server/own-place.ts';
import { runCommand, startService } from '../support/server/service.ts';

const WHO = 0o777;

describe('the files of the service', () => {
  const fresh = freshPlaces(emptyDatabase);

  /** A folder that nobody has made yet, and settings that keep everything there. */
  async function place() {
    const made = await fresh();
    const folder = join(made.folder, 'data');
    const file = join(folder, 'rialto.db');
    const { SECRETS_KEY: _, ...others } = made.settings;
    const settings = { ...others, DATABASE_URL: `file:${file}` };
    return { folder, file, key: join(folder, 'secrets.key'), launch: { folder: made.folder, settings } };
  }

  const modeOf = (path: string) => (statSync(path).mode & WHO).toString(8);
  const own = (file: string) => [file, `${file}-wal`, `${file}-shm`];

  test('are readable by its user alone, from the first start on', async () => {
    const { folder, file, key, launch } = await place();

    await startService(launch);

    expect(modeOf(folder)).toBe('700');
    for (const path of [...own(file), key]) expect([path, modeOf(path)]).toEqual([path, '600']);
  });

  test('of an earlier installation are closed to others at the next start', async () => {
    const { folder, file, key, launch } = await place();
    await (await startService(launch)).kill();
    const left = [...own(file), key].filter((path) => existsSync(path));
    for (const path of left) chmodSync(path, 0o644);
    chmodSync(folder, 0o755);

    await startService(launch);

    expect(left).toEqual(expect.arrayContaining([file, `${file}-wal`, key]));
    expect(modeOf(folder)).toBe('700');
    for (const path of [...own(file), key]) expect([path, modeOf(path)]).toEqual([path, '600']);
  });

  test('leave a folder as it is in which others keep something', async () => {
    const { folder, file } = await place();
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'of-others.txt'), '', { mode: 0o644 });
    chmodSync(join(folder, 'of-others.txt'), 0o644);

    await openStore(`file:${file}`, { connections: 1 }).close();

    expect([folder, file, join(folder, 'of-others.txt')].map(modeOf)).toEqual(['755', '600', '644']);
  });

  test.each([
    ['nothing', ''],
    ['words', 'correct horse battery staple'],
    ['a key that is too short', Buffer.alloc(31, 1).toString('base64')],
    ['a key and something behind it', `${Buffer.alloc(32, 1).toString('base64')}!`],
  ])('stop the start where secrets.key holds %s, and it stays as it is', async (_what, text) => {
    const { folder, key, launch } = await place();
    mkdirSync(folder);
    writeFileSync(key, text);

    const { code, stdout, stderr } = await runCommand('main.js', launch);

    expect(code).toBe(1);
    expect(stderr).toContain(`SECRETS_KEY: ${key} does not hold 32 bytes in base64.`);
    expect(stderr).toContain('Put back the file from your backup');
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
    expect(readFileSync(key, 'utf8')).toBe(text);
  });

  test('with a damaged secrets.key have doctor and restore tell of that file alone', async () => {
    const { folder, key, launch } = await place();
    const service = await startService(launch);
    // The first token that is signed makes the pair that signs, which is encrypted.
    await fetch(`${service.url}/.well-known/jwks.json`);
    await service.kill();
    const backup = join(folder, 'kept.backup');
    expect(await runHere(launch.settings, ['backup', backup])).toMatchObject({ code: 0 });
    writeFileSync(key, 'no key\n');

    const doctor = await runHere(launch.settings, ['doctor']);
    const restored = await runHere(launch.settings, ['restore', backup, '--replace']);

    expect([doctor.code, restored.code, restored.stderr]).toEqual([1, 0, '']);
    for (const said of [doctor.stdout, restored.stdout]) {
      expect(said.match(/SECRETS_KEY: .* does not hold 32 bytes in base64/g)).toHaveLength(1);
      expect(said).not.toMatch(/another key|SECRETS_KEY_PREVIOUS/);
    }
  });
});
