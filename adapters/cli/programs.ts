import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentWith } from '../settings/config.ts';

/** Programs of PostgreSQL, which does its own backups best. */

/** Secrets that a query may hold (libpq, connection URIs). */
const SECRET_PARAMETERS = ['password', 'sslpassword'];

/** Runs one of them on a database; fails with what it said. No password ever stands among the arguments. */
export async function runOnPostgres(program: string, url: string, args: readonly string[]): Promise<string> {
  const named = new URL(url);
  // As the service does: of two the one in the query counts, and a key of its own that is locked it cannot use.
  const password = named.searchParams.getAll('password').at(-1) || decodeURIComponent(named.password);
  named.password = '';
  for (const name of SECRET_PARAMETERS) named.searchParams.delete(name);
  // What reads it here takes a plus for what it is.
  named.search = named.search.replaceAll('+', '%20');
  const child = spawn(program, [...args, `--dbname=${named}`], {
    env: environmentWith(password === '' ? {} : { PGPASSWORD: password }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return endOf(program, child);
}

/** The same without a database. */
export function runProgram(program: string, args: readonly string[]): Promise<string> {
  return endOf(program, spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
}

async function endOf(program: string, child: ReturnType<typeof spawn>): Promise<string> {
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const [code] = await once(child, 'close').catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new Error(
      `${program} is not installed here. Install the client programs of PostgreSQL, of the version of your server or a later one.`,
    );
  });
  if (code !== 0) throw new Error(`${program} failed: ${said.stderr.trim()}`);
  return said.stdout;
}
