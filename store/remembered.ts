import type { Db } from './db.ts';
import { isInPlace } from './prepared.ts';

const REMEMBERED_MAX = 1_000;

/** What was found in one state of a database. */
interface Found<R> {
  state: number;
  readonly records: Map<string, R>;
}

/**
 * A search for what nearly every call asks for. Where the database tells its state, a record is remembered
 * until anything at all is committed, here or by another process; where it does not, every search is made.
 */
export function remembered<R extends object>(find: (db: Db, key: string) => Promise<R | undefined>) {
  const known = new WeakMap<object, Found<R>>();
  const foundIn = (adapter: object, state: number): Found<R> => {
    const found = known.get(adapter) ?? { state, records: new Map() };
    if (found.state !== state) found.records.clear();
    found.state = state;
    known.set(adapter, found);
    return found;
  };
  return (db: Db, key: string): R | Promise<R | undefined> => {
    const { adapter } = db.getExecutor();
    const state = isInPlace(adapter) && !db.isTransaction ? adapter.stateNow() : undefined;
    if (state === undefined) return find(db, key);
    const found = foundIn(adapter, state);
    return found.records.get(key) ?? find(db, key).then((record) => kept(found, state, { key, record }));
  };
}

/** Unless the state has moved on while the record was on its way. */
function kept<R>(found: Found<R>, state: number, { key, record }: { key: string; record: R | undefined }) {
  if (record === undefined || found.state !== state) return record;
  if (found.records.size >= REMEMBERED_MAX) found.records.clear();
  found.records.set(key, record);
  return record;
}
