import { describe, expect, test } from 'vitest';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** What asks the machine, or the database, for the moment, a wait or something that nobody can guess. */
const ASKS = new RegExp(
  [
    String.raw`\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|;)|(?<!new\s+)\bDate\(\)|\bperformance\s*\.\s*(?:now|mark|measure)\b|\bhrtime\b`,
    String.raw`\bset(?:Timeout|Interval)\b|\bAbortSignal\s*\.\s*timeout\b`,
    String.raw`\brandom(?:UUID|Bytes|Int|FillSync)\b|\bgetRandomValues\b|\bMath\s*\.\s*random\b|\bnanoid\b`,
    String.raw`\bcurrent_(?:timestamp|date|time)\b|\bselect now\(\)|\bclock_timestamp\b|\bgen_random_uuid\b|\brandom(?:blob)?\(`,
  ].join('|'),
);

/** Nothing of it is stored, but a key that a migration makes for the numbers of entries. */
const IN_THE_STORE: Readonly<Record<string, string>> = {
  'store/engine/aside.mjs': 'How long a thread answers before others are read.',
  'store/engine/connection-gate.ts': 'How long a connection is waited for.',
  'store/engine/db.ts': 'How long a transaction took, for the metrics.',
  'store/engine/postgres-news.ts':
    'When a connection is tried again, and what tells its own words from others’.',
  'store/engine/postgres-silence.ts': 'How long nothing is heard of the database.',
  'store/engine/postgres.ts':
    'The pause before a transaction is tried again, and the clock of the database for doctor.',
  'store/engine/read-turns.ts': 'How long a turn is waited for.',
  'store/engine/sqlite-driver.ts': 'How long the file is waited for.',
  'store/migrations/0095-numbers-of-audit-entries.ts': 'A key that is made once, with its table.',
};

const asking = (folder: string) => sourceFiles(folder).filter((path) => ASKS.test(codeOf(path)));

describe('time, waits and ids', () => {
  test('come to tools from the ports alone', () => {
    expect(asking('tools')).toEqual([]);
  });

  test('come to what the store keeps from its callers: its engine only measures and waits', () => {
    expect(asking('store')).toEqual(Object.keys(IN_THE_STORE).sort());
  });

  test.each([
    'Date.now()',
    'new Date().toISOString()',
    'new Date( )',
    'performance.now()',
    'process.hrtime()',
    'setTimeout(done, 1)',
    "import { setTimeout as pause } from 'node:timers/promises'",
    'AbortSignal.timeout(5)',
    'crypto.randomUUID()',
    'randomBytes(16)',
    'Math.random()',
    "import { nanoid } from 'nanoid'",
    'sql`current_timestamp`',
    'sql`select now()`',
    'sql`randomblob(16)`',
  ])('are found where they are asked of the machine: %s', (code) => {
    expect(ASKS.test(code)).toBe(true);
  });

  test.each([
    'clock.now()',
    'new Date(at)',
    'buy.performance.spend',
    'setImmediate(resolve)',
    'ids.make("key")',
  ])('are not found where nobody asks: %s', (code) => {
    expect(ASKS.test(code)).toBe(false);
  });
});
