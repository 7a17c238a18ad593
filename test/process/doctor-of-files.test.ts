import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lookAtPorts } from '../../adapters/cli/machine.ts';
import { listeningAt } from '../../adapters/http/listening.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { packageRoot } from '../../adapters/settings/package-root.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { runHere } from '../support/server/command-line.ts';
import { runCommand, settingsFor } from '../support/server/service.ts';

const NOBODY = { uid: 65_534, gid: 65_534 };

const COMMANDS = join(packageRoot, 'dist/bundle/rialto.js');
const canBound = process.platform === 'linux' && spawnSync('prlimit', ['--fsize']).status === 0;

/** Nobody may be kept from the project where it stands. */
const isNobodyHere =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [COMMANDS, '--version'], { cwd: packageRoot, ...NOBODY }).status === 0;

describe.runIf(engine === 'sqlite')('doctor says of files what they are', () => {
  let made: TestDatabase;
  let folder: string;
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    made = await freshDatabase();
    // Where another user gets to: the folder of a run is closed to all but its own.
    folder = mkdtempSync(join(tmpdir(), 'rialto-doctor-'));
    chmodSync(folder, 0o755);
    mkdirSync(at('closed'));
    for (const path of [at('test.db'), at('closed/test.db')]) {
      copyFileSync(join(made.folder, 'test.db'), path);
      chmodSync(path, 0o666);
    }
    chmodSync(at('closed'), 0o700);
    // By whoever is not to serve it.
    const inUse = new SqliteDatabase(at('test.db'));
    inUse.pragma('journal_mode = WAL');
    inUse.close();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await made.drop();
  });

  const settings = (name: string, more = {}) =>
    settingsFor({ ...made, folder, url: `file:${at(name)}` }, { SECRETS_KEY: '', ...more });
  const asNobody = (name: string, ...args: string[]) =>
    runCommand('rialto.js', {
      folder,
      settings: settings(name),
      args: args.length === 0 ? ['doctor'] : args,
      user: NOBODY,
    });

  test('a folder in the place of the database is no damaged one, which a backup would mend', async () => {
    const { code, stdout } = await runHere(settings('closed'), ['doctor']);

    expect(code).toBe(1);
    expect(stdout).toContain(`FAIL database    ${at('closed')} is no file.`);
    expect(stdout).toContain('→ Set DATABASE_URL to file:<path of a file>.');
    expect(stdout).not.toContain('restore');
  });

  test('a log whose database is gone is kept by every command, and said to be there', async () => {
    mkdirSync(at('gone'));
    const log = at('gone/test.db-wal');
    writeFileSync(log, 'what was written last');
    const words = `The database ${at('gone/test.db')} is gone, and ${log} has what was written to it last.`;

    const looked = await runHere(settings('gone/test.db'), ['doctor']);
    const listed = await runHere(settings('gone/test.db'), ['organization', 'list']);

    expect([looked.code, listed.code]).toEqual([1, 1]);
    expect(looked.stdout).toContain(`FAIL database    ${words}`);
    expect(looked.stdout).toContain('→ Put the database back beside it, or restore a backup');
    expect(listed.stderr).toContain(words);
    expect(statSync(log).size).toBeGreaterThan(0);
  });

  test('a path below a file cannot be made by the first start', async () => {
    const { code, stdout } = await runHere(settings('test.db/rialto.db'), ['doctor']);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL database +It does not answer: ENOTDIR/m);
    expect(stdout).toContain('cannot be a file (ENOTDIR). Set DATABASE_URL to file:<path of a file>.');
  });

  test.runIf(isNobodyHere)(
    'a database in a folder that is closed to this user is there all the same',
    async () => {
      const { code, stdout } = await asNobody('closed/test.db');

      expect(code).toBe(1);
      expect(stdout).toMatch(/^FAIL database +It does not answer: EACCES/m);
      expect(stdout).toContain(`This user (65534) may not read and write ${at('closed/test.db')}.`);
      expect(stdout).not.toContain('There is none');
    },
  );

  test.runIf(isNobodyHere)('a secrets key of another user is taken where this user may read it', async () => {
    mkdirSync(at('theirs'));
    copyFileSync(join(made.folder, 'test.db'), at('theirs/test.db'));
    for (const path of [at('theirs'), at('theirs/test.db')]) chownSync(path, NOBODY.uid, NOBODY.gid);
    writeFileSync(at('theirs/secrets.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    chmodSync(at('theirs/secrets.key'), 0o644);

    const looked = await asNobody('theirs/test.db');
    const rotated = await asNobody('theirs/test.db', 'secrets', 'rotate');

    expect([looked.code, looked.stderr]).toEqual([0, '']);
    expect(looked.stdout).toMatch(/^ok {3}secrets key It opens what is stored\.$/m);
    expect([rotated.code, rotated.stderr]).toEqual([0, '']);
    expect(statSync(at('theirs/secrets.key')).mode & 0o777).toBe(0o644);
  });

  test.runIf(isNobodyHere)(
    'a database that may be written in a folder that may not is not damaged',
    async () => {
      const { code, stdout } = await asNobody('test.db');

      expect(code).toBe(1);
      expect(stdout).toMatch(/^FAIL database +It does not answer: attempt to write a readonly database/m);
      expect(stdout).toContain(
        `This user (65534) may not read and write ${at('test.db')}. Give it and its folder`,
      );
      expect(stdout).not.toMatch(/damaged|restore/);
    },
  );

  test('a database that another program holds is not damaged', async () => {
    copyFileSync(join(made.folder, 'test.db'), at('held.db'));
    const holder = new SqliteDatabase(at('held.db'));
    holder.pragma('journal_mode = DELETE');
    holder.exec('begin exclusive');

    const { code, stdout } = await runHere(settings('held.db'), ['doctor']);
    holder.close();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL database +It does not answer: database is locked/m);
    expect(stdout).toContain(`→ Another program holds ${at('held.db')}. Stop it`);
    expect(stdout).not.toMatch(/damaged|restore/);
  });

  test.runIf(canBound)('a database on a disk without room is not damaged', () => {
    copyFileSync(at('test.db'), at('full.db'));

    // Not a file may grow beyond a page: what is shared beside a database is larger.
    const { status, stdout } = spawnSync('prlimit', ['--fsize=4096', process.execPath, COMMANDS, 'doctor'], {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...settings('full.db') },
    });

    expect(status).toBe(1);
    expect(stdout).toMatch(/^FAIL database +It does not answer: disk I\/O error/m);
    expect(stdout).toContain(`→ There is no room on the disk of ${at('full.db')}. Make some:`);
    expect(stdout).not.toMatch(/damaged|restore/);
  });
});

describe('doctor asks a port whether the service answers there', () => {
  /** Ports that pages of the web may not ask, and programs may. */
  const KEPT_FROM_PAGES = [10_080, 4190, 6566, 6697, 5061, 1719, 2049];
  const server = createServer((_request, response) =>
    response.end('{"data":{"status":"alive"},"error":null}'),
  );
  afterEach(() => server.close());

  async function onePort(): Promise<number> {
    for (const port of KEPT_FROM_PAGES) {
      const got = await listeningAt(server, { port, host: '127.0.0.1' }).catch(() => undefined);
      if (got !== undefined) return got;
    }
    throw new Error('None of these ports is free.');
  }

  test('whatever port that is', async () => {
    const port = await onePort();

    const found = await lookAtPorts(readConfig({ HOST: '127.0.0.1', PORT: String(port) }));

    expect(found).toEqual([
      { state: 'fine', about: 'port', said: `A service answers at 127.0.0.1:${port}.` },
    ]);
  });
});
