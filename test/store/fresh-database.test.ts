import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { tablesOf } from '../support/database/tables.ts';

/** What the other tests stand on. */
describe('a database of a test', () => {
  const opened: { store: Store; database: TestDatabase }[] = [];
  afterEach(async () => {
    for (const { store, database } of opened.splice(0)) {
      await store.close();
      await database.drop();
    }
  });

  async function open(make: () => Promise<TestDatabase>) {
    const database = await make();
    const store = openStore(database.url, { connections: 1 });
    opened.push({ store, database });
    return { store, database };
  }

  test('that is a copy has the tables that the migrations make', async () => {
    const { store: copy } = await open(freshDatabase);
    const { store: migrated } = await open(emptyDatabase);
    expect(await tablesOf(migrated)).toEqual([]);

    await migrated.migrate();

    expect(await tablesOf(copy)).toEqual(await tablesOf(migrated));
  });

  test('shares no row with another copy', async () => {
    const [{ store: one }, { store: other }] = [await open(freshDatabase), await open(freshDatabase)];
    const at = '2026-12-01T09:00:00.000Z';

    await one.db
      .insertInto('users')
      .values({ email: 'ada@acme.example', name: 'Ada', created_at: at, updated_at: at })
      .execute();

    expect(await other.db.selectFrom('users').selectAll().execute()).toEqual([]);
  });

  test('leaves nothing behind when it is dropped', async () => {
    const database = await freshDatabase();
    const files = readdirSync(database.folder);

    await database.drop();

    expect(files).toEqual(engine === 'sqlite' ? ['test.db'] : []);
    expect(existsSync(database.folder)).toBe(false);
  });
});
