import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
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

type Row = Readonly<Record<string, string | number | null>>;

async function insert(table: string, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  const values = sql.join(Object.values(row));
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(
    store.db as Kysely<unknown>,
  );
}

const LATE = 'The seller did not report what was delivered (No): nothing was counted so far.';
const EURO = 'The seller reports 12 EUR spent of a buy in USD: the report was not taken.';
const TWICE =
  'Package one: The seller reports on it more than once: the report was taken for the whole alone.';
const OWN = 'We did not report this: the report was not taken. Ask again.';

test('an older database has doubts of reports beside what sellers said, and is as it was once it goes back', async () => {
  await migrateTo(store, BEFORE);
  const times = { created_at: NOW, updated_at: NOW };
  await insert('organizations', { id: 1, name: 'A', kind: 'standard', tier: 'standard', alpha: 0, ...times });
  await insert('customers', { id: 1, organization_id: 1, role: 'BUYER', name: 'A', ...times });
  const owner = { organization_id: 1, customer_id: 1, version: 1, ...times };
  await insert('advertisers', {
    ...{ ...owner, id: 1, name: 'Acme', brand: 'acme.example', status: 'ACTIVE', primary_currency: 'USD' },
    ...{ currency_locked: 0, sandbox: 0, optimization_apply_mode: 'MANUAL' },
  });
  const own = { ...owner, advertiser_id: 1, currency: 'USD', budget_minor: 300, name: 'Winter' };
  await insert('campaigns', {
    ...{ ...own, id: 'cmp_1', status: 'ACTIVE', start_at: NOW, end_at: NOW, mode: 'discovery' },
    optimization_apply_mode: 'MANUAL',
  });
  const said = [LATE, EURO, TWICE, OWN, null];
  for (const [index, source_message] of said.entries())
    await insert('media_buys', {
      ...{
        ...own,
        id: `mb_${index}`,
        campaign_id: 'cmp_1',
        agent_id: `a${index}`,
        agent_name: 'A',
        storefront_id: 1,
      },
      ...{ status: 'ACTIVE', start_time: NOW, end_time: NOW, sandbox: 0, products: '[]', packages: '[]' },
      ...{ order_payload: '{}', attempt: 1, submission: 'answered', valid_from: NOW, source_message },
      ...{ impressions: 0, spend_minor: 0, clicks: 0 },
    });
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
