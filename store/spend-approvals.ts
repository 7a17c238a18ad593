import type { Selectable, Updateable } from 'kysely';
import { byId } from './engine/by-id.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import { prepared } from './engine/prepared.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import {
  atVersion,
  type Change,
  inAccount,
  inOrganization,
  nextVersion,
  ofAccount,
} from './engine/scoped.ts';

/**
 * `withdrawn`: another was asked or done in its place, or what it was asked of is over. One that is over by its time
 * stays `pending` here.
 */
export const approvalStates = ['pending', 'approved', 'rejected', 'withdrawn'] as const;

/** What came of a spend that was allowed: whether sellers took it, and what was said of what they did not. */
export interface SpendOutcome {
  readonly success: boolean;
  readonly problems?: string[] | undefined;
}

/** What went to sellers with it, under which keys: what came of these is told by them until that is noted. */
export interface SpendSent {
  readonly keys: readonly string[];
}

/** A spend above the limit of its organization, which another person has to allow. */
export interface SpendApprovalTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  campaign_id: string;
  media_buy_id: string | null;
  /** The capability that was called, and with what: approved, it is called again. */
  tool: string;
  input: JsonText<Readonly<Record<string, unknown>>>;
  /** A fingerprint of what it would do: what another person sees is what is done, or nothing. */
  content: string;
  /** What the campaign would hold with it. */
  amount_minor: number;
  /** The limit that it is above, as it was then. */
  limit_minor: number;
  currency: string;
  state: (typeof approvalStates)[number];
  /** The credential that asked first: `api_key:key_…`, `user:7`. */
  asked_by: string;
  asked_by_name: string;
  /** The people behind everybody who asked for it: none of them can allow it. */
  asked_for: JsonText<readonly number[]>;
  reason: string | null;
  decided_by_user_id: number | null;
  decided_by_name: string | null;
  decision_reason: string | null;
  decided_at: string | null;
  /** What the sellers made of it with the call that approved it, and until that is noted what went to them. */
  outcome: JsonText<SpendOutcome | SpendSent> | null;
  expires_at: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export type SpendApprovalRow = Selectable<SpendApprovalTable>;

export interface SpendLimitTable {
  organization_id: number;
  currency: string;
  limit_minor: number;
  updated_at: string;
}

export type SpendLimitRow = Selectable<SpendLimitTable>;

declare module './engine/database.ts' {
  interface Database {
    spend_approvals: SpendApprovalTable;
    spend_limits: SpendLimitTable;
  }
}

/** The limit of an organization in a currency; undefined where it has none. */
export function findSpendLimit(
  db: Db,
  { organizationId }: Tenant,
  currency: string,
): Promise<SpendLimitRow | undefined> {
  return db
    .selectFrom('spend_limits')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('currency', '=', currency)
    .executeTakeFirst();
}

export function listSpendLimits(db: Db, tenant: Tenant): Promise<SpendLimitRow[]> {
  return db
    .selectFrom('spend_limits')
    .selectAll()
    .$call(inOrganization(tenant))
    .orderBy('currency')
    .execute();
}

/** Sets the limit in a currency; without an amount there is none from then on. */
export async function putSpendLimit(
  db: Db,
  tenant: Tenant,
  { currency, limitMinor, now }: { currency: string; limitMinor: number | undefined; now: string },
): Promise<void> {
  await db
    .deleteFrom('spend_limits')
    .$call(inOrganization(tenant))
    .where('currency', '=', currency)
    .execute();
  if (limitMinor === undefined) return;
  const { organizationId: organization_id } = tenant;
  const row = { organization_id, currency, limit_minor: limitMinor, updated_at: now };
  await db.insertInto('spend_limits').values(row).execute();
}

/** One that waits from now on. Its campaign says that there is one to look for. */
export async function insertSpendApproval(
  db: Db,
  scope: Scope,
  approval: Omit<SpendApprovalRow, 'organization_id' | 'customer_id'>,
): Promise<SpendApprovalRow> {
  await db
    .updateTable('campaigns')
    .set({ spend_asked: 1 })
    .$call(inAccount(scope))
    .where('id', '=', approval.campaign_id)
    .execute();
  return db
    .insertInto('spend_approvals')
    .values(ofAccount(scope, approval))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** One of the caller's organization, whichever of its accounts it belongs to. */
export const findSpendApproval = byId((db) => db.selectFrom('spend_approvals').selectAll());

const undecided = prepared(
  (db, { organizationId, campaignId }: { organizationId: number; campaignId: string }) =>
    db
      .selectFrom('spend_approvals')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('campaign_id', '=', campaignId)
      .where('state', '=', 'pending'),
);

/** What is asked of a campaign and nobody has decided. Served by `spend_approvals_by_campaign`. */
export function listUndecided(db: Db, tenant: Tenant, campaignId: string): Promise<SpendApprovalRow[]> {
  return undecided.all(db, { organizationId: tenant.organizationId, campaignId });
}

export interface ApprovalFilter {
  /** `pending` is what can still be decided at `now`; `expired` what nobody decided in time. */
  readonly status?: SpendApprovalRow['state'] | 'expired' | undefined;
  readonly campaignId?: string | undefined;
  readonly now: string;
  /** Those of the caller's account, where it works in one alone. */
  readonly customerId: number | undefined;
}

/** Those that the caller's grants reach, newest first. Served by `spend_approvals_by_organization`. */
export function listSpendApprovals(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: ApprovalFilter; page: Page },
): Promise<Counted<SpendApprovalRow>> {
  const { status, campaignId = '', now, customerId } = filter;
  const state = status === 'expired' ? 'pending' : (status ?? 'pending');
  const found = db
    .selectFrom('spend_approvals')
    .$call(inOrganization(scope))
    .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId ?? 0))
    .$if(scope.advertiserIds !== null, (query) =>
      query.where(isOneOf(db, 'advertiser_id', scope.advertiserIds ?? [])),
    )
    .$if(campaignId !== '', (query) => query.where('campaign_id', '=', campaignId))
    .$if(status !== undefined, (query) => query.where('state', '=', state))
    .$if(status === 'pending', (query) => query.where('expires_at', '>', now))
    .$if(status === 'expired', (query) => query.where('expires_at', '<=', now));
  const rows = found.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  return counted(db, { asker: scope, rows, found }, page);
}

/** How many wait, of all accounts of the organization. Served by `spend_approvals_by_organization`. */
export async function countWaiting(db: Db, tenant: Tenant, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('spend_approvals')
    .$call(inOrganization(tenant))
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Writes a decision, if nobody decided in between; undefined when somebody did. */
export function updateSpendApproval(
  db: Db,
  tenant: Tenant,
  change: Change<string, Updateable<SpendApprovalTable>>,
): Promise<SpendApprovalRow | undefined> {
  return db
    .updateTable('spend_approvals')
    .set(nextVersion(change))
    .$call(inOrganization(tenant))
    .$call(atVersion(change))
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}

/** Notes what came of one that was approved; its decision stays as it is. */
export async function noteSpendOutcome(
  db: Db,
  tenant: Tenant,
  { id, outcome }: { readonly id: string; readonly outcome: JsonText<SpendOutcome> },
): Promise<void> {
  await db
    .updateTable('spend_approvals')
    .set({ outcome })
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .execute();
}
