import { NO_MIGRATIONS, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { migrate } from '../../store/migrations/migrate.ts';
import { findSteps } from '../../store/migrations/steps.ts';
import { openStore } from '../../store/open.ts';
import { once } from '../../tools/core/once.ts';
import { emptyDatabase, engine, type TestDatabase } from '../support/database/database.ts';
import { migrateTo } from '../support/database/steps.ts';
import { tablesOf } from '../support/database/tables.ts';
import { codeOf, sourceFiles } from '../support/house/source-files.ts';

/** The tables that the modules of the store say they ask, beside the list of the migrator itself. */
const TABLES = sourceFiles('store')
  .flatMap((path) => [...codeOf(path).matchAll(/\binterface Database \{([^}]*)\}/g)])
  .flatMap(([, fields = '']) => [...fields.matchAll(/^\s*(\w+):/gm)].map(([, name = '']) => name))
  .filter((name) => name !== 'kysely_migration')
  .sort();

describe('the migrations', () => {
  const opened: { store: Store; database: TestDatabase }[] = [];
  afterEach(async () => {
    const over = opened.splice(0);
    for (const { store } of over) await store.close();
    for (const database of new Set(over.map((one) => one.database))) await database.drop();
  });

  async function emptyStore(): Promise<Store> {
    const database = await emptyDatabase();
    const store = openStore(database.url, { connections: 2 });
    opened.push({ store, database });
    return store;
  }

  /** As an empty database comes to them, which is the same each time. */
  const tablesOfNew = once(async () => {
    const store = await emptyStore();
    await store.migrate();
    return tablesOf(store);
  });

  async function namesOf(store: Store): Promise<string[]> {
    return (await tablesOf(store)).map(({ name }) => name);
  }

  test('make every table of the service from an empty database', async () => {
    const store = await emptyStore();

    await store.migrate();

    expect(TABLES.length).toBeGreaterThanOrEqual(25);
    expect(TABLES).toContain('webhook_deliveries');
    expect(await namesOf(store)).toEqual(TABLES);
  });

  test('change nothing where they have run before', async () => {
    const store = await emptyStore();
    await store.migrate();
    const before = await tablesOf(store);
    await store.db.insertInto('users').values(user('ada@acme.example')).execute();

    await store.migrate();

    expect(await tablesOf(store)).toEqual(before);
    expect(await store.db.selectFrom('users').select('email').execute()).toEqual([
      { email: 'ada@acme.example' },
    ]);
  });

  test('are told by who ran them, of several who come at once', async () => {
    const database = await emptyDatabase();
    const stores = [1, 2].map(() => openStore(database.url, { connections: 2 }));
    for (const store of stores) opened.push({ store, database });

    const told = await Promise.all(stores.map((store) => store.migrate()));

    expect(told.flat()).toEqual([...findSteps().keys()]);
  });

  test('leave nothing behind when one fails in the middle, and run once the cause is gone', async () => {
    const store = await emptyStore();
    // The eighth step makes this table: the seven before it have made theirs by then.
    await sql`create table audit_logs (id integer primary key)`.execute(store.db);

    await expect(store.migrate()).rejects.toThrow(/audit_logs/);

    expect(await namesOf(store)).toEqual(['audit_logs']);
    await sql`drop table audit_logs`.execute(store.db);
    await store.migrate();
    expect(await namesOf(store)).toEqual(TABLES);
  });

  test('go back to nothing and forth again to the same tables', async () => {
    const store = await emptyStore();
    await store.migrate();
    const before = await tablesOf(store);

    await migrateTo(store, NO_MIGRATIONS);

    expect(await namesOf(store)).toEqual([]);
    await store.migrate();
    expect(await tablesOf(store)).toEqual(before);
  });

  test.each([
    [15, [12, 13, 14]],
    [47, [41, 42, 43, 44, 45]],
    [54, [48, 49]],
    [88, [73, 82, 83, 84, 85, 86]],
    [101, [89, 91, 93, 94, 95]],
    [140, [125, 126, 135]],
    [179, [177]],
    [192, [187, 188]],
    [197, [194]],
  ])(
    'make the same tables where step %i was the last, and %j came with later branches',
    async (last, late) => {
      const store = await emptyStore();
      const before = [...findSteps()].filter(([name]) => {
        const number = Number.parseInt(name, 10);
        return number <= last && !late.includes(number);
      });
      await migrate(store.db, store.engine, new Map(before));

      await store.migrate();

      expect(await tablesOf(store)).toEqual(await tablesOfNew());
    },
  );

  test('rename the embedded seller with all that is named after it, forth and back', async () => {
    const store = await emptyStore();
    await store.migrate();

    expect(await namedAfter(store, 'managed')).toEqual([]);
    const renamed = await namedAfter(store, 'embedded');
    expect(renamed).toContain('embedded_products');

    await migrateTo(store, '0009-processes');
    expect(await namedAfter(store, 'embedded')).toEqual([]);
    const before = renamed.map((name) => name.replace('embedded_', 'managed_'));
    expect(await namedAfter(store, 'managed')).toEqual(before);
  });

  test('keep to their own database: what was done in one is still to do in another', async () => {
    const [one, other] = [await emptyStore(), await emptyStore()];
    await one.migrate();
    expect(await namesOf(other)).toEqual([]);

    await other.migrate();
    await one.db.insertInto('users').values(user('only@one.example')).execute();

    expect(await namesOf(other)).toEqual(TABLES);
    expect(await other.db.selectFrom('users').select('email').execute()).toEqual([]);
  });
});

/** Tables, indexes, sequences and constraints of this database with a word in their names. */
async function namedAfter(store: Store, word: string): Promise<string[]> {
  const all = {
    sqlite: sql<{ name: string }>`select name from sqlite_master`,
    postgres: sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = current_schema()::regnamespace
      union select conname from pg_constraint where connamespace = current_schema()::regnamespace`,
  };
  const { rows } = await all[engine].execute(store.db);
  return rows
    .map(({ name }) => name)
    .filter((name) => name.includes(word))
    .sort();
}

describe('the tables that the migrations make', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await emptyDatabase();
    store = openStore(database.url, { connections: 2 });
    await store.migrate();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test('let no row of a tenant be without its organization', async () => {
    for (const { name, columns } of await tablesOf(store)) {
      const scope = columns.find((column) => column.startsWith('organization_id '));
      expect(scope ?? '', name).not.toContain('?');
    }
  });

  test('refuse a row of an organization that does not exist', async () => {
    const row = { organization_id: 999, holder: 'user:1', created_at: '2026-12-01T09:00:00.000Z' };

    await expect(store.db.insertInto('grants').values(row).execute()).rejects.toThrow(/foreign key/i);
  });
});

function user(email: string) {
  return {
    email,
    name: 'Ada',
    created_at: '2026-12-01T09:00:00.000Z',
    updated_at: '2026-12-01T09:00:00.000Z',
  };
}
