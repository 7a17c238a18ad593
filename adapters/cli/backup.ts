import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { filePath } from '../../store/engine/dialect.ts';
import { copyFile, damageOf, keepSecretsKey } from '../../store/engine/sqlite-copy.ts';
import { makePrivate } from '../../store/engine/sqlite-files.ts';
import { openStore } from '../../store/open.ts';
import { linesOf, secretsKeys } from '../process/secrets-key.ts';
import type { Config } from '../settings/config.ts';
import { addChecksum } from './checksum.ts';
import { codeOf, unwritten } from './files.ts';
import { runOnPostgres } from './programs.ts';

export interface BackupOptions {
  /** Puts the keys that open stored credentials into the file. */
  readonly withSecretsKey?: boolean;
}

const WITHOUT_KEY =
  'The secrets key is not in it: keep SECRETS_KEY, or secrets.key beside the database, in another place.';
const WITH_KEY = 'The secrets key is in it: whoever has this file can use every credential that is stored.';

/** Copies what is stored into one file, whole or not at all, while the service goes on. */
export async function backup(config: Config, file: string, options: BackupOptions): Promise<string> {
  const target = resolve(file);
  if (existsSync(target)) throw new Error(`${target} is there already. Name a file that is not.`);
  const part = `${target}.part`;
  emptied(target, part);
  const make = config.databaseUrl.startsWith('file:') ? copyOfFile : dumpOfServer;
  try {
    await make(config, part, options)
      .then(() => addChecksum(part))
      .catch((error: unknown) => {
        throw isFull(error) ? unwritten('<file>', target, error) : error;
      });
    renameSync(part, target);
  } finally {
    rmSync(part, { force: true });
  }
  const note = options.withSecretsKey ? WITH_KEY : WITHOUT_KEY;
  return `Backup ${target}: ${statSync(target).size} bytes.\n${note}`;
}

/** Before the database is asked for anything: a place that takes no file is no fault of the database. */
function emptied(target: string, part: string): void {
  try {
    rmSync(part, { force: true });
    makePrivate(part);
  } catch (error) {
    throw unwritten('<file>', target, error);
  }
}

function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT)$|^SQLITE_FULL/.test(codeOf(error) ?? '');
}

async function copyOfFile(config: Config, part: string, { withSecretsKey }: BackupOptions): Promise<void> {
  await copyFile(servedFile(config), part);
  if (withSecretsKey) keepSecretsKey(part, linesOf(secretsKeys(config)).trim());
  const damage = damageOf(part);
  if (damage !== undefined) throw new Error(`The copy is not whole: ${damage}. Run doctor.`);
}

export function servedFile({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  const path = filePath(databaseUrl);
  if (path === ':memory:') throw new Error('A database in memory ends with its process. Set DATABASE_URL.');
  return path;
}

async function dumpOfServer(config: Config, part: string, { withSecretsKey }: BackupOptions): Promise<void> {
  if (withSecretsKey) {
    throw new Error(
      'A backup of PostgreSQL never holds the secrets key. Keep SECRETS_KEY, or secrets.key, in another place.',
    );
  }
  const schema = await schemaOf(config);
  // Of the schema that everybody has, the whole database: with it come the extensions that its indexes need.
  const which = schema === 'public' ? [] : [`--schema=${schema}`];
  // It would have the mode that this user's files have, which others may read.
  makePrivate(part);
  const how = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments', `--file=${part}`];
  await runOnPostgres('pg_dump', config.databaseUrl, [...how, ...which]);
}

async function schemaOf({ databaseUrl }: Config): Promise<string> {
  const store = openStore(databaseUrl, { connections: 1 });
  try {
    return (await store.engine.schema(store.db)) ?? 'public';
  } finally {
    await store.close();
  }
}
