import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filePath } from '../../store/engine/dialect.ts';
import { makeFolder } from '../../store/engine/folders.ts';
import type { Secrets } from '../../tools/core/ports.ts';
import { type Keys, sealWith } from '../ports/secrets.ts';
import { type Config, ConfigError } from '../settings/config.ts';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

type Kept = Pick<Config, 'databaseUrl' | 'secretsKey' | 'secretsKeyPrevious'>;

/**
 * The keys of stored credentials, the newest first. It is the setting, or one made at the first start and kept beside
 * the database, readable by this user alone; lines below it hold those of before. Production always takes the setting.
 * A file that holds anything else than keys stops the start with a `ConfigError`.
 */
export function secretsKeys(config: Kept): Keys {
  const [newest, ...others] = keysIn(config, (file) => [makeKey(file)]);
  if (newest === undefined) throw new Error('There is no key to encrypt with.');
  return [newest, ...others];
}

/** The same keys for who only looks: where there is none yet, none is made. */
export function presentSecretsKeys(config: Kept): readonly Buffer[] {
  return keysIn(config, () => []);
}

/** What encrypts and opens credentials of this installation. */
export function secretsOf(config: Kept): Secrets {
  return sealWith(...secretsKeys(config));
}

/**
 * Puts a new key above those that the file of this installation holds, and gives the file. A service that runs goes
 * on with those it read at its start.
 */
export function addSecretsKey(config: Kept): string {
  const file = secretsFile(config);
  const keys = [randomBytes(KEY_BYTES), ...(readKeys(file) ?? [])];
  const part = `${file}.new`;
  makeFolder(dirname(file));
  // One that a crash left may be open to others.
  rmSync(part, { force: true });
  writeFileSync(part, linesOf(keys), { mode: OWNER_ONLY, flag: 'wx' });
  renameSync(part, file);
  return file;
}

/** Keys as the file has them: one a line, in base64. */
export function linesOf(keys: readonly Buffer[]): string {
  return keys.map((key) => `${key.toString('base64')}\n`).join('');
}

export function secretsFile(config: Pick<Config, 'databaseUrl'>): string {
  return join(dataFolder(config), 'secrets.key');
}

function keysIn(config: Kept, otherwise: (file: string) => readonly Buffer[]): readonly Buffer[] {
  const file = secretsFile(config);
  const own = config.secretsKey === undefined ? (readKeys(file) ?? otherwise(file)) : [config.secretsKey];
  return [...own, ...config.secretsKeyPrevious].map((key) =>
    typeof key === 'string' ? Buffer.from(key, 'base64') : key,
  );
}

function readKeys(file: string): readonly Buffer[] | undefined {
  if (!existsSync(file)) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new ConfigError([`SECRETS_KEY: ${file} cannot be read. Let this user read it.`], { cause });
  }
  const lines = text.split(/\s*\n\s*/);
  const keys = lines.map((line) => Buffer.from(line, 'base64'));
  if (keys.some((key, index) => key.length !== KEY_BYTES || key.toString('base64') !== lines[index])) {
    throw new ConfigError([
      `SECRETS_KEY: ${file} does not hold ${KEY_BYTES} bytes in base64. Each of its lines is such a key. Put back ` +
        'the file from your backup; without it stored credentials are lost: then delete it, and a new one is made.',
    ]);
  }
  // Another user's file stays as that user wants it, as those of the database do.
  if (statSync(file).uid === process.getuid?.()) chmodSync(file, OWNER_ONLY);
  return keys;
}

function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  makeFolder(dirname(file));
  try {
    writeFileSync(file, linesOf([key]), { mode: OWNER_ONLY, flag: 'wx' });
    return key;
  } catch (error) {
    // Another process that starts at this moment was first.
    const [made] = isCode(error, 'EEXIST') ? (readKeys(file) ?? []) : [];
    if (made === undefined) throw error;
    return made;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Where the service keeps its own files: beside the database, where that is one. */
export function dataFolder({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (!databaseUrl.startsWith('file:') || databaseUrl === 'file::memory:') return 'data';
  return dirname(filePath(databaseUrl));
}
