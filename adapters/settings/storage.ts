import { z } from 'zod';
import { count, isKey, keys, setting } from './setting.ts';

/** Where things are kept, and what encrypts them. */
export const storageSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    z
      .string()
      .regex(/^(file:|postgres(ql)?:\/\/)/, 'Start with file: or postgres://.')
      .default('file:./data/rialto.db'),
    'file:path for SQLite, postgres://… for PostgreSQL.',
  ),
  databaseConnections: setting(
    'DATABASE_CONNECTIONS',
    count(10, 1, 500),
    'PostgreSQL connections of one process.',
  ),
  databaseNamedStatements: setting(
    'DATABASE_NAMED_STATEMENTS',
    z.enum(['on', 'off']).default('on'),
    'Turn off behind a pooler that gives each transaction another connection.',
  ),
  databaseWaitMs: setting(
    'DATABASE_WAIT_MS',
    count(5_000, 1, 60_000),
    'Milliseconds a call waits for a database that is locked, has no free connection or does not answer; then it is 503.',
  ),
  databaseAsideBytes: setting(
    'DATABASE_ASIDE_BYTES',
    z.coerce.number().int().min(0).default(33_554_432),
    'Size of a SQLite file, in bytes, from which lists are read in a thread of their own.',
  ),
  databaseListsWaiting: setting(
    'DATABASE_LISTS_WAITING',
    count(1_000, 1, 100_000),
    'Reads of lists that may wait for their turn, two or three for each list. Organizations take turns; beyond that ' +
      'whoever has most of them waiting is refused with 503.',
  ),
  databaseListsWaitingPerOrganization: setting(
    'DATABASE_LISTS_WAITING_PER_ORGANIZATION',
    count(200, 2, 100_000),
    'The same reads of one organization.',
  ),
  secretsKey: setting(
    'SECRETS_KEY',
    z.string().refine(isKey, 'Give 32 bytes in base64.').optional(),
    'Key that encrypts stored credentials: 32 bytes in base64. Default: made once, in data/secrets.key; required in production.',
  ),
  secretsKeyPrevious: setting(
    'SECRETS_KEY_PREVIOUS',
    keys,
    'Keys of before, each 32 bytes in base64, separated by commas: they open what was encrypted with them, and encrypt nothing. npm run rialto -- secrets rotate says when one may go. Default: none.',
  ),
};
