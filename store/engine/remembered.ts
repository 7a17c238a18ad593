import type { Db } from './db.ts';
import { isInPlace } from './prepared.ts';

const REMEMBERED_MAX = 1_000;

/** What was found in one state of a database. A record that comes late goes to its own, and is lost with it. */
interface Found<R> {
  readonly state: number;
  readonly records: Map<string, R>;
}

/**
 * A search for what nearly every call asks for. Where the database tells its state, a record is remembered
 * until anything at all is committed, here or by another process; where it does not, every search is made.
 * `isWorthwhile` is asked before one is made, and no means that there is nothing to find.
 */
export function remembered<R extends object>(find: (db: Db, key: string) => Promise<R | undefined>) {
  const known = new WeakMap<object, Found<R>>();
  const foundIn = (adapter: object, state: number): Found<R> => {
    const last = known.get(adapter);
    if (last?.state === state) return last;
    const found = { state, records: new Map<string, R>() };
    known.set(adapter, found);
    return found;
  };
  return (db: Db, key: string, isWorthwhile = always): R | undefined | Promise<R | undefined> => {
    const { adapter } = db.getExecutor();
    const state = stateOf(db);
    const records = state === undefined ? undefined : foundIn(adapter, state).records;
    const record = records?.get(key);
    if (record !== undefined || !isWorthwhile()) return record;
    const found = find(db, key);
    return records === undefined ? found : found.then((late) => kept(records, key, late));
  };
}

/** A number that is another one after every commit, whoever's; undefined where the database does not tell. */
export function stateOf(db: Db): number | undefined {
  const { adapter } = db.getExecutor();
  return isInPlace(adapter) && !db.isTransaction ? adapter.stateNow() : undefined;
}

const always = () => true;

function kept<R>(records: Map<string, R>, key: string, record: R | undefined): R | undefined {
  if (record === undefined) return undefined;
  if (records.size >= REMEMBERED_MAX) records.clear();
  records.set(key, record);
  return record;
}
