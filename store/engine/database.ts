/**
 * Every table of the database, by name. Each module of the store adds its own tables to it, beside the queries
 * on them; the engine knows one alone: the migrator's list of the steps that have run.
 */
export interface Database {
  kysely_migration: { name: string; timestamp: string };
}
