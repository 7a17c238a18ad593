import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What everything begins with that a run leaves on the machine while it lasts: folders and databases. */
export const PREFIX = 'rialto_test_';

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 1_000_000_000;

/**
 * The name of a run of the tests, which its workers learn by TEST_RUN. It holds the id of its process, so that
 * what a killed run left behind is known for what it is.
 */
export function newRun(): string {
  return `${PREFIX}${process.pid}_${randomBytes(4).toString('hex')}`;
}

export function currentRun(): string {
  const run = process.env['TEST_RUN'];
  if (run === undefined) throw new Error('TEST_RUN is not set: vitest.config.ts names the run.');
  return run;
}

/** Where a run keeps its files: in memory where there is room, since every commit waits for the disk otherwise. */
export function folderOf(run: string): string {
  return join(roomy() ? MEMORY : tmpdir(), run);
}

export function sqliteTemplate(): string {
  return join(folderOf(currentRun()), 'template.db');
}

/** The database that every PostgreSQL database of the run is a copy of. */
export function postgresTemplate(): string {
  return `${currentRun()}_template`;
}

/** The database in which a test finds an empty schema of its own. */
export function postgresEmpties(): string {
  return `${currentRun()}_empties`;
}

export function makeFolder(): void {
  const folder = folderOf(currentRun());
  for (const name of readdirSync(join(folder, '..'))) {
    if (isLeftOver(name)) removeFolder(name);
  }
  mkdirSync(folder, { recursive: true });
}

export function removeFolder(run: string): void {
  rmSync(folderOf(run), { recursive: true, force: true });
}

function isLeftOver(name: string): boolean {
  const pid = new RegExp(`^${PREFIX}(\\d+)_`).exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function roomy(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ENOUGH_BYTES;
}
