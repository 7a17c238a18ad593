import pg from 'pg';
import { openStore } from '../../../store/open.ts';
import { currentRun, PREFIX, postgresEmpties, postgresTemplate } from '../run/test-run.ts';

/**
 * The databases that those of the run are made from, and their end. A run holds a lock on its name for as long
 * as it lives: databases whose name nobody holds are those of a run that was killed.
 */
export async function preparePostgres(server: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query('select pg_advisory_lock(hashtext($1))', [currentRun()]);
  await dropLeftOvers(client);
  await client.query(`create database ${postgresEmpties()}`);
  await client.query(`create database ${postgresTemplate()}`);
  const store = openStore(databaseAt(server, postgresTemplate()), { connections: 1 });
  await store.migrate();
  await store.close();
  return async () => {
    await dropDatabases(client, currentRun());
    await client.end();
  };
}

/** Connected for as long as some work takes. */
export async function inPostgres<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same server, another database; a commit there does not wait for the disk of this machine. */
export function databaseAt(server: string, name: string, ...settings: readonly string[]): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const options = ['synchronous_commit=off', ...settings].map((setting) => `-c ${setting}`);
  url.searchParams.set('options', options.join(' '));
  return url.href;
}

async function dropLeftOvers(client: pg.Client): Promise<void> {
  for (const run of new Set((await databasesLike(client, PREFIX)).map(runOf))) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1)) as free', [run]);
    if (run === currentRun() || rows[0]?.free !== true) continue;
    await dropDatabases(client, run);
    await client.query('select pg_advisory_unlock(hashtext($1))', [run]);
  }
}

function runOf(database: string): string {
  return database.slice(0, database.lastIndexOf('_'));
}

async function dropDatabases(client: pg.Client, run: string): Promise<void> {
  for (const name of await databasesLike(client, `${run}_`)) {
    await client.query(`drop database if exists ${name} with (force)`);
  }
}

async function databasesLike(client: pg.Client, prefix: string): Promise<string[]> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  return rows.map(({ datname }) => datname);
}
