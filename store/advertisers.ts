import type { ExpressionBuilder, Generated, Insertable, Selectable, Updateable } from 'kysely';
import { byId } from './engine/by-id.ts';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Database } from './engine/database.ts';
import type { Db } from './engine/db.ts';
import { inWay, nameHolds } from './engine/names.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import { isInPlace } from './engine/prepared.ts';
import type { Scope } from './engine/scope.ts';
import {
  atVersion,
  type Change,
  inAccount,
  inOrganization,
  nextVersion,
  ofAccount,
} from './engine/scoped.ts';

export const advertiserStatuses = ['ACTIVE', 'ARCHIVED'] as const;
export const optimizationApplyModes = ['AUTO', 'MANUAL'] as const;

export const capUnits = ['seconds', 'minutes', 'hours', 'days', 'campaign'] as const;

/** A parameter that landing pages are tagged with. */
export interface UtmParameter {
  readonly paramKey: string;
  readonly paramValue: string;
}

/** So often one person sees the ads within a window of time. */
export interface FrequencyCap {
  readonly id: string;
  readonly max_impressions: number;
  readonly window: { readonly interval: number; readonly unit: (typeof capUnits)[number] };
  readonly created_at: string;
}

export interface AdvertiserTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  name: string;
  description: string | null;
  /** The brand's domain. */
  brand: string;
  status: (typeof advertiserStatuses)[number];
  sandbox: Flag;
  primary_currency: string;
  /** Set by the first campaign: from then on the currency stays. */
  currency_locked: Flag;
  optimization_apply_mode: (typeof optimizationApplyModes)[number];
  /** Null: none are set. */
  utm_config: JsonText<readonly UtmParameter[]> | null;
  /** Null: none are set. */
  frequency_caps: JsonText<readonly FrequencyCap[]> | null;
  /** How many accounts at sellers are linked to it. */
  linked_accounts: Generated<number>;
  version: number;
  created_at: string;
  updated_at: string;
}

export type AdvertiserRow = Selectable<AdvertiserTable>;

declare module './engine/database.ts' {
  interface Database {
    advertisers: AdvertiserTable;
  }
}

export interface AdvertiserFilter {
  readonly status?: AdvertiserRow['status'] | undefined;
  readonly name?: string | undefined;
  readonly sandbox?: Flag | undefined;
  /** Only with an account at this seller: a storefront by its number, or a sales agent. */
  readonly partnerId?: string | undefined;
}

export function insertAdvertiser(
  db: Db,
  scope: Scope,
  advertiser: Omit<Insertable<AdvertiserTable>, 'id' | 'organization_id' | 'customer_id'>,
): Promise<AdvertiserRow> {
  return db
    .insertInto('advertisers')
    .values(ofAccount(scope, advertiser))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many advertisers the account has, archived ones too. Served by `advertisers_by_customer`. */
export async function countAdvertisers(db: Db, scope: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('advertisers')
    .$call(inAccount(scope))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const one = byId((db) => db.selectFrom('advertisers').selectAll());

/** An advertiser of the caller's organization, whether or not its grants reach it. */
export function findAdvertiser(db: Db, scope: Scope, id: number): Promise<AdvertiserRow | undefined> {
  return one(db, scope, id);
}

/** The advertisers of the account, oldest first. Served by `advertisers_by_customer`. */
export async function listAdvertisers(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: AdvertiserFilter; page: Page },
): Promise<Counted<AdvertiserRow>> {
  const { status, name: text, sandbox, partnerId } = filter;
  const { way, named, areFew } = await nameHolds(db, 'advertisers', { text, asker: scope, isOwn: true });
  const found = db
    .selectFrom('advertisers')
    .$call(inAccount(scope))
    .$if(scope.advertiserIds !== null, (query) => query.where(isOneOf(db, 'id', scope.advertiserIds ?? [])))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'ACTIVE'))
    .$if(sandbox !== undefined, (query) => query.where('sandbox', '=', sandbox ?? 0))
    .$if(partnerId !== undefined, (query) => query.where(hasAccountAt(scope, partnerId ?? '')))
    .$if(text !== undefined, (query) => query.where(named));
  return counted(
    inWay(db, way),
    { asker: scope, rows: inWay(found, way).selectAll().orderBy('id'), found, areFew },
    page,
  );
}

const NUMBER = /^[1-9]\d{0,14}$/;

function hasAccountAt({ organizationId }: Scope, partnerId: string) {
  return (eb: ExpressionBuilder<Database, 'advertisers'>) =>
    eb.exists(
      eb
        .selectFrom('advertiser_accounts as account')
        .select('account.id')
        .where('account.organization_id', '=', organizationId)
        .whereRef('account.advertiser_id', '=', 'advertisers.id')
        .where((at) =>
          NUMBER.test(partnerId)
            ? at('account.storefront_id', '=', Number(partnerId))
            : at('account.agent_id', '=', partnerId),
        ),
    );
}

/** Writes the changes if nobody wrote in between; undefined when somebody did. */
export function updateAdvertiser(
  db: Db,
  scope: Scope,
  change: Change<number, Updateable<AdvertiserTable>>,
): Promise<AdvertiserRow | undefined> {
  return db
    .updateTable('advertisers')
    .set(nextVersion(change))
    .$call(inAccount(scope))
    .$call(atVersion(change))
    .returningAll()
    .executeTakeFirst();
}

/** Counts accounts that are linked or unlinked, and holds the row: nobody else does either meanwhile. */
export async function countLinkedAccounts(
  db: Db,
  scope: Scope,
  { id, by, now }: { id: number; by: 1 | -1; now: string },
): Promise<void> {
  await db
    .updateTable('advertisers')
    .set((eb) => ({
      linked_accounts: eb('linked_accounts', '+', by),
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .$call(inAccount(scope))
    .where('id', '=', id)
    .execute();
}

/**
 * Holds an advertiser until the transaction ends: whoever archives it meanwhile waits, or came first and is seen. All
 * who buy for it hold it side by side; `isToChange`: alone, because this transaction is going to write it. On SQLite a
 * transaction that writes has the whole file to itself, and holds nothing by the row.
 */
export async function lockAdvertiser(
  tx: Db,
  scope: Scope,
  { id, isToChange }: { readonly id: number; readonly isToChange: boolean },
): Promise<void> {
  if (isInPlace(tx.getExecutor().adapter)) return;
  const row = tx.selectFrom('advertisers').select('id').$call(inOrganization(scope)).where('id', '=', id);
  await (isToChange ? row.forNoKeyUpdate() : row.forShare()).execute();
}

/** Fixes the currency of an advertiser: it has a campaign now. False when somebody changed it meanwhile. */
export async function lockCurrency(
  db: Db,
  scope: Scope,
  advertiser: { id: number; currency: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('advertisers')
    .set((eb) => ({ currency_locked: 1, version: eb('version', '+', 1), updated_at: advertiser.now }))
    .$call(inOrganization(scope))
    .where('id', '=', advertiser.id)
    .where('primary_currency', '=', advertiser.currency)
    .where('currency_locked', '=', 0)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return true;
  // Another campaign may have come first and fixed the same one.
  const row = await findAdvertiser(db, scope, advertiser.id);
  return row?.currency_locked === 1 && row.primary_currency === advertiser.currency;
}
