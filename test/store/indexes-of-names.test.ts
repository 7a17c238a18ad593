import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { newPerson } from '../support/callers/people.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { done, openStorefront } from '../support/sellers/market.ts';
import { startTestServer } from '../support/server/server.ts';

/** The extension is the database's: of each of these tests it has its own. */
describe.runIf(engine === 'postgres')('the indexes of names', () => {
  let database: TestDatabase;
  let all: Store;
  const stores: Store[] = [];
  beforeEach(async () => {
    database = await freshDatabase();
    all = openStore(database.url, { connections: 1 });
    await run('drop extension pg_trgm cascade');
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await all.close();
    await database.drop();
  });

  const run = (statement: string) => sql.raw(statement).execute(all.db.withoutPlugins());
  const hasIndex = ({ engine: { kit }, db }: Store) => kit.hasIndexOfNames(db.withoutPlugins(), 'campaigns');

  /** A service whose tables stand in a schema of their own. */
  async function installation(schema: string): Promise<Store> {
    await run(`create schema ${schema}`);
    const url = new URL(database.url);
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} -c search_path=${schema}`);
    const store = openStore(url.href, { connections: 2 });
    stores.push(store);
    return store;
  }

  async function homeOfExtension(): Promise<unknown> {
    const { rows } = await sql<{ home: string }>`
      select extnamespace::regnamespace::text as home from pg_extension where extname = 'pg_trgm'`.execute(
      all.db.withoutPlugins(),
    );
    return rows[0]?.home;
  }

  test('of one installation stay when another in the same database is dropped', async () => {
    const first = await installation('first');
    const second = await installation('second');
    await first.migrate();
    await second.migrate();
    expect([await hasIndex(first), await hasIndex(second)]).toEqual([true, true]);

    await run('drop schema first cascade');

    expect(await hasIndex(second)).toBe(true);
  });

  test('are made by two installations that come at once', async () => {
    const both = [await installation('first'), await installation('second')];

    await Promise.all(both.map((store) => store.migrate()));

    expect(await Promise.all(both.map(hasIndex))).toEqual([true, true]);
  });

  test('are freed where the extension stands in the schema of an installation, whosever it is', async () => {
    const first = await installation('first');
    const second = await installation('second');
    await first.migrate();
    await run('alter extension pg_trgm set schema first');
    await second.migrate();

    await run('drop schema first cascade');

    expect(await homeOfExtension()).toBe('public');
    expect(await hasIndex(second)).toBe(true);
  });

  test('are made with the extension where an operator put it', async () => {
    await run('create schema extensions');
    await run('create extension pg_trgm schema extensions');
    const store = await installation('alone');

    await store.migrate();

    expect(await homeOfExtension()).toBe('extensions');
    expect(await hasIndex(store)).toBe(true);
  });

  test('are left out where the database may not have the extension: names are looked through, and the log says so', async () => {
    expect(await hasIndex(all)).toBe(false);
    const server = await startTestServer({ database });
    try {
      expect(server.log.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', message: expect.stringContaining('pg_trgm') }),
      );
      const buyer = await newPerson(server);
      await openStorefront(await newPerson(server), { name: 'The corner' });
      const found = done(await buyer.get('/buyer/storefronts?name=CORN'));

      expect(Object.values(found)[0]).toEqual([expect.objectContaining({ name: 'The corner' })]);
    } finally {
      await server.stop();
    }
  });
});
