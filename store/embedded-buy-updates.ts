import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization, ofAccount } from './engine/scoped.ts';

/** A change that the embedded seller carried out, by the key that it came with. */
export interface EmbeddedBuyUpdateTable {
  source_id: string;
  idempotency_key: string;
  organization_id: number;
  customer_id: number;
  buy_id: string;
  payload_hash: string;
  /** What the buy came to by it. */
  revision: number;
  created_at: string;
}

export type EmbeddedBuyUpdateRow = Selectable<EmbeddedBuyUpdateTable>;

declare module './engine/database.ts' {
  interface Database {
    seller_updates: EmbeddedBuyUpdateTable;
  }
}

export async function insertEmbeddedBuyUpdate(
  db: Db,
  scope: Scope,
  update: Omit<EmbeddedBuyUpdateRow, 'organization_id' | 'customer_id'>,
): Promise<void> {
  await db.insertInto('seller_updates').values(ofAccount(scope, update)).execute();
}

export function findEmbeddedBuyUpdate(
  db: Db,
  scope: Scope,
  key: { sourceId: string; idempotencyKey: string },
): Promise<EmbeddedBuyUpdateRow | undefined> {
  return db
    .selectFrom('seller_updates')
    .selectAll()
    .$call(inOrganization(scope))
    .where('source_id', '=', key.sourceId)
    .where('idempotency_key', '=', key.idempotencyKey)
    .executeTakeFirst();
}

/** Rows that one change makes forgotten at the most. */
const FORGOTTEN_AT_ONCE = 100;

/** Forgets the oldest changes of a buy beyond so many, a few at a time. Served by `seller_updates_by_buy`. */
export async function pruneEmbeddedBuyUpdates(
  db: Db,
  scope: Scope,
  { sourceId, buyId, keep }: { sourceId: string; buyId: string; keep: number },
): Promise<void> {
  await db
    .deleteFrom('seller_updates')
    .$call(inOrganization(scope))
    .where('source_id', '=', sourceId)
    .where(
      'idempotency_key',
      'in',
      db
        .selectFrom('seller_updates')
        .select('idempotency_key')
        .$call(inOrganization(scope))
        .where('source_id', '=', sourceId)
        .where('buy_id', '=', buyId)
        .orderBy('revision', 'desc')
        .limit(FORGOTTEN_AT_ONCE)
        .offset(keep),
    )
    .execute();
}
