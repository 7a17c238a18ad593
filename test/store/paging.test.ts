import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAdvertisers } from '../../store/advertisers.ts';
import type { Store } from '../../store/engine/db.ts';
import { makeScope, type Scope } from '../../store/engine/scope.ts';
import { openStore } from '../../store/open.ts';
import { manyMoreLike } from '../support/buying/many-advertisers.ts';
import { insertNamed, newAccount } from '../support/callers/store-accounts.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';

const NAMES = ['Alpha', 'Beta 100%', 'Beta 1000', 'under_score', 'underXscore', 'back\\slash', 'Gamma'];

/** From which size on the file is read in a thread of its own; PostgreSQL has none. */
const WAYS: readonly (readonly [string, number])[] =
  engine === 'sqlite'
    ? [
        ['read in place', Number.MAX_SAFE_INTEGER],
        ['read beside the event loop', 0],
      ]
    : [['read from the server', 0]];

describe.each(WAYS)('a paged list, %s,', (_, asideBytes) => {
  let database: TestDatabase;
  let store: Store;
  let scope: Scope;
  beforeAll(async () => {
    database = await freshDatabase();
    store = openStore(database.url, { connections: 2, asideBytes, plugins: [new ScopeGuard()] });
    await store.migrate();
    scope = await newAccount(store, 'Ours');
    const theirs = await newAccount(store, 'Theirs');
    for (const name of NAMES) await insertNamed(store, scope, name);
    await insertNamed(store, theirs, 'Alpha of others');
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  async function list(page: { take: number; skip: number }, name?: string) {
    const { rows, total } = await listAdvertisers(store.db, scope, { filter: { name }, page });
    return { names: rows.map((row) => row.name), total };
  }

  test('goes through every row once, page after page, and counts them all each time', async () => {
    const pages = [0, 3, 6].map((skip) => list({ take: 3, skip }));

    const found = await Promise.all(pages);

    expect(found.flatMap(({ names }) => names)).toEqual(NAMES);
    expect(found.map(({ total }) => total)).toEqual([7, 7, 7]);
  });

  test('is empty beyond its end, and still counts', async () => {
    expect(await list({ take: 3, skip: 100 })).toEqual({ names: [], total: 7 });
  });

  test('is exact about whether more follow, and counts to 10,000 and no further', async () => {
    const many = await newAccount(store, 'Many');
    await manyMoreLike(store, await insertNamed(store, many, 'Many'), 10_019);
    const listed = async (take: number, skip: number) => {
      const { rows, total } = await listAdvertisers(store.db, many, { filter: {}, page: { take, skip } });
      return { shown: rows.length, total, hasMore: skip + rows.length < total };
    };

    expect(await listed(10, 0)).toEqual({ shown: 10, total: 10_000, hasMore: true });
    expect(await listed(10, 9_995)).toEqual({ shown: 10, total: 10_006, hasMore: true });
    expect(await listed(10, 10_010)).toEqual({ shown: 10, total: 10_020, hasMore: false });
    expect(await listed(10, 10_015)).toEqual({ shown: 5, total: 10_020, hasMore: false });
    expect(await listed(10, 20_000)).toMatchObject({ shown: 0, hasMore: false });
  });

  test('counts what the filter leaves, not what the page shows', async () => {
    expect(await list({ take: 1, skip: 0 }, 'beta')).toEqual({ names: ['Beta 100%'], total: 2 });
  });

  test.each([
    ['100%', ['Beta 100%']],
    ['under_score', ['under_score']],
    ['back\\slash', ['back\\slash']],
    ['%', ['Beta 100%']],
    ['_', ['under_score']],
    ['\\', ['back\\slash']],
    ['GAMMA', ['Gamma']],
    ['delta', []],
  ])('finds %s as it is written: a wildcard stands for itself', async (text, names) => {
    expect((await list({ take: 50, skip: 0 }, text)).names).toEqual(names);
  });

  test('shows nothing of another organization', async () => {
    expect(await list({ take: 50, skip: 0 }, 'others')).toEqual({ names: [], total: 0 });
  });

  test('shows the advertisers that the grants name, and no other', async () => {
    const everything = await listAdvertisers(store.db, scope, { filter: {}, page: { take: 50, skip: 0 } });
    const [first, second] = everything.rows.map(({ id }) => id);
    const { organizationId, customerId } = scope;
    const narrow = makeScope({ organizationId, customerId, advertiserIds: [first ?? 0, second ?? 0] });

    const { rows, total } = await listAdvertisers(store.db, narrow, {
      filter: {},
      page: { take: 1, skip: 1 },
    });

    expect(rows.map(({ id }) => id)).toEqual([second]);
    expect(total).toBe(2);
  });
});
