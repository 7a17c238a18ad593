import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { isInPlace } from './prepared.ts';

/**
 * Values of one statement: below what each database takes (SQLite 32,766, PostgreSQL 65,535), and few enough that
 * a statement of any length holds nobody else up.
 */
const VALUES_MAX = 2_000;

/** Cuts rows up so that no statement carries more values than a database takes. */
export function piecesOf<R extends object>(rows: readonly R[]): R[][] {
  const columns = Math.max(1, ...rows.slice(0, 1).map((row) => Object.keys(row).length));
  const length = Math.max(1, Math.floor(VALUES_MAX / columns));
  return Array.from({ length: Math.ceil(rows.length / length) }, (_, index) =>
    rows.slice(index * length, (index + 1) * length),
  );
}

/** Writes rows piece by piece, within a transaction: others have their turn between two statements. */
export async function inPieces<R extends object>(
  rows: readonly R[],
  write: (piece: R[]) => Promise<unknown>,
): Promise<void> {
  let isFirst = true;
  for (const piece of piecesOf(rows)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    await write(piece);
  }
}

/** Whether a column is one of these whole numbers: one value in the statement, however many they are. */
export function isOneOf(db: Db, column: string, numbers: readonly number[]): RawBuilder<boolean> {
  const list = JSON.stringify(numbers);
  return isInPlace(db.getExecutor().adapter)
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${list}))`
    : sql<boolean>`${sql.ref(column)} in (select value::bigint from json_array_elements_text(${list}::json))`;
}
