import { execFileSync } from 'node:child_process';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { openStore } from '../../../store/open.ts';
import { currentRun, makeFolder, removeFolder, sqliteTemplate } from '../run/test-run.ts';
import { preparePostgres } from './postgres-setup.ts';

/** Made once a run and project; what it returns is done when the run ends. */
export async function setup(project: TestProject): Promise<(() => Promise<void> | void) | undefined> {
  const server = project.config.env?.['TEST_POSTGRES'];
  if (server !== undefined) return preparePostgres(server);
  if (!project.isRootProject()) return undefined;
  // Tests of the process run the build: it has to be there and fresh.
  execFileSync(process.execPath, ['adapters/cli/prepare.mjs'], { stdio: 'inherit' });
  makeFolder();
  await makeSqliteTemplate();
  return () => removeFolder(currentRun());
}

/** Migrated once: every database file of the run is a copy of this one. */
async function makeSqliteTemplate(): Promise<void> {
  const store = openStore(`file:${sqliteTemplate()}`);
  await store.migrate();
  // What is still in the log beside the file would not be copied with it.
  await sql`pragma wal_checkpoint(truncate)`.execute(store.db);
  await store.close();
}
