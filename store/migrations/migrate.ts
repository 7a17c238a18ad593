import { type Kysely, type MigrationProvider, Migrator } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Engine } from '../engine/dialect.ts';
import type { Kit } from '../engine/kit.ts';
import { refuseUnknown } from './shape.ts';
import { findSteps, migrationOf, type Steps } from './steps.ts';

/** Brings the tables to the newest shape, all or nothing, one process at a time. Gives the steps that it ran. */
export async function migrate(
  db: Kysely<Database>,
  engine: Engine,
  steps: Steps = findSteps(),
): Promise<readonly string[]> {
  // Without a schema the migrator would take the tables of another one in the same database for its own.
  const schema = await engine.schema(db);
  const run = await stepsRun(schema === undefined ? db : db.withSchema(schema));
  const known = [...steps.keys()];
  if (JSON.stringify(run) === JSON.stringify(known)) return [];
  // The migrator calls steps of a newer version corrupted, and names none of a way out.
  refuseUnknown({ unknown: run.filter((name) => !known.includes(name)) });
  const migrator = new Migrator({
    db,
    provider: migrationsFor(engine.kit, steps),
    // Branches choose their numbers before they meet: the later to come may bring the earlier step.
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** The migrator looks at a lot before it finds that there is nothing to do, and a service starts often. */
async function stepsRun(db: Kysely<Database>): Promise<readonly string[]> {
  try {
    const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute();
    return rows.map(({ name }) => name);
  } catch {
    // Without the table nothing has run. Whatever else stood in the way, the migrator meets it too and says so.
    return [];
  }
}

export function migrationsFor(kit: Kit, steps: Steps = findSteps()): MigrationProvider {
  return {
    getMigrations: async () =>
      Object.fromEntries([...steps].map(([name, file]) => [name, migrationOf(file, kit)])),
  };
}
