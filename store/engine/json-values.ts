import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { isInPlace } from './prepared.ts';

/** Values inside columns that hold JSON as text: what an answer needs of them, where the whole would be long. */

type Path = readonly string[];

function isSqlite(db: Db): boolean {
  return isInPlace(db.getExecutor().adapter);
}

const sqlitePath = (path: Path) => sql.lit(`$.${path.join('.')}`);
const postgresPath = (path: Path) => sql.lit(`{${path.join(',')}}`);

/** Whether a text of JSON has a field at its root, null or not. */
export function hasField(db: Db, column: string, field: string): RawBuilder<boolean> {
  return isSqlite(db)
    ? sql<boolean>`json_type(${sql.ref(column)}, ${sqlitePath([field])}) is not null`
    : sql<boolean>`(${sql.ref(column)}::json -> ${sql.lit(field)}) is not null`;
}

/** The text at a path; null where there is none. */
export function textAt(db: Db, column: string, path: Path): RawBuilder<string | null> {
  return isSqlite(db)
    ? sql<string | null>`json_extract(${sql.ref(column)}, ${sqlitePath(path)})`
    : sql<string | null>`(${sql.ref(column)}::json #>> ${postgresPath(path)})`;
}

/** The whole number at a path; null where there is none. */
export function numberAt(db: Db, column: string, path: Path): RawBuilder<number | null> {
  return isSqlite(db)
    ? sql<number | null>`json_extract(${sql.ref(column)}, ${sqlitePath(path)})`
    : sql<number | null>`(${sql.ref(column)}::json #>> ${postgresPath(path)})::bigint`;
}

/** The entries of a list at the root, a row each with its `value`: to be joined to the table of the column. */
export function elementsAt(db: Db, column: string, field: string): RawBuilder<{ value: string }> {
  return isSqlite(db)
    ? sql<{ value: string }>`json_each(${sql.ref(column)}, ${sqlitePath([field])})`
    : sql<{ value: string }>`json_array_elements(${sql.ref(column)}::json -> ${sql.lit(field)})`;
}
