import { Migrator, type NoMigrations } from 'kysely';
import type { Store } from '../../../store/engine/db.ts';
import { migrationsFor } from '../../../store/migrations/migrate.ts';

/** Brings a database forth or back to how it was after a step, or to nothing. */
export async function migrateTo(store: Store, step: string | NoMigrations): Promise<void> {
  const schema = await store.engine.schema(store.db);
  const migrator = new Migrator({
    db: store.db,
    provider: migrationsFor(store.engine.kit),
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
  const { error } = await migrator.migrateTo(step);
  if (error !== undefined) throw error;
}
