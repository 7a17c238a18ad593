import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/**
 * An index of names on PostgreSQL: trigrams, by the extension pg_trgm. It is one that the owner of a database may
 * add; where it cannot be, names are looked through without.
 */

const indexOf = (table: string) => `${table}_by_name`;

export async function indexNames(db: Kysely<unknown>, table: string): Promise<void> {
  // The extension may stand in any schema, in one that is not looked through as well.
  await sql`do ${sql.lit(`
    declare home text;
    begin
      create extension if not exists pg_trgm;
      select quote_ident(nspname) into home
        from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      execute format('create index ${indexOf(table)} on ${table} using gin (lower(name) %s.gin_trgm_ops)', home);
    exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
      raise notice 'Names of ${table} have no index: %', sqlerrm;
    end`)}`.execute(db);
}

export async function indexNamesNoMore(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`drop index if exists ${sql.table(indexOf(table))}`.execute(db);
}

export async function hasIndexOfNames(db: QueryExecutorProvider, table: string): Promise<boolean> {
  const found = await sql`
    select 1 from pg_indexes where schemaname = current_schema() and indexname = ${indexOf(table)}`.execute(
    db,
  );
  return found.rows.length > 0;
}
