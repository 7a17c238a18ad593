import type { ColumnDefinitionBuilder, Kysely, QueryExecutorProvider } from 'kysely';

/**
 * What differs between the databases when a table is made. Migrations receive it as an argument, so that they
 * name no database and stay as they were on the day of their release.
 */
export interface Kit {
  /** The column type of whole numbers: 64 bits on every database. */
  readonly integer: 'integer' | 'bigint';
  /** Marks a column as a key whose value the database makes. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** What every table of this database ends with. */
  readonly suffix: 'strict' | undefined;
  /** Renames a table, and what the database named after it. */
  renameTable(db: Kysely<unknown>, names: { from: string; to: string }): Promise<void>;
  /**
   * Has the database tell every process when rows of a table come, go or change, in these columns or in any.
   * Where processes can see for themselves that something was committed there is nothing to do.
   */
  announce(db: Kysely<unknown>, changes: { table: string; columns?: readonly string[] }): Promise<void>;
  announceNoMore(db: Kysely<unknown>, table: string): Promise<void>;
  /**
   * Keeps an index of the column `name`, by which rows are found whose name holds a text (`nameHolds`). Where the
   * database has no such index and nobody may add one, there is none, and names are looked through.
   */
  indexNames(db: Kysely<unknown>, table: string): Promise<void>;
  indexNamesNoMore(db: Kysely<unknown>, table: string): Promise<void>;
  /**
   * Makes an index anew with other columns at its end, from which rows are counted without being read. Where a count
   * has to look at the rows all the same, the index stays as it is.
   */
  indexAnew(db: Kysely<unknown>, index: { name: string; table: string; columns: string[] }): Promise<void>;
  /** Has what indexes of names are made with stand apart: an installation that goes takes no other's indexes along. */
  shareIndexesOfNames(db: Kysely<unknown>): Promise<void>;
  /** Whether there is an index of names. */
  hasIndexOfNames(db: QueryExecutorProvider, table: string): Promise<boolean>;
}
