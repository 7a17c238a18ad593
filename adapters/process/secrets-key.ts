import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filePath } from '../../store/engine/dialect.ts';
import type { Config } from '../settings/config.ts';

const KEY_BYTES = 32;

/**
 * The key that encrypts stored credentials: the setting, or one made at the first start and kept beside the
 * database, readable by this user alone. Production always takes the setting.
 */
export function secretsKey(config: Config): Buffer {
  if (config.secretsKey !== undefined) return Buffer.from(config.secretsKey, 'base64');
  const file = join(dataFolder(config), 'secrets.key');
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  } catch {
    const key = randomBytes(KEY_BYTES);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  }
}

/** Where the service keeps its own files: beside the database, where that is one. */
export function dataFolder({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (!databaseUrl.startsWith('file:') || databaseUrl === 'file::memory:') return 'data';
  return dirname(filePath(databaseUrl));
}
