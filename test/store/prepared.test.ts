import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db, Store } from '../../store/engine/db.ts';
import { prepared } from '../../store/engine/prepared.ts';
import { openStore } from '../../store/open.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';

const at = '2026-12-01T09:00:00.000Z';
const built: string[] = [];

const byId = prepared((db, { id }: { id: string }) => {
  built.push('byId');
  return db.selectFrom('processes').select(['id', 'started_at', 'seen_at']).where('id', '=', id);
});
const insertion = prepared((db, row: { id: string; started_at: string; seen_at: string }) =>
  db.insertInto('processes').values(row).returningAll(),
);
const rename = prepared((db, { id, seen }: { id: string; seen: string }) =>
  db.updateTable('processes').set({ seen_at: seen }).where('id', '=', id),
);
const twice = prepared((db, { text }: { text: string }) =>
  db
    .selectFrom('processes')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', text), eb('seen_at', '=', text)]))
    .orderBy('id'),
);

const row = (id: string, seen_at = at) => ({ id, started_at: at, seen_at });

describe('a prepared query', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { connections: 2 });
    await store.migrate();
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test('is built once and answers each time for the arguments of that time', async () => {
    for (const id of ['one', 'two', 'three']) await insertion.one(store.db, row(id));
    built.length = 0;

    const found = await Promise.all(
      ['one', 'two', 'three', 'none'].map((id) => byId.first(store.db, { id })),
    );

    expect(found.map((one) => one?.id)).toEqual(['one', 'two', 'three', undefined]);
    expect(built.length).toBeLessThanOrEqual(1);
  });

  test('puts an argument wherever it stands', async () => {
    await insertion.one(store.db, row('named', 'elsewhere'));
    await insertion.one(store.db, row('elsewhere'));

    expect(await twice.all(store.db, { text: 'elsewhere' })).toEqual([{ id: 'elsewhere' }, { id: 'named' }]);
  });

  test('takes its arguments in any order', async () => {
    await insertion.one(store.db, { seen_at: 'late', started_at: 'early', id: 'turned' });

    expect(await byId.first(store.db, { id: 'turned' })).toEqual({
      id: 'turned',
      started_at: 'early',
      seen_at: 'late',
    });
  });

  test('keeps arguments that look like SQL as they are', async () => {
    const id = `'; drop table processes; --`;
    await insertion.one(store.db, row(id));

    expect(await byId.first(store.db, { id })).toEqual(row(id));
  });

  test('inside a transaction sees its writes, and outside of it nobody does before the commit', async () => {
    await store
      .transaction(async (tx) => {
        await insertion.one(tx, row('inside'));
        expect(await byId.first(tx, { id: 'inside' })).toEqual(row('inside'));
        const outside: Promise<unknown> = byId.first(store.db, { id: 'inside' });
        await rename.all(tx, { id: 'inside', seen: 'again' });
        expect(await byId.first(tx, { id: 'inside' })).toEqual(row('inside', 'again'));
        return { outside };
      })
      .then(async ({ outside }) => {
        // Answered before the commit it is absent, after it the last state: never the one in between.
        expect([undefined, 'again']).toContain(seenAt(await outside));
      });

    expect(await byId.first(store.db, { id: 'inside' })).toEqual(row('inside', 'again'));
  });

  test('inside a transaction that is rolled back leaves nothing', async () => {
    await insertion.one(store.db, row('steady'));
    const rolledBack = store.transaction(async (tx) => {
      await insertion.one(tx, row('gone'));
      await rename.all(tx, { id: 'steady', seen: 'shaken' });
      throw new Error('Taken back.');
    });

    await expect(rolledBack).rejects.toThrow('Taken back.');
    expect(await byId.first(store.db, { id: 'gone' })).toBeUndefined();
    expect(await byId.first(store.db, { id: 'steady' })).toEqual(row('steady'));
  });

  test('tells the one who waits for a row that none came', async () => {
    const none = prepared((db, { id }: { id: string }) =>
      db.updateTable('processes').set({ seen_at: at }).where('id', '=', id).returningAll(),
    );

    await expect(none.one(store.db, { id: 'nobody' })).rejects.toThrow('The write gave no row back.');
  });

  test('fails with the database, and works again afterwards', async () => {
    await insertion.one(store.db, row('taken'));

    await expect(insertion.one(store.db, row('taken'))).rejects.toThrow();
    expect(await byId.first(store.db, { id: 'taken' })).toEqual(row('taken'));
  });

  test('belongs to its database: another store is asked anew', async () => {
    const elsewhere = await freshDatabase();
    const other = openStore(elsewhere.url, { connections: 1 });
    await other.migrate();
    await insertion.one(store.db, row('here'));

    expect(await byId.first(other.db, { id: 'here' })).toBeUndefined();
    expect(await byId.first(store.db, { id: 'here' })).toEqual(row('here'));
    await other.close();
    await elsewhere.drop();
  });

  test('may have as many forms as there are names of arguments', async () => {
    const grown = prepared((db: Db, filter: Readonly<Record<string, string>>) =>
      Object.entries(filter).reduce(
        (query, [column, value]) => query.where(column === 'id' ? 'id' : 'seen_at', '=', value),
        db.selectFrom('processes').select('id').orderBy('id'),
      ),
    );
    await insertion.one(store.db, row('form-1', 'form'));
    await insertion.one(store.db, row('form-2', 'form'));

    expect(await grown.all(store.db, { seen_at: 'form' })).toEqual([{ id: 'form-1' }, { id: 'form-2' }]);
    expect(await grown.all(store.db, { seen_at: 'form', id: 'form-2' })).toEqual([{ id: 'form-2' }]);
    expect(await grown.all(store.db, { seen_at: 'other' })).toEqual([]);
  });
});

function seenAt(found: unknown): unknown {
  return typeof found === 'object' && found !== null && 'seen_at' in found ? found.seen_at : undefined;
}
