import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../store/engine/db.ts';
import { openStore } from '../../store/open.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
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

type Row = Readonly<Record<string, string | number | null>>;

async function insert(table: string, row: Row): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  const values = sql.join(Object.values(row));
  await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(
    store.db as Kysely<unknown>,
  );
}

test('a media buy of an older database comes to no tag once more that it had before', async () => {
  await migrateTo(store, '0197-versions-of-repeats');
  const times = { created_at: NOW, updated_at: NOW };
  await insert('organizations', { id: 1, name: 'A', kind: 'standard', tier: 'standard', alpha: 0, ...times });
  await insert('customers', { id: 1, organization_id: 1, role: 'BUYER', name: 'A', ...times });
  const owner = { organization_id: 1, customer_id: 1, version: 7, ...times };
  await insert('advertisers', {
    ...{ ...owner, id: 1, name: 'Acme', brand: 'acme.example', status: 'ACTIVE', primary_currency: 'USD' },
    ...{ currency_locked: 0, sandbox: 0, optimization_apply_mode: 'MANUAL' },
  });
  const own = { ...owner, advertiser_id: 1, currency: 'USD', budget_minor: 300, name: 'Winter' };
  await insert('campaigns', {
    ...{ ...own, id: 'cmp_1', status: 'ACTIVE', start_at: NOW, end_at: NOW, mode: 'discovery' },
    optimization_apply_mode: 'MANUAL',
  });
  await insert('media_buys', {
    ...{ ...own, id: 'mb_1', campaign_id: 'cmp_1', agent_id: 'a', agent_name: 'A', storefront_id: 1 },
    ...{ status: 'ACTIVE', start_time: NOW, end_time: NOW, sandbox: 0, products: '[]', packages: '[]' },
    ...{ order_payload: '{}', attempt: 1, submission: 'answered', valid_from: NOW, revision: 3 },
    ...{ impressions: 0, spend_minor: 0, clicks: 0 },
  });

  await store.migrate();

  // Its tags were made of its version: what is counted on from less comes to those of before.
  const { rows } = await sql<Row>`select version, edition from media_buys`.execute(store.db);
  expect(rows).toEqual([{ version: 7, edition: 7 }]);
});
