import type { Selectable, Updateable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { atVersion, type Change, inOrganization, nextVersion, ofAccount } from './engine/scoped.ts';
import type { BuyGoal } from './media-buy-goals.ts';
import type { BuyPackage, BuyProduct } from './media-buy-packages.ts';
import type { MediaBuyTable } from './media-buys.ts';

export const changeActions = ['update', 'pause', 'resume', 'cancel', 'archive'] as const;

/**
 * How far a change has come. `sending` is committed before the seller is called; `held` waits until the seller
 * has given the buy an id; `waiting` was taken by the seller, whose confirmation is awaited; `unknown` may have
 * been taken; the other three are its ends.
 */
export const changeStates = [
  'sending',
  'held',
  'waiting',
  'unknown',
  'confirmed',
  'refused',
  'superseded',
] as const;

export type ChangeAction = (typeof changeActions)[number];
export type ChangeState = (typeof changeStates)[number];

/** The states of a change that may still come true. */
export const openChangeStates = ['sending', 'held', 'waiting', 'unknown'] as const;

/** What a buy is to be once the change is confirmed; what is left out stays. */
export interface ProposedBuy {
  readonly name?: string;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly budget_minor?: number;
  readonly products?: readonly BuyProduct[];
  readonly packages?: readonly BuyPackage[];
  readonly optimization_goals?: readonly BuyGoal[];
}

export interface MediaBuyChangeTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  campaign_id: string;
  media_buy_id: string;
  action: ChangeAction;
  state: ChangeState;
  /** The change as it is sent, kept before it is sent: a repeat must be the same change. */
  payload: string;
  proposed: JsonText<ProposedBuy>;
  /** What the buy counts for while the change is open: the larger of its budgets before and after. */
  committed_minor: number;
  owner: string | null;
  takeovers: number;
  adcp_task_id: string | null;
  error_code: MediaBuyTable['error_code'];
  /**
   * Who has to mend what went wrong; of what waits, with no error, `buyer_input` where its seller needs something
   * first, and `seller` where it took it and shows the buy otherwise.
   */
  error_owner: MediaBuyTable['error_owner'];
  source_message: string | null;
  /** When the seller took it, to decide on it or to carry it out. */
  forwarded_at: string | null;
  requested_by: string | null;
  reason: string | null;
  suggestion_id: string | null;
  /** The change that took its place, and how far it had come then. */
  gave_way_to: string | null;
  gave_way_in: ChangeState | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export type MediaBuyChangeRow = Selectable<MediaBuyChangeTable>;

declare module './engine/database.ts' {
  interface Database {
    media_buy_changes: MediaBuyChangeTable;
  }
}

export async function insertMediaBuyChange(
  db: Db,
  scope: Scope,
  change: Omit<MediaBuyChangeRow, 'organization_id' | 'customer_id' | 'gave_way_to' | 'gave_way_in'>,
): Promise<MediaBuyChangeRow> {
  return db
    .insertInto('media_buy_changes')
    .values(ofAccount(scope, { ...change, gave_way_to: null, gave_way_in: null }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findMediaBuyChange(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<MediaBuyChangeRow | undefined> {
  return db
    .selectFrom('media_buy_changes')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .executeTakeFirst();
}

export function updateMediaBuyChange(
  db: Db,
  tenant: Tenant,
  change: Change<string, Updateable<MediaBuyChangeTable>>,
): Promise<MediaBuyChangeRow | undefined> {
  return db
    .updateTable('media_buy_changes')
    .set(nextVersion(change))
    .$call(inOrganization(tenant))
    .$call(atVersion(change))
    .returningAll()
    .executeTakeFirst();
}

/** Rows that one change makes forgotten at the most. */
const FORGOTTEN_AT_ONCE = 100;

/**
 * Forgets the oldest changes of a buy that ended, beyond so many; a few at a time. What may stand again is kept. Served
 * by `media_buy_changes_by_buy`.
 */
export async function pruneMediaBuyChanges(
  db: Db,
  tenant: Tenant,
  { mediaBuyId, keep }: { mediaBuyId: string; keep: number },
): Promise<void> {
  await db
    .deleteFrom('media_buy_changes')
    .$call(inOrganization(tenant))
    .where(
      'id',
      'in',
      db
        .selectFrom('media_buy_changes')
        .select('id')
        .$call(inOrganization(tenant))
        .where('media_buy_id', '=', mediaBuyId)
        .where('state', 'not in', openChangeStates)
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('gave_way_to', 'is', null),
            eb(
              'gave_way_to',
              'not in',
              selectFrom('media_buy_changes')
                .select('id')
                .$call(inOrganization(tenant))
                .where('media_buy_id', '=', mediaBuyId)
                .where('state', 'in', openChangeStates),
            ),
          ]),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(FORGOTTEN_AT_ONCE)
        .offset(keep),
    )
    .execute();
}

/** The last changes of a buy, the latest first. */
export function listMediaBuyChanges(
  db: Db,
  tenant: Tenant,
  { mediaBuyId, limit }: { mediaBuyId: string; limit: number },
): Promise<MediaBuyChangeRow[]> {
  return db
    .selectFrom('media_buy_changes')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('media_buy_id', '=', mediaBuyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * The last change of a buy that its seller confirmed and of which words are kept, as of those that came late: however
 * many others were asked for since. Served by `media_buy_changes_by_buy`.
 */
export function findConfirmedWithWords(
  db: Db,
  tenant: Tenant,
  mediaBuyId: string,
): Promise<MediaBuyChangeRow | undefined> {
  return db
    .selectFrom('media_buy_changes')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('media_buy_id', '=', mediaBuyId)
    .where('state', '=', 'confirmed')
    .where('source_message', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The changes of a campaign's buys that may still come true, in the order in which they were asked for. */
export function listOpenChanges(
  db: Db,
  tenant: Tenant,
  { campaignId }: { campaignId: string },
): Promise<MediaBuyChangeRow[]> {
  return openChanges(db, tenant).where('campaign_id', '=', campaignId).execute();
}

/** Those of one buy. */
export function listOpenChangesOf(
  db: Db,
  tenant: Tenant,
  { mediaBuyId }: { mediaBuyId: string },
): Promise<MediaBuyChangeRow[]> {
  return openChanges(db, tenant).where('media_buy_id', '=', mediaBuyId).execute();
}

/** The changes of a buy whose place one of them took. Served by `media_buy_changes_by_buy`. */
export function listGivenWay(
  db: Db,
  tenant: Tenant,
  { media_buy_id, id }: Pick<MediaBuyChangeRow, 'media_buy_id' | 'id'>,
): Promise<MediaBuyChangeRow[]> {
  return db
    .selectFrom('media_buy_changes')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('media_buy_id', '=', media_buy_id)
    .where('gave_way_to', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function openChanges(db: Db, tenant: Tenant) {
  return db
    .selectFrom('media_buy_changes')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('state', 'in', openChangeStates)
    .orderBy('created_at')
    .orderBy('id');
}
