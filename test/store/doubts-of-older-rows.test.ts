import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { insertBuys, type Row } from '../support/database/older-rows.ts';
import { migrateTo } from '../support/database/steps.ts';

const NOW = '2026-12-01T09:00:00.000Z';
const BEFORE = '0176-spends-asked';

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

const LATE = 'The seller did not report what was delivered (No): nothing was counted so far.';
const EURO = 'The seller reports 12 EUR spent of a buy in USD: the report was not taken.';
const TWICE =
  'Package one: The seller reports on it more than once: the report was taken for the whole alone.';
const OWN = 'We did not report this: the report was not taken. Ask again.';

test('an older database has doubts of reports beside what sellers said, and is as it was once it goes back', async () => {
  await migrateTo(store, BEFORE);
  const said = [LATE, EURO, TWICE, OWN, null];
  const buys = said.map((source_message, index) => ({ id: `mb_${index}`, source_message }));
  await insertBuys(store, { now: NOW, version: 1, buys });
  const rows = async (...columns: readonly string[]) => {
    const found = await sql<Row>`
      select ${sql.join(columns.map((name) => sql.ref(name)))} from media_buys order by id`.execute(store.db);
    return found.rows.map((row) => columns.map((name) => row[name]));
  };

  await store.migrate();

  expect(await rows('source_message', 'report_doubt')).toEqual([
    [null, LATE],
    [null, EURO],
    [null, TWICE],
    [OWN, null],
    [null, null],
  ]);
  await migrateTo(store, BEFORE);
  expect(await rows('source_message')).toEqual(said.map((one) => [one]));
});
