import type { Kysely } from 'kysely';
import type { Database } from './database.ts';

/** What is to be told once a transaction holds. One that is taken back tells nothing. */
const noted = new WeakMap<object, Set<string>>();

/** Notes what others wait for, in the transaction that brings it: told when that is stored, and not before. */
export function tellOnceStored(tx: Kysely<Database>, ...topics: readonly string[]): void {
  for (const topic of topics) noted.get(tx)?.add(topic);
}

/** Begins to note what a transaction is to tell; gives the way to read it. */
export function notesOf(tx: object): ReadonlySet<string> {
  const topics = new Set<string>();
  noted.set(tx, topics);
  return topics;
}
