import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Which database this run of the tests is on. */
export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

export interface TestDatabase {
  readonly url: string;
  /** The folder of a database file, or a folder for what a server keeps beside its database. */
  readonly folder: string;
  drop(): Promise<void>;
}

/** An empty database of its own: a file, or a schema of the PostgreSQL that the run was given. */
export async function freshDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (engine === 'sqlite') {
    return { url: `file:${join(folder, 'test.db')}`, folder, drop: async () => removeFolder() };
  }
  const server = process.env['TEST_POSTGRES'] ?? '';
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await inPostgres(server, `create schema ${schema}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    url: url.href,
    folder,
    drop: async () => {
      await inPostgres(server, `drop schema ${schema} cascade`);
      removeFolder();
    },
  };
}

async function inPostgres(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
