import { type Kysely, sql } from 'kysely';
import type { Store } from '../../../store/engine/db.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** Inserts rows of the same columns, whatever the tables were like then. */
export async function insertRows(store: Store, table: string, rows: readonly Row[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  const values = sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`));
  await sql`insert into ${sql.table(table)} (${columns}) values ${values}`.execute(
    store.db as Kysely<unknown>,
  );
}

interface OlderBuys {
  readonly now: string;
  readonly version: number;
  /** What each of its media buys has of its own. */
  readonly buys: readonly (Row & { readonly id: string })[];
}

/** An organization with a buyer account, an advertiser, a campaign and its media buys, each of a seller of its own. */
export async function insertBuys(store: Store, { now, version, buys }: OlderBuys): Promise<void> {
  const times = { created_at: now, updated_at: now };
  const organization = { id: 1, name: 'A', kind: 'standard', tier: 'standard', alpha: 0, ...times };
  await insertRows(store, 'organizations', [organization]);
  await insertRows(store, 'customers', [{ id: 1, organization_id: 1, role: 'BUYER', name: 'A', ...times }]);
  const owner = { organization_id: 1, customer_id: 1, version, ...times };
  const advertiser = {
    ...{ ...owner, id: 1, name: 'Acme', brand: 'acme.example', status: 'ACTIVE', primary_currency: 'USD' },
    ...{ currency_locked: 0, sandbox: 0, optimization_apply_mode: 'MANUAL' },
  };
  await insertRows(store, 'advertisers', [advertiser]);
  const own = { ...owner, advertiser_id: 1, currency: 'USD', budget_minor: 300, name: 'Winter' };
  const campaign = {
    ...{ ...own, id: 'cmp_1', status: 'ACTIVE', start_at: now, end_at: now, mode: 'discovery' },
    optimization_apply_mode: 'MANUAL',
  };
  await insertRows(store, 'campaigns', [campaign]);
  const rows = buys.map((buy) => ({
    ...{ ...own, campaign_id: 'cmp_1', agent_id: `agent of ${buy.id}`, agent_name: 'A', storefront_id: 1 },
    ...{ status: 'ACTIVE', start_time: now, end_time: now, sandbox: 0, products: '[]', packages: '[]' },
    ...{ order_payload: '{}', attempt: 1, submission: 'answered', valid_from: now },
    ...{ impressions: 0, spend_minor: 0, clicks: 0 },
    ...buy,
  }));
  await insertRows(store, 'media_buys', rows);
}
