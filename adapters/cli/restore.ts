import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../store/engine/folders.ts';
import { lockFile } from '../../store/engine/sqlite.ts';
import { damageOf, takeSecretsKey } from '../../store/engine/sqlite-copy.ts';
import { refuseUnknown, shapeOf } from '../../store/migrations/shape.ts';
import { openStore } from '../../store/open.ts';
import { secretsFile } from '../process/secrets-key.ts';
import { type Config, ConfigError } from '../settings/config.ts';
import { servedFile } from './backup.ts';
import { type Checked, checkChecksum, cutTo, NO_CHECKSUM } from './checksum.ts';
import { beginsWith, requireFile } from './files.ts';
import { runOnPostgres, runProgram } from './programs.ts';
import { lostShares, lostWords } from './sealed.ts';

export interface RestoreOptions {
  /** Moves a database that is there out of the way. */
  readonly replace?: boolean;
  /** Names what is moved out of the way. */
  readonly now: Date;
}

const BESIDE = ['', '-wal', '-shm', '-journal'];
const OWNER_ONLY = 0o600;

/** Puts a backup in place of the database, brings it to the shape of this version, and says what is left to do. */
export async function restore(config: Config, file: string, options: RestoreOptions): Promise<string> {
  const lines = config.databaseUrl.startsWith('file:')
    ? await intoFile(config, requireFile('<file>', file), options)
    : await intoServer(config, requireThere(file));
  return [...lines, ...(await noteOnKey(config))].join('\n');
}

/** How backups of the other database begin. */
const OTHER = { file: 'PGDMP', server: 'SQLite format 3' };

/** A backup of the other database is whole, and none for this one. */
function refuseOther(source: string, into: keyof typeof OTHER): void {
  if (!beginsWith(source, OTHER[into])) return;
  throw new Error(
    into === 'file'
      ? `${source} is a backup of PostgreSQL, and DATABASE_URL names a file. Name an empty database of PostgreSQL in ` +
          'DATABASE_URL; move brings it into a file from there.'
      : `${source} is a backup of SQLite, and DATABASE_URL names a server. Restore it with DATABASE_URL=file:<path>; ` +
          'move brings it to PostgreSQL from there.',
  );
}

/** A dump of PostgreSQL may be a folder. */
function requireThere(file: string): string {
  return existsSync(file) && statSync(file).isDirectory() ? resolve(file) : requireFile('<file>', file);
}

async function intoFile(config: Config, source: string, { replace, now }: RestoreOptions): Promise<string[]> {
  refuseOther(source, 'file');
  const path = servedFile(config);
  // Held until the end: no service starts on what is half there.
  const lock = lockFile(path);
  const part = `${path}.restoring`;
  try {
    if (existsSync(path) && replace !== true) {
      throw new Error(`${path} is there already. Add --replace: it is moved out of the way, not deleted.`);
    }
    removeAll(part);
    const taken = await prepared(config, source, part);
    const moved = moveAside(path, now);
    renameSync(part, path);
    return [`Restored ${path} from ${source}.`, ...moved, ...taken];
  } finally {
    removeAll(part);
    lock.release();
  }
}

/** A copy of the backup beside the database, checked, and in the shape of this version. */
async function prepared(config: Config, source: string, part: string): Promise<string[]> {
  makeFolder(dirname(part));
  copyFileSync(source, part);
  chmodSync(part, OWNER_ONLY);
  const checked = await requireUnchanged(source, part);
  await cutTo(part, checked);
  const damage = damageOf(part);
  if (damage !== undefined) throw new Error(`${source} is no whole backup: ${damage}. Nothing was changed.`);
  const key = takeSecretsKey(part);
  await bringUp(`file:${part}`);
  return [...wordsOn(checked), ...(key === undefined ? [] : [putKey(config, key)])];
}

/** Before anything opens it: what is there of a backup whose bytes changed may look whole. */
async function requireUnchanged(source: string, file: string): Promise<Checked> {
  const checked = await checkChecksum(file);
  if (checked !== undefined) return checked;
  throw new Error(
    `${source} is no whole backup: bytes of it changed since it was made, for its checksum is another. ` +
      'Nothing was changed. Take another backup, or another copy of this one.',
  );
}

function wordsOn({ hasChecksum }: Pick<Checked, 'hasChecksum'>): string[] {
  return hasChecksum ? [] : [NO_CHECKSUM];
}

/** The key of the backup becomes that of the installation, where it has none yet. */
function putKey(config: Config, key: string): string {
  const file = secretsFile(config);
  if (config.secretsKey !== undefined) return 'The key in the backup was not used: SECRETS_KEY is set.';
  if (existsSync(file)) return `The key in the backup was not used: ${file} is there already.`;
  writeFileSync(file, `${key}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  return `The key in the backup is in ${file}.`;
}

/** Also a log without its database: the next who opened what is restored would write into it what the log holds. */
function moveAside(path: string, now: Date): string[] {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const aside = `${path}.replaced-${stamp}`;
  const [first, ...others] = BESIDE.filter((ending) => existsSync(`${path}${ending}`));
  if (first === undefined) return [];
  for (const ending of [first, ...others]) renameSync(`${path}${ending}`, `${aside}${ending}`);
  return [`What was there is ${aside}${first}.`];
}

function removeAll(file: string): void {
  for (const ending of BESIDE) rmSync(`${file}${ending}`, { force: true });
}

async function intoServer(config: Config, source: string): Promise<string[]> {
  const { databaseUrl } = config;
  const isFolder = statSync(source).isDirectory();
  if (!isFolder) refuseOther(source, 'server');
  const checked = isFolder ? { hasChecksum: false } : await requireUnchanged(source, source);
  await runProgram('pg_restore', ['--list', source]).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    // Its program may be missing, or older than the backup, of which then nothing is wrong.
    throw new Error(`${source} was not restored. Nothing was changed. ${why}`, { cause: error });
  });
  await requireEmpty(databaseUrl);
  const how = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];
  await runOnPostgres('pg_restore', databaseUrl, [...how, source]);
  await bringUp(databaseUrl);
  return [`Restored the database at DATABASE_URL from ${source}.`, ...wordsOn(checked)];
}

/** A database with tables of ours may be in use, by processes elsewhere too: none is overwritten. */
async function requireEmpty(databaseUrl: string): Promise<void> {
  const store = openStore(databaseUrl, { connections: 1 });
  try {
    if ((await shapeOf(store.db)).newest === undefined) return;
  } finally {
    await store.close();
  }
  throw new Error(
    'The database at DATABASE_URL is in use: it has tables of this service. Make an empty one with createdb, ' +
      'and name it in DATABASE_URL.',
  );
}

async function bringUp(databaseUrl: string): Promise<void> {
  const store = openStore(databaseUrl, { connections: 1 });
  try {
    const shape = await shapeOf(store.db);
    if (shape.newest === undefined) throw new Error('The backup holds no tables of this service.');
    refuseUnknown(shape);
    await store.migrate();
  } finally {
    await store.close();
  }
}

async function noteOnKey(config: Config): Promise<string[]> {
  const store = openStore(config.databaseUrl, { connections: 1 });
  try {
    const lost = await lostShares(config, store.db);
    if (lost.length === 0) return [];
    return [
      'Stored credentials were encrypted with another key: set SECRETS_KEY to the one of the backup, or add that to ' +
        'SECRETS_KEY_PREVIOUS.',
      ...lost.map(lostWords),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.problems];
  } finally {
    await store.close();
  }
}
