import type { Selectable, Updateable } from 'kysely';
import type { FrequencyCap, optimizationApplyModes, UtmParameter } from './advertisers.ts';
import type { CampaignConstraints } from './campaign-constraints.ts';
import type { CampaignLimits } from './campaign-limits.ts';
import { byId } from './engine/by-id.ts';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { inWay, nameHolds } from './engine/names.ts';
import { counted, isBehind, type Listed, NEAR_MAX, type Page, type Placed } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import { prepared } from './engine/prepared.ts';
import type { Scope } from './engine/scope.ts';
import { atVersion, type Change, inAccount, nextVersion, ofAccount } from './engine/scoped.ts';
import type { GoalMetric } from './media-buy-goals.ts';
import type { MediaBuyStatus } from './media-buys.ts';

export const campaignStatuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELED', 'ARCHIVED'] as const;
export const budgetPacings = ['EVEN', 'ASAP', 'FRONTLOADED'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];
export type CampaignMode = (typeof campaignModes)[number];

/** How the products of a campaign are chosen (contract: CampaignMode). */
export const campaignModes = ['discovery', 'performance'] as const;

/** What earlier clients say of a campaign: its orders are routed by media buy, whatever that is. */
export const campaignTypes = ['DECISIONED', 'ROUTED'] as const;

/** Days between which a share of the budget is spent. */
export interface PacingPeriod {
  readonly label: string;
  /** The first and the last day, both included, in UTC. */
  readonly start: string;
  readonly end: string;
  readonly weight?: number | undefined;
  readonly budget?: number | undefined;
}

/** How the budget is spread over periods of the flight: by weights, or by a budget each. */
export interface PacingPeriods {
  readonly mode: 'weight' | 'budget';
  readonly periods: PacingPeriod[];
}

/** What sellers are to optimize for: a figure that they measure themselves. */
export interface MetricGoal {
  readonly kind: 'metric';
  readonly metric: GoalMetric;
  readonly viewDurationSeconds?: number | undefined;
  readonly target?: { readonly kind: 'cost_per' | 'threshold_rate'; readonly value: number } | undefined;
  readonly priority?: number | undefined;
}

export interface CampaignTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  /** As its advertiser is, which never changes. */
  sandbox: Flag;
  name: string;
  status: CampaignStatus;
  start_at: string;
  end_at: string;
  budget_minor: number;
  currency: string;
  daily_cap_minor: number | null;
  pacing: (typeof budgetPacings)[number] | null;
  brief: string | null;
  mode: CampaignMode;
  /** As it was made; null where nobody said. */
  campaign_type: (typeof campaignTypes)[number] | null;
  constraints: JsonText<CampaignConstraints> | null;
  pacing_periods: JsonText<PacingPeriods> | null;
  optimization_goals: JsonText<MetricGoal[]> | null;
  /** Tags of landing pages, beside those of the advertiser. */
  utm_config: JsonText<readonly UtmParameter[]> | null;
  /** Takes the place of the advertiser's. */
  frequency_caps: JsonText<readonly FrequencyCap[]> | null;
  storefront_ids: JsonText<number[]> | null;
  discovery_id: string | null;
  /** What it is to keep to as soon as its media buys do; until then it keeps what it has. */
  waiting_limits: JsonText<CampaignLimits> | null;
  /** Whether a spend of it was ever put before another person: whether one waits is looked for there alone. */
  spend_asked: Flag;
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
  readonly modes?: readonly CampaignMode[] | undefined;
  /** Only campaigns with a media buy in one of these states. */
  readonly buyStatuses?: readonly MediaBuyStatus[] | undefined;
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

/** A choice is held against so many drafts at once; each is held against it again when it is executed. */
export const DRAFTS_HEEDED = 100;

/** The newest of the drafts that are to buy from a session. Served by `campaigns_by_discovery`. */
export function listDraftsOf(db: Db, scope: Scope, discoveryId: string): Promise<CampaignRow[]> {
  return db
    .selectFrom('campaigns')
    .selectAll()
    .$call(inAccount(scope))
    .where('discovery_id', '=', discoveryId)
    .where('status', '=', 'DRAFT')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(DRAFTS_HEEDED)
    .execute();
}

/** Which campaigns, and which of them: those behind a row, where one is named, and of these a page. */
interface Wanted {
  readonly filter: CampaignFilter;
  readonly behind?: Placed | undefined;
  readonly page: Page;
}

/** The campaigns of the account, newest first. Served by `campaigns_by_customer`. */
export async function listCampaigns(
  db: Db,
  scope: Scope,
  { filter, behind, page }: Wanted,
): Promise<Listed<CampaignRow>> {
  const { advertiserId, name: text, statuses, modes, buyStatuses } = filter;
  const { way, named, areFew } = await nameHolds(db, 'campaigns', { text, asker: scope, isOwn: true });
  const found = db
    .selectFrom('campaigns')
    .$call(inAccount(scope))
    .$if(scope.advertiserIds !== null, (query) =>
      query.where(isOneOf(db, 'advertiser_id', scope.advertiserIds ?? [])),
    )
    .$if(advertiserId !== undefined, (query) => query.where('advertiser_id', '=', advertiserId ?? 0))
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
    .$if(modes !== undefined, (query) => query.where('mode', 'in', modes ?? []))
    .$if(buyStatuses !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('media_buys')
            .select('media_buys.id')
            .where('media_buys.organization_id', '=', scope.organizationId)
            .whereRef('media_buys.campaign_id', '=', 'campaigns.id')
            .where('media_buys.status', 'in', buyStatuses ?? []),
        ),
      ),
    )
    .$if(text !== undefined, (query) => query.where(named));
  return counted(
    inWay(db, way),
    {
      asker: scope,
      rows: inWay(found, way)
        .selectAll()
        .$if(behind !== undefined, (query) => query.where(isBehind(behind ?? { created_at: '', id: '' })))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc'),
      found,
      // What stands behind a row may be far from the beginning.
      near: behind === undefined ? nearest(db, scope, filter) : undefined,
      areFew,
    },
    page,
  );
}

/** Of the newest campaigns those of some states; undefined where anything else narrows the list. */
function nearest(db: Db, scope: Scope, { statuses, ...others }: CampaignFilter) {
  const isNarrow = Object.values(others).some((wanted) => wanted !== undefined);
  if (isNarrow || scope.advertiserIds !== null) return undefined;
  const newest = db
    .selectFrom('campaigns')
    .select('status')
    .$call(inAccount(scope))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(NEAR_MAX)
    .as('newest');
  return db
    .selectFrom(newest)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []));
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
