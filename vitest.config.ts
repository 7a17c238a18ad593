import { existsSync } from 'node:fs';
import pg from 'pg';
import { defineConfig } from 'vitest/config';
import { BAD_DAYS } from './test/support/run/bad-days.ts';
import { ON_BOTH_DATABASES, ON_ONE_DATABASE } from './test/support/run/both-databases.ts';
import { BUILT, builtProduct } from './test/support/run/built-product.ts';
import { beginLongRun } from './test/support/run/effort.ts';
import { newRun } from './test/support/run/test-run.ts';

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
const ON_BOTH = inFolders(
  'store',
  'process',
  'outbound',
  'journeys',
  'every-tool',
  'attacks',
  'faults',
  'oauth',
  'people',
  'signup',
  'agents',
  'credential-lives',
);
/** What runs on SQLite alone, but for the files of the list; in a long run on both. */
const MOSTLY_ON_ONE = inFolders('matrix', 'tools', 'http', 'mcp', 'regressions', 'trials');

/** A list must not outlive its files. */
function listed(files: readonly string[]): string[] {
  const gone = files.filter((file) => !existsSync(new URL(file, import.meta.url)));
  if (gone.length > 0) throw new Error(`A list of test files names ${gone.join(', ')}.`);
  return [...files];
}

const BOTH = listed(Object.keys(ON_BOTH_DATABASES));
const ONE = listed(Object.keys(ON_ONE_DATABASE));
const FAULTS = listed(Object.values(BAD_DAYS).flat());

/**
 * `npm test`, or with `--mode long` every test on both databases with many more cases. With `--mode faults` the same
 * of what goes wrong alone.
 */
export default defineConfig(async ({ mode }) => {
  if (isLong(mode)) beginLongRun();
  // The process that sets the run up and the workers agree on its name.
  process.env['TEST_RUN'] ??= newRun();
  const postgres = await findPostgres();
  if (postgres === undefined) {
    process.stdout.write('PostgreSQL does not answer: the tests run on SQLite alone.\n');
  }
  return {
    // Who watches sees what he writes at once: the build is made at the start alone.
    plugins: process.argv.includes('run') ? [builtProduct()] : [],
    test: {
      server: { deps: { external: [BUILT] } },
      globalSetup: ['test/support/database/global-setup.ts'],
      setupFiles: ['test/support/run/fixed-seed.ts', 'test/support/run/breaches.ts'],
      pool: 'forks' as const,
      isolate: false,
      // The projects test the same modules, and a second run most of them again: each is translated once.
      experimental: { fsModuleCache: true },
      // One more than the processors of a small machine: each often waits for a process, a database or a browser.
      maxWorkers: 3,
      // Most code of a test runs a few times: compiled plainly at once it runs faster than interpreted, and a run of
      // the tools' tests took 94 s of the processor in place of 101.
      execArgv: ['--always-sparkplug'],
      // No promise: a busy machine is known to take six times as long as a quiet one.
      testTimeout: 90_000,
      hookTimeout: 120_000,
      projects: projectsOf(mode, postgres),
    },
  };
});

/** One for each database, and one for what needs none. */
function projectsOf(mode: string, postgres: string | undefined) {
  const onlyFaults = mode === 'faults';
  const long = isLong(mode);
  const project = (
    name: string,
    include: string[],
    rest: { env?: Record<string, string>; exclude?: string[] },
  ) => ({
    extends: true as const,
    test: { name, include, ...rest },
  });
  const rules = project('rules', long ? [...WITHOUT_DATABASE, ...ON_COPIES] : WITHOUT_DATABASE, {});
  const sqlite = project('sqlite', onlyFaults ? FAULTS : onSqlite(long), { env: { TEST_ENGINE: 'sqlite' } });
  const first = onlyFaults ? [sqlite] : [rules, sqlite];
  if (postgres === undefined) return first;
  const env = { TEST_ENGINE: 'postgres', TEST_POSTGRES: postgres };
  const include = onlyFaults ? FAULTS : onPostgres(long);
  return [...first, project('postgres', include, { env, exclude: long ? [] : ONE })];
}

function isLong(mode: string): boolean {
  return mode === 'long' || mode === 'faults';
}

function onSqlite(long: boolean): string[] {
  return [...ON_BOTH, ...MOSTLY_ON_ONE, ...(long ? [...SOAKS, ...MUTANTS] : [])];
}

function onPostgres(long: boolean): string[] {
  return [...ON_BOTH, ...(long ? MOSTLY_ON_ONE : BOTH)];
}
