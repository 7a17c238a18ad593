import { sql } from 'kysely';
import type { Sealed } from '../engine/codec.ts';
import type { Database } from '../engine/database.ts';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Columns of encrypted values, whosever they are: for the change of the key that encrypts them. */

type SealedIn<Row> = {
  [Column in keyof Row]: [Extract<Row[Column], Sealed>] extends [never] ? never : Column;
}[keyof Row];

/** How the values of one column are told apart. */
export interface SealedColumn {
  /** The column by which rows are found, one each. */
  readonly key: string;
  /** What a value is encrypted for, by the key of its row. */
  owner(key: string): string;
  /** The column that a value is found by, and what its fingerprints are made for. */
  readonly found?: { readonly by: string; readonly purpose: string };
}

/** Every table that holds encrypted values and each of its columns: the compiler asks for those that are missing. */
export type SealedColumns = {
  readonly [Table in keyof Database as SealedIn<Database[Table]> extends never ? never : Table]: {
    readonly [Column in SealedIn<Database[Table]>]: SealedColumn & { readonly key: keyof Database[Table] };
  };
};

/** One column of one table. */
export interface SealedPlace extends SealedColumn {
  readonly table: string;
  readonly column: string;
}

export interface SealedRow {
  readonly key: string | number;
  readonly sealed: Sealed;
  /** The id of the key that opens it. */
  readonly key_id: string;
}

interface Asked {
  /** Values under this key are left out. */
  readonly except: string;
  /** Rows behind this one. */
  readonly after: string | number | undefined;
  readonly limit: number;
}

/** `v1.<key id>.…`, as `adapters/ports/secrets.ts` writes it. */
export function keyIdIn(column: string) {
  return sql<string>`substr(${sql.ref(column)}, 4, 8)`;
}

/** Values that other keys encrypted, in the order of their rows. */
export async function listSealedRows(
  db: Db,
  { table, column, key }: SealedPlace,
  { except, after, limit }: Asked,
): Promise<SealedRow[]> {
  const behind = after === undefined ? sql`` : sql`and ${sql.ref(key)} > ${after}`;
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(key)} as "key", ${sql.ref(column)} as sealed, ${keyIdIn(column)} as key_id
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${keyIdIn(column)} <> ${except} ${behind}
    order by ${sql.ref(key)} limit ${limit}`.execute(unscoped(db));
  return rows;
}

/** Puts a value in place of another, unless somebody else has done so; gives whether it did. */
export async function replaceSealed(
  db: Db,
  { table, column, key, found }: SealedPlace,
  { of, by, fingerprint }: { readonly of: SealedRow; readonly by: Sealed; readonly fingerprint: string },
): Promise<boolean> {
  const also = found === undefined ? sql`` : sql`, ${sql.ref(found.by)} = ${fingerprint}`;
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${by} ${also}
    where ${sql.ref(key)} = ${of.key} and ${sql.ref(column)} = ${of.sealed}`.execute(unscoped(db));
  return numAffectedRows === 1n;
}

export interface SealedCount {
  readonly key_id: string;
  readonly count: number;
}

/** How many values each key encrypted. */
export async function countSealed(db: Db, { table, column }: SealedPlace): Promise<SealedCount[]> {
  const { rows } = await sql<{ key_id: string; count: number | string }>`
    select ${keyIdIn(column)} as key_id, count(*) as count from ${sql.table(table)}
    where ${sql.ref(column)} is not null group by 1 order by 1`.execute(unscoped(db));
  return rows.map(({ key_id, count }) => ({ key_id, count: Number(count) }));
}
