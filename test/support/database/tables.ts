import { sql } from 'kysely';
import type { Store } from '../../../store/engine/db.ts';
import { engine } from './database.ts';

export interface TableShape {
  readonly name: string;
  /** Each with its type, and `?` when it may be null. */
  readonly columns: readonly string[];
}

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly is_nullable: string;
}

const ASK = {
  sqlite: sql<ColumnRow>`
    select m.name as table_name, c.name as column_name, c.type,
      case when c."notnull" = 1 or c.pk > 0 then 'NO' else 'YES' end as is_nullable
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite_%' and m.name not like '%\\_names%' escape '\\'`,
  postgres: sql<ColumnRow>`
    select table_name, column_name, data_type as type, is_nullable
    from information_schema.columns where table_schema = current_schema()`,
};

/** The tables of a database as the database tells of them, without those of the migrator and of its indexes. */
export async function tablesOf({ db }: Store): Promise<TableShape[]> {
  const { rows } = await ASK[engine].execute(db);
  const names = [...new Set(rows.map(({ table_name }) => table_name))].sort();
  return names
    .filter((name) => !name.startsWith('kysely_'))
    .map((name) => ({
      name,
      columns: rows
        .filter(({ table_name }) => table_name === name)
        .map(
          ({ column_name, type, is_nullable }) => `${column_name} ${type}${is_nullable === 'YES' ? '?' : ''}`,
        )
        .sort(),
    }));
}
