import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filePath } from '../../store/engine/dialect.ts';
import { type Config, ConfigError } from '../settings/config.ts';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;

/**
 * The key that encrypts stored credentials: the setting, or one made at the first start and kept beside the
 * database, readable by this user alone. Production always takes the setting. A file that holds anything else
 * than a key stops the start with a `ConfigError`.
 */
export function secretsKey(config: Config): Buffer {
  if (config.secretsKey !== undefined) return Buffer.from(config.secretsKey, 'base64');
  const file = join(dataFolder(config), 'secrets.key');
  return readKey(file) ?? makeKey(file);
}

function readKey(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return undefined;
    throw new ConfigError([`SECRETS_KEY: ${file} cannot be read. Let this user read it.`], { cause });
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text) {
    throw new ConfigError([
      `SECRETS_KEY: ${file} does not hold ${KEY_BYTES} bytes in base64. Put back the file from your backup; ` +
        'without it stored credentials are lost: then delete it, and a new one is made.',
    ]);
  }
  chmodSync(file, OWNER_ONLY);
  return key;
}

function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${key.toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    return key;
  } catch (error) {
    // Another process that starts at this moment was first.
    const made = isCode(error, 'EEXIST') ? readKey(file) : undefined;
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
