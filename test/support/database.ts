import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { databaseAt } from './postgres-setup.ts';
import { currentRun, folderOf, postgresEmpties, postgresTemplate, sqliteTemplate } from './test-run.ts';

/** Which database this run of the tests is on. */
export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

const server = process.env['TEST_POSTGRES'] ?? '';

export interface TestDatabase {
  readonly url: string;
  /** The folder of a database file, or a folder for what a server keeps beside its database. */
  readonly folder: string;
  drop(): Promise<void>;
}

/** A database of its own with all tables and no rows: a copy of the one that was migrated once for the run. */
export async function freshDatabase(): Promise<TestDatabase> {
  const { folder, remove } = newFolder();
  if (engine === 'sqlite') {
    copyFileSync(sqliteTemplate(), join(folder, 'test.db'));
    return { url: fileUrl(folder), folder, drop: async () => remove() };
  }
  const name = `${currentRun()}_${shortId()}`;
  await inPostgres(server, `create database ${name} template ${postgresTemplate()} strategy wal_log`);
  return {
    url: databaseAt(server, name),
    folder,
    drop: async () => {
      await inPostgres(server, `drop database ${name} with (force)`);
      remove();
    },
  };
}

/** A database without a table, for tests of how the tables come: a file, or a schema beside other schemas. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const { folder, remove } = newFolder();
  if (engine === 'sqlite') return { url: fileUrl(folder), folder, drop: async () => remove() };
  const shared = databaseAt(server, postgresEmpties());
  const schema = `test_${shortId()}`;
  await inPostgres(shared, `create schema ${schema}`);
  return {
    url: databaseAt(server, postgresEmpties(), `search_path=${schema}`),
    folder,
    drop: async () => {
      await inPostgres(shared, `drop schema ${schema} cascade`);
      remove();
    },
  };
}

function newFolder() {
  const folder = mkdtempSync(join(folderOf(currentRun()), 'database-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function fileUrl(folder: string): string {
  return `file:${join(folder, 'test.db')}`;
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 16);
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
