import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Kit } from '../engine/kit.ts';
import type { Step } from './steps.ts';

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

/** The step that makes these tables, in this order, and takes them back in the other. */
export function tables(...list: readonly Table[]): Step {
  return {
    async up(db, kit) {
      for (const table of list) await create(db, kit, table);
    },
    async down(db) {
      for (const table of [...list].reverse()) await db.schema.dropTable(table.name).execute();
    },
  };
}

async function create(db: Kysely<unknown>, kit: Kit, table: Table): Promise<void> {
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(table.name);
  for (const [name, column] of Object.entries(table.columns)) {
    builder = builder.addColumn(name, column.type === 'text' ? 'text' : kit.integer, (definition) => {
      if (column.type === 'identity') return kit.identity(definition);
      const referring = column.refers === undefined ? definition : definition.references(column.refers);
      return column.optional ? referring : required(referring);
    });
  }
  if (table.primaryKey) builder = builder.addPrimaryKeyConstraint(`${table.name}_key`, [...table.primaryKey]);
  for (const [name, columns] of Object.entries(table.unique ?? {})) {
    builder = builder.addUniqueConstraint(name, [...columns]);
  }
  if (kit.suffix !== undefined) builder = builder.modifyEnd(sql.raw(kit.suffix));
  await builder.execute();
  for (const [name, columns] of Object.entries(table.indexes ?? {})) {
    await db.schema
      .createIndex(name)
      .on(table.name)
      .columns([...columns])
      .execute();
  }
}

function required(definition: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return definition.notNull();
}
