import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { currentRun, postgresTemplate } from '../run/test-run.ts';
import { databaseAt, inPostgres } from './postgres-setup.ts';

/**
 * Databases of PostgreSQL, handed from test to test of a worker. To make one the server writes seven hundred files;
 * to empty one that was used it deletes a few rows. What cannot be told from a new one goes round, the rest is
 * dropped.
 */

const ENDED_WITHIN_MS = 5_000;
/** What a database may have grown by: deleted rows stay in its files. */
const GROWN_MAX_BYTES = 4_000_000;

interface Looks {
  readonly shape: string;
  readonly bytes: number;
}

interface Unused extends Looks {
  /** What the migrations put into tables, which is to stay there: a digest of the rows by the table. */
  readonly begun: Readonly<Record<string, string>>;
}

const waiting: string[] = [];
/** How a database looks that nobody used yet: all of a run are copies of one. */
let unused: Promise<Unused> | undefined;

/** One with all tables, and no rows but those of the migrations. */
export async function takeDatabase(server: string): Promise<string> {
  for (let used = waiting.pop(); used !== undefined; used = waiting.pop()) {
    if (await isAsNew(databaseAt(server, used))) return used;
    const gone = used;
    await inPostgres(server, (client) => client.query(`drop database ${gone} with (force)`));
  }
  return newDatabase(server);
}

/** One that nobody used. */
export async function newDatabase(server: string): Promise<string> {
  const name = `${currentRun()}_${randomBytes(8).toString('hex')}`;
  await inPostgres(server, (client) =>
    client.query(`create database ${name} template ${postgresTemplate()} strategy wal_log`),
  );
  unused ??= inPostgres(databaseAt(server, name), unusedOf);
  await unused;
  return name;
}

/** It is emptied when somebody wants it, and nobody who wrote late is in time. */
export function giveBackDatabase(name: string): void {
  waiting.push(name);
}

async function isAsNew(url: string): Promise<boolean> {
  const before = await unused;
  if (before === undefined) return false;
  return inPostgres(url, (client) => emptied(client, before)).catch(() => false);
}

/** Takes everything out that a test put in; false where something else than rows was changed. */
async function emptied(client: pg.Client, before: Unused): Promise<boolean> {
  const { rows } = await client.query(
    `select bool_and(pg_terminate_backend(pid, ${ENDED_WITHIN_MS})) as ended
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  if (rows[0]?.ended === false) return false;
  const { shape, bytes } = await looksOf(client);
  if (shape !== before.shape || bytes > before.bytes + GROWN_MAX_BYTES) return false;
  const begun = await rowsOf(client, Object.keys(before.begun));
  if (JSON.stringify(begun) !== JSON.stringify(before.begun)) return false;
  await client.query(emptying(Object.keys(begun)));
  return true;
}

/** Everything but rows: names and kinds, columns, checks, triggers, functions, steps that ran, settings. */
const SHAPE = `
  select pg_database_size(current_database()) as bytes, md5(concat_ws(' ',
    (select string_agg(concat_ws(',', oid, relname, relkind, relpersistence, reloptions), ';' order by oid)
     from pg_class where relnamespace = 'public'::regnamespace),
    (select string_agg(concat_ws(',', attrelid, attnum, attname, atttypid, atttypmod, attnotnull), ';' order by attrelid, attnum)
     from pg_attribute where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)),
    (select string_agg(concat_ws(',', oid, conname, convalidated), ';' order by oid)
     from pg_constraint where connamespace = 'public'::regnamespace),
    (select string_agg(concat_ws(',', oid, tgname, tgenabled), ';' order by oid) from pg_trigger),
    (select string_agg(concat_ws(',', oid, proname, prosrc), ';' order by oid)
     from pg_proc where pronamespace = 'public'::regnamespace),
    (select string_agg(concat_ws(',', oid, nspname), ';' order by oid) from pg_namespace where oid >= 16384),
    (select string_agg(name, ',' order by name) from public.kysely_migration),
    (select string_agg(setconfig::text, ',') from pg_db_role_setting
     where setdatabase = (select oid from pg_database where datname = current_database()))
  )) as shape`;

async function looksOf(client: pg.Client): Promise<Looks> {
  const { rows } = await client.query(SHAPE);
  return { shape: rows[0].shape, bytes: Number(rows[0].bytes) };
}

async function unusedOf(client: pg.Client): Promise<Unused> {
  const { rows } = await client.query(`select ${NAME} from pg_class where ${IS_TABLE}`);
  const begun = await rowsOf(client, rows.map(({ name }) => name).sort());
  return { ...(await looksOf(client)), begun };
}

/** Digests of what stands in tables, those without rows left out. */
async function rowsOf(client: pg.Client, tables: readonly string[]): Promise<Record<string, string>> {
  if (tables.length === 0) return {};
  const digests = tables.map(
    (name) =>
      `select '${name}' as name, md5(string_agg(one::text, ';' order by one::text)) as rows from ${name} one`,
  );
  const { rows } = await client.query(digests.join(' union all '));
  return Object.fromEntries(rows.filter((one) => one.rows !== null).map((one) => [one.name, one.rows]));
}

const NAME = 'oid::regclass::text as name';
const IS_TABLE = `relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_migration%'`;

/**
 * Takes the rows out of all other tables, of which most never had one: their files are empty, and a statement for each
 * cost more than all that is deleted. No trigger fires, and rows may go in any order; ids begin anew.
 */
function emptying(kept: readonly string[]): string {
  const names = kept.map((name) => `'${name}'`).join(', ');
  return `
    set session_replication_role = replica;
    do $$
    declare one record;
    begin
      for one in select ${NAME} from pg_class where ${IS_TABLE} and pg_relation_size(oid) > 0
        and oid::regclass::text <> all (array[${names}]::text[]) loop
        execute format('delete from %s', one.name);
      end loop;
      for one in select seqrelid::regclass as name, seqstart from pg_sequence loop
        perform setval(one.name, one.seqstart, false);
      end loop;
    end $$`;
}
