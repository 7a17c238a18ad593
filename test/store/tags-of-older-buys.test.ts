import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { insertBuys, type Row } from '../support/database/older-rows.ts';
import { migrateTo } from '../support/database/steps.ts';

const NOW = '2026-12-01T09:00:00.000Z';

let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await emptyDatabase();
  store = openStore(database.url, { connections: 2 });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

test('a media buy of an older database comes to no tag once more that it had before', async () => {
  await migrateTo(store, '0197-versions-of-repeats');
  await insertBuys(store, { now: NOW, version: 7, buys: [{ id: 'mb_1', revision: 3 }] });

  await store.migrate();

  // Its tags were made of its version: what is counted on from less comes to those of before.
  const { rows } = await sql<Row>`select version, edition from media_buys`.execute(store.db);
  expect(rows).toEqual([{ version: 7, edition: 7 }]);
});
