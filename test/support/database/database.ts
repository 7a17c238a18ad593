import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { currentRun, folderOf, postgresEmpties, sqliteTemplate } from '../run/test-run.ts';
import { databaseAt, inPostgres } from './postgres-setup.ts';
import { giveBackDatabase, newDatabase, takeDatabase } from './used-databases.ts';

/** Which database this run of the tests is on. */
export const engine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite';

const server = process.env['TEST_POSTGRES'] ?? '';

export interface TestDatabase {
  readonly url: string;
  /** The folder of a database file, or a folder for what a server keeps beside its database. */
  readonly folder: string;
  drop(): Promise<void>;
}

/**
 * A database of its own with all tables and no rows, as one has it that was migrated once for the run. PostgreSQL may
 * have counted what others had in it before, and plans by that: who reads plans asks for one that nobody used.
 */
export async function freshDatabase({ unused = false } = {}): Promise<TestDatabase> {
  const { folder, remove } = newFolder();
  if (engine === 'sqlite') {
    copyFileSync(sqliteTemplate(), join(folder, 'test.db'));
    return { url: fileUrl(folder), folder, drop: async () => remove() };
  }
  const name = await (unused ? newDatabase(server) : takeDatabase(server));
  return {
    url: databaseAt(server, name),
    folder,
    drop: async () => {
      giveBackDatabase(name);
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
  await inPostgres(shared, (client) => client.query(`create schema ${schema}`));
  return {
    url: databaseAt(server, postgresEmpties(), `search_path=${schema}`),
    folder,
    drop: async () => {
      await inPostgres(shared, (client) => client.query(`drop schema ${schema} cascade`));
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
