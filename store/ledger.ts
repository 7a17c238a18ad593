import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount } from './engine/scoped.ts';

/**
 * What an account may spend, as a ledger of entries: none is ever changed or removed, so there is no function here
 * that could. Each entry carries the sums after it, so that reading a balance is reading one row, however long the
 * ledger; its sequence is unique, so that of two writers who saw the same sums one fails.
 */

const ledgerKinds = ['fund', 'credit_limit', 'commit', 'release'] as const;

export interface LedgerEntryTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  currency: string;
  /** From 1, without a gap, in its account and currency. */
  sequence: number;
  kind: (typeof ledgerKinds)[number];
  /** What it adds to its sum; a release takes away. */
  amount_minor: number;
  /** The sums with this entry. */
  funded_minor: number;
  credit_limit_minor: number;
  committed_minor: number;
  media_buy_id: string | null;
  /** A name that its author gave it: a second entry of that name is the first one told again. */
  reference: string | null;
  reason: string;
  actor: string;
  created_at: string;
}

export type LedgerEntryRow = Selectable<LedgerEntryTable>;

/** The sums of an account in one currency. */
export type LedgerSums = Pick<
  LedgerEntryRow,
  'currency' | 'sequence' | 'funded_minor' | 'credit_limit_minor' | 'committed_minor'
>;

declare module './engine/database.ts' {
  interface Database {
    ledger_entries: LedgerEntryTable;
  }
}

const SUMS = ['currency', 'sequence', 'funded_minor', 'credit_limit_minor', 'committed_minor'] as const;

/** The sums of an account in a currency; undefined where it has no entry. Served by the unique sequence. */
export function findLedgerSums(db: Db, scope: Scope, currency: string): Promise<LedgerSums | undefined> {
  return db
    .selectFrom('ledger_entries')
    .select(SUMS)
    .$call(inAccount(scope))
    .where('currency', '=', currency)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The currencies that an account has entries in. Served by `ledger_entries_by_place`. */
export async function listLedgerCurrencies(db: Db, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select('currency')
    .$call(inAccount(scope))
    // The first entry of each: there is one, and the rest need not be looked through.
    .where('sequence', '=', 1)
    .execute();
  return rows.map(({ currency }) => currency).sort();
}

/** What each of these buys has committed now; one without entries is left out. Served by `ledger_entries_by_buy`. */
export async function listCommitted(
  db: Db,
  tenant: Tenant,
  mediaBuyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (mediaBuyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['media_buy_id', sql<number | string>`sum(amount_minor)`.as('committed')])
    .$call(inOrganization(tenant))
    .where('media_buy_id', 'in', [...mediaBuyIds])
    .groupBy('media_buy_id')
    .execute();
  // PostgreSQL gives a sum of 64-bit integers as text.
  return new Map(rows.map(({ media_buy_id: id, committed }) => [id ?? '', Number(committed)]));
}

/** The entry of a name. */
export function findLedgerEntry(
  db: Db,
  scope: Scope,
  reference: string,
): Promise<LedgerEntryRow | undefined> {
  return db
    .selectFrom('ledger_entries')
    .selectAll()
    .$call(inAccount(scope))
    .where('reference', '=', reference)
    .executeTakeFirst();
}

/** Writes an entry. Whoever writes holds the account (`lockAccount`), and has read the sums since. */
export async function insertLedgerEntry(
  db: Db,
  scope: Scope,
  entry: Omit<LedgerEntryRow, 'id' | 'organization_id' | 'customer_id'>,
): Promise<void> {
  await db.insertInto('ledger_entries').values(ofAccount(scope, entry)).execute();
}
