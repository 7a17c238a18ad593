import type { Selectable, Updateable } from 'kysely';
import type { optimizationApplyModes } from './advertisers.ts';
import { byId } from './engine/by-id.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, contains, counted, type Page } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import { prepared } from './engine/prepared.ts';
import type { Scope } from './engine/scope.ts';
import { atVersion, type Change, inAccount, nextVersion, ofAccount } from './engine/scoped.ts';

export const campaignStatuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELED', 'ARCHIVED'] as const;
export const budgetPacings = ['EVEN', 'ASAP', 'FRONTLOADED'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

export interface CampaignConstraints {
  readonly channels?: readonly string[] | undefined;
  readonly geo_countries?: readonly string[] | undefined;
}

export interface CampaignTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  name: string;
  status: CampaignStatus;
  start_at: string;
  end_at: string;
  budget_minor: number;
  currency: string;
  daily_cap_minor: number | null;
  pacing: (typeof budgetPacings)[number] | null;
  brief: string | null;
  constraints: JsonText<CampaignConstraints> | null;
  storefront_ids: JsonText<number[]> | null;
  discovery_id: string | null;
  optimization_apply_mode: (typeof optimizationApplyModes)[number];
  version: number;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
}

export type CampaignRow = Selectable<CampaignTable>;

declare module './engine/database.ts' {
  interface Database {
    campaigns: CampaignTable;
  }
}

export interface CampaignFilter {
  readonly advertiserId?: number | undefined;
  readonly name?: string | undefined;
  readonly statuses?: readonly CampaignStatus[] | undefined;
}

const insertion = prepared((db, row: CampaignRow) => db.insertInto('campaigns').values(row).returningAll());

export function insertCampaign(
  db: Db,
  scope: Scope,
  campaign: Omit<CampaignRow, 'organization_id' | 'customer_id'>,
): Promise<CampaignRow> {
  return insertion.one(db, ofAccount(scope, campaign));
}

const one = byId((db) => db.selectFrom('campaigns').selectAll());

/** A campaign of the caller's organization, whether or not its grants reach it. */
export function findCampaign(db: Db, scope: Scope, id: string): Promise<CampaignRow | undefined> {
  return one(db, scope, id);
}

/** The drafts that are to buy from a session. Served by `campaigns_by_discovery`. */
export function listDraftsOf(db: Db, scope: Scope, discoveryId: string): Promise<CampaignRow[]> {
  return db
    .selectFrom('campaigns')
    .selectAll()
    .$call(inAccount(scope))
    .where('discovery_id', '=', discoveryId)
    .where('status', '=', 'DRAFT')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The campaigns of the account, newest first. Served by `campaigns_by_customer`. */
export function listCampaigns(
  db: Db,
  scope: Scope,
  { filter, page }: { filter: CampaignFilter; page: Page },
): Promise<Counted<CampaignRow>> {
  const { advertiserId, name, statuses } = filter;
  const found = db
    .selectFrom('campaigns')
    .$call(inAccount(scope))
    .$if(scope.advertiserIds !== null, (query) =>
      query.where(isOneOf(db, 'advertiser_id', scope.advertiserIds ?? [])),
    )
    .$if(advertiserId !== undefined, (query) => query.where('advertiser_id', '=', advertiserId ?? 0))
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
    .$if(name !== undefined, (query) => query.where(contains('name', name ?? '')));
  return counted(
    db,
    { rows: found.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'), found },
    page,
  );
}

/** Writes the changes if nobody wrote in between; undefined when somebody did. */
export function updateCampaign(
  db: Db,
  scope: Scope,
  change: Change<string, Updateable<CampaignTable>>,
): Promise<CampaignRow | undefined> {
  return db
    .updateTable('campaigns')
    .set(nextVersion(change))
    .$call(inAccount(scope))
    .$call(atVersion(change))
    .returningAll()
    .executeTakeFirst();
}
