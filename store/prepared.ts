import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import { asArguments } from './codec.ts';
import type { Db } from './db.ts';

/** Stands where an argument will stand, in a query that is compiled before there is one. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A database in this process: it answers in place when nothing stands in the way, and undefined otherwise. */
export interface InPlace {
  executeNow<R>(query: CompiledQuery, inTransaction: boolean): QueryResult<R> | undefined;
}

function isInPlace(adapter: object): adapter is InPlace {
  return 'executeNow' in adapter;
}

type Arguments = Readonly<Record<string, unknown>>;

export interface Prepared<A, R> {
  all(db: Db, args: A): Promise<R[]>;
  first(db: Db, args: A): Promise<R | undefined>;
  /** The one row that a write gives back. */
  one(db: Db, args: A): Promise<R>;
}

/**
 * A query that is built and compiled once for each database and then only filled in: building a query costs
 * several times what SQLite needs to answer it. Its shape may depend on nothing but the names of its
 * arguments; a query that takes filters is built anew each time.
 */
export function prepared<A extends Arguments, R>(build: (db: Db, args: A) => Compilable<R>): Prepared<A, R> {
  const known = new WeakMap<object, Map<string, CompiledQuery>>();
  const compiledFor = (db: Db, adapter: object, args: Arguments): CompiledQuery => {
    const byNames = known.get(adapter) ?? new Map<string, CompiledQuery>();
    known.set(adapter, byNames);
    const names = Object.keys(args);
    const shape = names.join();
    const compiled = byNames.get(shape) ?? build(db, placesFor<A>(names)).compile();
    byNames.set(shape, compiled);
    return compiled;
  };
  const all = async (db: Db, args: A): Promise<R[]> => {
    const { adapter } = db.getExecutor();
    const { query: node, queryId, sql, parameters } = compiledFor(db, adapter, args);
    const query = { query: node, queryId, sql, parameters: fill(parameters, args) };
    const now = isInPlace(adapter) ? adapter.executeNow<R>(query, db.isTransaction) : undefined;
    return (now ?? (await db.executeQuery<R>(query))).rows;
  };
  const first = async (db: Db, args: A) => (await all(db, args))[0];
  return {
    all,
    first,
    one: async (db, args) => {
      const row = await first(db, args);
      if (row === undefined) throw new Error('The write gave no row back.');
      return row;
    },
  };
}

function placesFor<A>(names: readonly string[]): A {
  return asArguments<A>(Object.fromEntries(names.map((name) => [name, new Place(name)])));
}

function fill(parameters: readonly unknown[], args: Arguments): unknown[] {
  return parameters.map((parameter) => (parameter instanceof Place ? args[parameter.name] : parameter));
}
