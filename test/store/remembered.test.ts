import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db, Store } from '../../store/engine/db.ts';
import { prepared } from '../../store/engine/prepared.ts';
import { remembered } from '../../store/engine/remembered.ts';
import { openStore } from '../../store/open.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';

const at = '2026-12-01T09:00:00.000Z';
const byId = prepared((db, { id }: { id: string }) =>
  db.selectFrom('processes').select(['id', 'started_at', 'seen_at']).where('id', '=', id),
);

describe('a remembered search', () => {
  let database: TestDatabase;
  let store: Store;
  let beside: Store;
  beforeAll(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { connections: 2 });
    // Another process, as far as the database can tell.
    beside = openStore(database.url, { connections: 1 });
    await store.migrate();
  });
  afterAll(async () => {
    await store.close();
    await beside.close();
    await database.drop();
  });

  const insert = (db: Db, id: string) =>
    db.insertInto('processes').values({ id, started_at: at, seen_at: at }).execute();
  const touch = (db: Db, id: string, seen: string) =>
    db.updateTable('processes').set({ seen_at: seen }).where('id', '=', id).execute();

  /** A search that counts how often it was really made. */
  const newSearch = () => {
    const made: string[] = [];
    const find = remembered((db, id) => {
      made.push(id);
      return byId.first(db, { id });
    });
    return { made, find };
  };

  test('is made once for as long as nothing is committed, where the database tells its state', async () => {
    const { made, find } = newSearch();
    await insert(store.db, 'known');

    const first = await find(store.db, 'known');
    const second = await find(store.db, 'known');

    expect(first).toEqual({ id: 'known', started_at: at, seen_at: at });
    expect(second).toEqual(first);
    expect(made).toHaveLength(engine === 'sqlite' ? 1 : 2);
  });

  test('sees at once what this process committed', async () => {
    const { find } = newSearch();
    await insert(store.db, 'own');

    for (const seen of ['once', 'twice', 'three times']) {
      await touch(store.db, 'own', seen);
      expect(await find(store.db, 'own')).toMatchObject({ seen_at: seen });
    }
    await store.db.deleteFrom('processes').where('id', '=', 'own').execute();
    expect(await find(store.db, 'own')).toBeUndefined();
  });

  test('sees from its next turn on what another process committed', async () => {
    const { find } = newSearch();
    await insert(store.db, 'foreign');

    for (const seen of ['once', 'twice', 'three times']) {
      await touch(beside.db, 'foreign', seen);
      await nextTurn();
      expect(await find(store.db, 'foreign')).toMatchObject({ seen_at: seen });
    }
    await beside.db.deleteFrom('processes').where('id', '=', 'foreign').execute();
    await nextTurn();
    expect(await find(store.db, 'foreign')).toBeUndefined();
  });

  test('sees a commit that comes between two searches of one turn', async () => {
    const { find } = newSearch();
    await insert(store.db, 'busy');

    const before = find(store.db, 'busy');
    const written = touch(store.db, 'busy', 'later');
    await before;
    await written;

    expect(await find(store.db, 'busy')).toMatchObject({ seen_at: 'later' });
  });

  test('files nothing that is older than the state in which it is asked for', async () => {
    const held: { release?: () => void } = {};
    const gate = new Promise<void>((resolve) => {
      held.release = resolve;
    });
    const slow = remembered(async (db, id) => {
      const record = await byId.first(db, { id });
      if (id === 'slow') await gate;
      return record;
    });
    await insert(store.db, 'slow');
    await insert(store.db, 'quick');

    const early = slow(store.db, 'slow');
    await touch(store.db, 'slow', 'later');
    await slow(store.db, 'quick');
    held.release?.();
    await early;

    expect(await slow(store.db, 'slow')).toMatchObject({ seen_at: 'later' });
  });

  test('looks again for what was not there', async () => {
    const { made, find } = newSearch();

    expect(await find(store.db, 'nobody')).toBeUndefined();
    expect(await find(store.db, 'nobody')).toBeUndefined();

    expect(made).toEqual(['nobody', 'nobody']);
  });

  test('is not made where it is not worthwhile, and what is known is given all the same', async () => {
    const { made, find } = newSearch();
    await insert(store.db, 'worthwhile');
    const never = () => false;

    expect(await find(store.db, 'worthwhile', never)).toBeUndefined();
    await find(store.db, 'worthwhile');
    const known = await find(store.db, 'worthwhile', never);

    expect(made).toEqual(['worthwhile']);
    expect(known?.id).toBe(engine === 'sqlite' ? 'worthwhile' : undefined);
  });

  test('inside a transaction sees its writes, and takes none of them outside', async () => {
    const { find } = newSearch();
    await insert(store.db, 'inside');
    const rolledBack = store.transaction(async (tx) => {
      await touch(tx, 'inside', 'for now');
      expect(await find(tx, 'inside')).toMatchObject({ seen_at: 'for now' });
      throw new Error('Taken back.');
    });

    await expect(rolledBack).rejects.toThrow('Taken back.');
    expect(await find(store.db, 'inside')).toMatchObject({ seen_at: at });
  });

  test('remembers a thousand records at the most', async () => {
    const { made, find } = newSearch();
    const ids = Array.from({ length: 1_001 }, (_, index) => `crowd ${index}`);
    await store.transaction(async (tx) => {
      for (const id of ids) await insert(tx, id);
    });

    for (const id of ids) await find(store.db, id);
    expect(made).toHaveLength(1_001);
    for (const id of ids) expect(await find(store.db, id)).toMatchObject({ id });

    expect(made.length).toBeGreaterThan(1_001);
  });
});
