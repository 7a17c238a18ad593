import type { ColumnDefinitionBuilder, Kysely } from 'kysely';

/**
 * What differs between the databases when a table is made. Migrations receive it as an argument, so that
 * they import nothing of the application and stay as they were on the day of their release.
 */
export interface Kit {
  /** The column type of whole numbers: 64 bits on every database. */
  readonly integer: 'integer' | 'bigint';
  /** Marks a column as a key whose value the database makes. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** What every table of this database ends with. */
  readonly suffix: 'strict' | undefined;
}

/** One numbered step from one shape of the database to the next. */
export interface Step {
  up(db: Kysely<unknown>, kit: Kit): Promise<void>;
  down(db: Kysely<unknown>, kit: Kit): Promise<void>;
}

interface Column {
  readonly type: 'text' | 'integer' | 'identity';
  readonly optional?: true;
  readonly refers?: string;
}

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly primaryKey?: readonly string[];
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

export const identity: Column = { type: 'identity' };
export const text: Column = { type: 'text' };
export const integer: Column = { type: 'integer' };

export function optional(column: Column): Column {
  return { ...column, optional: true };
}

/** A column that names a row of another table: `refers(integer, 'users.id')`. */
export function refers(column: Column, target: string): Column {
  return { ...column, refers: target };
}
