import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAdvertisers } from '../../store/advertisers.ts';
import type { Store, StoreOptions } from '../../store/engine/db.ts';
import { isUnavailable } from '../../store/engine/dialect.ts';
import type { Scope } from '../../store/engine/scope.ts';
import { openStore } from '../../store/open.ts';
import { manyMoreLike } from '../support/buying/many-advertisers.ts';
import { insertNamed, newAccount } from '../support/callers/store-accounts.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';

/** Rows that are looked through for each page and each count of the long list. */
const MANY = 20_000;

describe('lists that organizations ask for at once', () => {
  let database: TestDatabase;
  let store: Store;
  let large: Scope;
  let small: Scope;
  /** Who was answered, in order. */
  let answered: Scope[];
  let refused: { readonly by: Scope; readonly error: unknown }[];
  beforeEach(async () => {
    database = await freshDatabase();
    answered = [];
    refused = [];
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  async function start(longReads?: StoreOptions['longReads']): Promise<void> {
    const options = { connections: 4, waitMs: 60_000, asideBytes: 0, plugins: [new ScopeGuard()] };
    store = openStore(database.url, longReads === undefined ? options : { ...options, longReads });
    await store.migrate();
    large = await newAccount(store, 'Large');
    small = await newAccount(store, 'Small');
    await manyMoreLike(store, await insertNamed(store, large, 'Many'), MANY);
  }

  /** A list that nothing is in, after all rows of the account were looked at. */
  const list = (by: Scope) =>
    listAdvertisers(store.db, by, { filter: { sandbox: 1 }, page: { take: 10, skip: 0 } }).then(
      () => void answered.push(by),
      (error: unknown) => void refused.push({ by, error }),
    );
  const times = (count: number, by: Scope) => Array.from({ length: count }, () => list(by));
  const answersTo = (by: Scope) => answered.filter((one) => one === by).length;

  test('are read in turns: one that comes later waits for no more than is under way', async () => {
    await start();
    // As many connections as there are places: opening one takes as long as some answers.
    await Promise.all([...times(2, large), ...times(2, small)]);
    answered = [];
    const before = times(60, large);
    await Promise.race(before);
    const already = answersTo(large);

    await list(small);

    expect(answersTo(small)).toBe(1);
    expect(answersTo(large) - already).toBeLessThan(10);
    await Promise.all(before);
    expect(answersTo(large)).toBe(60);
  });

  test('are refused to the one that has too many waiting, for a while, and to no other', async () => {
    await start({ waiting: 1_000, waitingOfOne: 20 });

    const all = [...times(60, large), ...times(5, small)];
    await Promise.all(all);

    expect(answersTo(small)).toBe(5);
    expect(answersTo(large)).toBeGreaterThanOrEqual(5);
    expect(refused.length).toBeGreaterThanOrEqual(40);
    expect(refused.every(({ by, error }) => by === large && isUnavailable(error))).toBe(true);
  });

  test('are refused to whoever has most waiting, where too many wait in all', async () => {
    await start({ waiting: 20, waitingOfOne: 20 });

    const all = [...times(20, large), ...times(2, small)];
    await Promise.all(all);

    expect(answersTo(small)).toBe(2);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(refused.every(({ by }) => by === large)).toBe(true);
  });

  test('end with the store, those too that wait for their turn', async () => {
    await start();
    const all = times(20, large);
    await Promise.race(all);

    await store.close();
    await Promise.all(all);

    expect(answered.length + refused.length).toBe(20);
  });
});
