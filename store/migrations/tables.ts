import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Kit, Step, Table } from '../engine/migration-kit.ts';

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
