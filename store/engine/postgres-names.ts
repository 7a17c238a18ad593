import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/**
 * An index of names on PostgreSQL: trigrams, by the extension pg_trgm. It is one that the owner of a database may
 * add; where it cannot be, names are looked through without.
 */

const indexOf = (table: string) => `${table}_by_name`;

export async function indexNames(db: Kysely<unknown>, table: string): Promise<void> {
  // Of two installations in one database the first makes the extension, for both: in the schema of neither, because
  // who drops that schema would drop the indexes of the other. It may stand in any schema, also in one that is not
  // looked through.
  await sql`do ${sql.lit(`
    declare home text;
    begin
      begin
        if to_regnamespace('public') is null then
          create extension if not exists pg_trgm;
        else
          create extension if not exists pg_trgm schema public;
        end if;
      exception when unique_violation or duplicate_object then
        raise notice 'Somebody else made it at this moment.';
      end;
      select quote_ident(nspname) into home
        from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      execute format('create index ${indexOf(table)} on ${table} using gin (lower(name) %s.gin_trgm_ops)', home);
    exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
      raise notice 'Names of ${table} have no index: %', sqlerrm;
    end`)}`.execute(db);
}

/** Takes the extension out of the schema of an installation. Where an operator put it on purpose, it stays. */
export async function shareIndexesOfNames(db: Kysely<unknown>): Promise<void> {
  await sql`do ${sql.lit(`
    declare home text;
    begin
      select nspname into home
        from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
      if home <> 'public' and to_regnamespace('public') is not null
        and to_regclass(quote_ident(home) || '.kysely_migration') is not null
      then
        alter extension pg_trgm set schema public;
      end if;
    exception when insufficient_privilege or duplicate_function or duplicate_object then
      raise notice 'pg_trgm stays where it is: %', sqlerrm;
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
