import type { Selectable, Updateable } from 'kysely';
import type { Targeting } from './discovery-selections.ts';
import { byIdInAccount } from './engine/by-id.ts';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount } from './engine/scoped.ts';
import type { Pacing } from './media-buy-packages.ts';

/** The media buy statuses of AdCP 3.0 that the embedded seller uses. */
const embeddedBuyStatuses = ['pending_start', 'active', 'paused', 'completed', 'canceled'] as const;

export interface EmbeddedPackage {
  readonly package_id: string;
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget_minor: number;
  /** What is paid for; absent in orders of before it was kept, which are reckoned by impressions. */
  readonly pricing_model?: string;
  /** The price of a unit of that, of impressions for a thousand. */
  readonly rate: number;
  /** When it starts and ends, where it has times of its own within the buy. */
  readonly start_time?: string;
  readonly end_time?: string;
  /** What was spent and shown before the package was last changed. */
  readonly spent_minor?: number;
  readonly impressions?: number;
  /** What is paid for by the piece, as clicks, and was had before. */
  readonly pieces?: number;
  /** Whom it is to reach, as the buyer said it. */
  readonly targeting_overlay?: Targeting;
  /** How its budget is spread over its time; evenly where nothing is said. */
  readonly pacing?: Pacing;
  readonly paused?: boolean;
  readonly canceled?: true;
}

export interface EmbeddedBuyTable {
  id: string;
  organization_id: number;
  customer_id: number;
  source_id: string;
  idempotency_key: string;
  payload_hash: string;
  status: (typeof embeddedBuyStatuses)[number];
  currency: string;
  total_minor: number;
  start_time: string;
  end_time: string;
  packages: JsonText<readonly EmbeddedPackage[]>;
  sandbox: Flag;
  revision: number;
  /** When its terms were last changed: what was delivered before stands in its packages. */
  changed_at: string | null;
  cancellation_reason: string | null;
  confirmed_at: string | null;
  created_at: string;
  updated_at: string;
}

export type EmbeddedBuyRow = Selectable<EmbeddedBuyTable>;

declare module './engine/database.ts' {
  interface Database {
    embedded_buys: EmbeddedBuyTable;
  }
}

export async function insertEmbeddedBuy(
  db: Db,
  scope: Scope,
  buy: Omit<EmbeddedBuyRow, 'organization_id' | 'customer_id'>,
): Promise<EmbeddedBuyRow> {
  return db
    .insertInto('embedded_buys')
    .values(ofAccount(scope, buy))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findEmbeddedBuyByKey(
  db: Db,
  scope: Scope,
  key: { sourceId: string; idempotencyKey: string },
): Promise<EmbeddedBuyRow | undefined> {
  return db
    .selectFrom('embedded_buys')
    .selectAll()
    .$call(inOrganization(scope))
    .where('source_id', '=', key.sourceId)
    .where('idempotency_key', '=', key.idempotencyKey)
    .executeTakeFirst();
}

export const findEmbeddedBuy = byIdInAccount((db) => db.selectFrom('embedded_buys').selectAll());

/** Changes a buy that stands at this revision; undefined when it was changed in the meantime. */
export function updateEmbeddedBuy(
  db: Db,
  scope: Scope,
  { id, revision, set }: { id: string; revision: number; set: Updateable<EmbeddedBuyTable> },
): Promise<EmbeddedBuyRow | undefined> {
  return db
    .updateTable('embedded_buys')
    .set({ ...set, revision: revision + 1 })
    .$call(inAccount(scope))
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returningAll()
    .executeTakeFirst();
}
