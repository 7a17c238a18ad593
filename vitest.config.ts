import pg from 'pg';
import { defineConfig } from 'vitest/config';
import { newRun } from './test/support/test-run.ts';

const DEFAULT_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres';
const CONNECT_TIMEOUT_MS = 2_000;

/** PostgreSQL for the tests: the one that is named, or the one that answers on this machine. */
async function findPostgres(): Promise<string | undefined> {
  const url = process.env['TEST_DATABASE_URL'] ?? DEFAULT_POSTGRES;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    await client.end();
    return url;
  } catch (error) {
    // Somebody who names a database wants it used.
    if (process.env['TEST_DATABASE_URL'] !== undefined) throw error;
    return undefined;
  }
}

/** Tests that touch the database run on both; the others run once. */
const WITH_DATABASE = ['store', 'tools', 'http', 'mcp', 'outbound', 'process', 'regressions'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
const WITHOUT_DATABASE = ['test/*.test.ts', 'test/rules/**/*.test.ts', 'test/contract/**/*.test.ts'];

export default defineConfig(async () => {
  // The process that sets the run up and the workers agree on its name.
  process.env['TEST_RUN'] ??= newRun();
  const postgres = await findPostgres();
  if (postgres === undefined) {
    process.stdout.write('PostgreSQL does not answer: the tests run on SQLite alone.\n');
  }
  const project = (name: string, include: string[], env: Record<string, string>) => ({
    extends: true as const,
    test: { name, include, env },
  });
  return {
    test: {
      globalSetup: ['test/support/global-setup.ts'],
      pool: 'forks' as const,
      isolate: false,
      maxWorkers: 2,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      projects: [
        project('rules', WITHOUT_DATABASE, {}),
        project('sqlite', WITH_DATABASE, { TEST_ENGINE: 'sqlite' }),
        ...(postgres === undefined
          ? []
          : [project('postgres', WITH_DATABASE, { TEST_ENGINE: 'postgres', TEST_POSTGRES: postgres })]),
      ],
    },
  };
});
