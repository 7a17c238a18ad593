import { existsSync } from 'node:fs';
import pg from 'pg';
import { defineConfig } from 'vitest/config';
import { ON_BOTH_DATABASES, ON_ONE_DATABASE } from './test/support/both-databases.ts';
import { beginLongRun } from './test/support/effort.ts';
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

const inFolders = (...folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`);

const WITHOUT_DATABASE = ['test/*.test.ts', ...inFolders('rules', 'contract')];
/** What copies the project and tests the copy: in a long run alone. */
const ON_COPIES = inFolders('growth');
/** What goes on for minutes: in a long run alone. SOAK_SECONDS says how long. */
const SOAKS = inFolders('soak');
/** Faults planted in copies, each of which has to be found: in a long run alone. */
const MUTANTS = inFolders('mutants');
/** What runs on both databases: where SQL is, where processes end, and each tool once. */
const ON_BOTH = inFolders('store', 'process', 'outbound', 'journeys', 'every-tool', 'attacks');
/** What runs on SQLite alone, but for the files of the list; in a long run on both. */
const MOSTLY_ON_ONE = inFolders('tools', 'http', 'mcp', 'regressions', 'trials');

/** A list must not outlive its files. */
function listed(list: Readonly<Record<string, string>>): string[] {
  const files = Object.keys(list);
  const gone = files.filter((file) => !existsSync(new URL(file, import.meta.url)));
  if (gone.length > 0) throw new Error(`test/support/both-databases.ts names ${gone.join(', ')}.`);
  return files;
}

/** `npm test`, or with `--mode long` every test on both databases with many more cases. */
export default defineConfig(async ({ mode }) => {
  const long = mode === 'long';
  if (long) beginLongRun();
  // The process that sets the run up and the workers agree on its name.
  process.env['TEST_RUN'] ??= newRun();
  const postgres = await findPostgres();
  if (postgres === undefined) {
    process.stdout.write('PostgreSQL does not answer: the tests run on SQLite alone.\n');
  }
  const project = (
    name: string,
    include: string[],
    rest: { env?: Record<string, string>; exclude?: string[] },
  ) => ({
    extends: true as const,
    test: { name, include, ...rest },
  });
  return {
    test: {
      globalSetup: ['test/support/global-setup.ts'],
      setupFiles: ['test/support/fixed-seed.ts', 'test/support/breaches.ts'],
      pool: 'forks' as const,
      isolate: false,
      maxWorkers: 2,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      projects: [
        project('rules', long ? [...WITHOUT_DATABASE, ...ON_COPIES] : WITHOUT_DATABASE, {}),
        project('sqlite', [...ON_BOTH, ...MOSTLY_ON_ONE, ...(long ? [...SOAKS, ...MUTANTS] : [])], {
          env: { TEST_ENGINE: 'sqlite' },
        }),
        ...(postgres === undefined
          ? []
          : [
              project('postgres', [...ON_BOTH, ...(long ? MOSTLY_ON_ONE : listed(ON_BOTH_DATABASES))], {
                env: { TEST_ENGINE: 'postgres', TEST_POSTGRES: postgres },
                exclude: long ? [] : listed(ON_ONE_DATABASE),
              }),
            ]),
      ],
    },
  };
});
