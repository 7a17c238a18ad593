import { existsSync } from 'node:fs';
import type { Store } from '../../store/engine/db.ts';
import { moveRows } from '../../store/engine/moving.ts';
import { refuseUnknown, shapeOf } from '../../store/migrations/shape.ts';
import { openStore } from '../../store/open.ts';
import { listProcesses } from '../../store/unscoped/processes.ts';
import { secretsFile } from '../process/secrets-key.ts';
import type { Config } from '../settings/config.ts';
import { codeOf } from './files.ts';

/**
 * Moves all that is stored into an empty database, of the other kind too, while nothing serves it. What was there stays
 * as it was: going back is setting DATABASE_URL back.
 */
export async function move(config: Config, url: string, now: number): Promise<string> {
  if (url === config.databaseUrl) throw new Error('That is DATABASE_URL: name the database to move to.');
  const from = openStore(config.databaseUrl, { connections: 1 });
  try {
    const lock = from.engine.lock();
    try {
      await refuseServed(from, config, now);
      await toNewest(from);
      return await moveTo(config, from, url);
    } finally {
      lock.release();
    }
  } finally {
    await from.close();
  }
}

async function moveTo(config: Config, from: Store, url: string): Promise<string> {
  const to = await ofOther(async () => opened(url));
  try {
    const lock = await ofOther(async () => to.engine.lock());
    try {
      await ofOther(() => refuseUsed(to));
      await to.migrate();
      const moved = await moveRows(from, to);
      const rows = moved.reduce((sum, table) => sum + table.rows, 0);
      return [
        `Moved ${rows} rows of ${moved.length} tables; of each the number of rows and the hash of all that is in them are the same there.`,
        'What was here stays as it was. Set DATABASE_URL to the new one, run doctor, and start the service.',
        ...noteOnKey(config, url),
      ].join('\n');
    } finally {
      lock.release();
    }
  } finally {
    await to.close();
  }
}

function opened(url: string): Store {
  if (!/^(file:.|postgres(ql)?:\/\/)/.test(url))
    throw new Error(`<url>: ${url} is no database. Give file:<path of a file> or postgres://….`);
  return openStore(url, { connections: 1 });
}

/** What the system or a database says here is about the other one, and not about that at DATABASE_URL. */
async function ofOther<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === undefined || !(error instanceof Error)) throw error;
    const why = error.message || codeOf(error);
    throw new Error(
      `The other database cannot be used (${why}). Correct <url>, or have it answer and let you in.`,
      { cause: error },
    );
  }
}

/** A file has its lock; of a server, who serves it says so every few seconds. */
async function refuseServed({ db, engine }: Store, { processLeaseMs }: Config, now: number): Promise<void> {
  if (!engine.shared) return;
  const { newest } = await shapeOf(db);
  const living = newest === undefined ? [] : await listProcesses(db);
  if (living.some(({ seen_at }) => now - Date.parse(seen_at) < processLeaseMs)) {
    throw new Error(
      `A process serves this database, or did until just now. Stop it, and try again after ${Math.ceil(processLeaseMs / 1_000)} s.`,
    );
  }
}

async function toNewest(from: Store): Promise<void> {
  const shape = await shapeOf(from.db);
  refuseUnknown(shape);
  if (shape.newest === undefined) throw new Error('There is nothing to move: the database is empty.');
  await from.migrate();
}

async function refuseUsed(to: Store): Promise<void> {
  const { newest } = await shapeOf(to.db);
  if (newest === undefined) return;
  throw new Error(
    'The other database is in use: it has our tables. Name an empty one, such as createdb makes.',
  );
}

/** What is encrypted moves as it is, and the key that opens it is beside the file, or in a setting. */
function noteOnKey(config: Config, url: string): string[] {
  const [here, there] = [secretsFile(config), secretsFile({ databaseUrl: url })];
  if (config.secretsKey !== undefined || here === there || !existsSync(here)) return [];
  return [`The secrets key does not move: copy ${here} to ${there}, or set SECRETS_KEY to what is in it.`];
}
