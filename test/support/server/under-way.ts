import { engine } from '../database/database.ts';
import { holdLog } from '../database/held-log.ts';
import type { TestServer } from './server.ts';

/** Changes that are all under way before any of them is stored. On SQLite one writes after the other has. */
export async function allUnderWay<T>(
  { database }: Pick<TestServer, 'database'>,
  changes: readonly (() => Promise<T>)[],
): Promise<T[]> {
  if (engine === 'sqlite') return Promise.all(changes.map((change) => change()));
  const log = await holdLog(database);
  const under = changes.map((change) => change());
  await log.behind(changes.length).finally(() => log.release());
  return Promise.all(under);
}

/** The second is under way once the first has written and before that is stored. On SQLite it comes after it. */
export async function oneBehindTheOther<T>(
  { database }: Pick<TestServer, 'database'>,
  [first, second]: readonly [() => Promise<T>, () => Promise<T>],
): Promise<[T, T]> {
  if (engine === 'sqlite') return [await first(), await second()];
  const log = await holdLog(database);
  const one = first();
  const other = log.behind(1).then(() => second());
  await log.behind(2).finally(() => log.release());
  return Promise.all([one, other]);
}
