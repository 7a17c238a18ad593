import type { CampaignRow } from '../campaigns.ts';
import type { Db } from '../engine/db.ts';
import { isOneOf } from '../engine/pieces.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyStatus } from '../media-buys.ts';

/** Campaigns of which media buys live, as whoever runs the installation looks at them. */

/** A campaign of which media buys live, with how many do, and how many of these run. */
export type LivingCampaign = Pick<
  CampaignRow,
  'id' | 'name' | 'status' | 'organization_id' | 'customer_id' | 'sandbox'
> & { readonly living: number; readonly running: number };

interface Wanted {
  readonly organizationIds: readonly number[];
  /** Statuses of media buys that live. */
  readonly open: readonly MediaBuyStatus[];
  /** The campaign behind which it goes on. */
  readonly after: string;
  readonly limit: number;
}

/** The next campaigns of some organizations of which media buys live, the oldest first. */
export async function listLivingIn(
  db: Db,
  { organizationIds, open, after, limit }: Wanted,
): Promise<LivingCampaign[]> {
  const rows = await living(db, open)
    .where(isOneOf(db, 'campaigns.organization_id', organizationIds))
    .where('campaigns.id', '>', after)
    .select(({ fn }) => [
      'campaigns.id',
      'campaigns.name',
      'campaigns.status',
      'campaigns.organization_id',
      'campaigns.customer_id',
      'campaigns.sandbox',
      fn.count('media_buys.id').as('living'),
      fn.count('media_buys.id').filterWhere('media_buys.status', '=', 'ACTIVE').as('running'),
    ])
    .groupBy([
      'campaigns.id',
      'campaigns.name',
      'campaigns.status',
      'campaigns.organization_id',
      'campaigns.customer_id',
      'campaigns.sandbox',
    ])
    .orderBy('campaigns.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, living: Number(row.living), running: Number(row.running) }));
}

/** A campaign of some organizations, whether or not anything of it lives. */
export function findCampaignIn(
  db: Db,
  { organizationIds, id }: Pick<Wanted, 'organizationIds'> & { readonly id: string },
): Promise<Pick<CampaignRow, 'id' | 'status'> | undefined> {
  return unscoped(db)
    .selectFrom('campaigns')
    .select(['id', 'status'])
    .where('id', '=', id)
    .where(isOneOf(db, 'organization_id', organizationIds))
    .executeTakeFirst();
}

/** How many campaigns of some organizations live at sellers, those of sandboxes aside. */
export async function countLivingIn(
  db: Db,
  { organizationIds, open }: Pick<Wanted, 'organizationIds' | 'open'>,
): Promise<number> {
  const { campaigns } = await living(db, open)
    .where(isOneOf(db, 'campaigns.organization_id', organizationIds))
    .where('campaigns.sandbox', '=', 0)
    .select(({ fn }) => fn.count('campaigns.id').distinct().as('campaigns'))
    .executeTakeFirstOrThrow();
  return Number(campaigns);
}

/** A suspended organization and how many of its campaigns live at sellers all the same. */
export interface LivingOrganization {
  readonly organization_id: number;
  readonly campaigns: number;
}

/** The suspended organizations of which campaigns live, those of sandboxes aside, the first by their numbers. */
export async function listSuspendedLiving(
  db: Db,
  { open, limit }: Pick<Wanted, 'open' | 'limit'>,
): Promise<LivingOrganization[]> {
  const suspended = unscoped(db).selectFrom('organizations').where('suspended_at', 'is not', null);
  const rows = await living(db, open)
    .where('campaigns.organization_id', 'in', suspended.select('id'))
    .where('campaigns.sandbox', '=', 0)
    .select(({ fn }) => ['campaigns.organization_id', fn.count('campaigns.id').distinct().as('campaigns')])
    .groupBy('campaigns.organization_id')
    .orderBy('campaigns.organization_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, campaigns: Number(row.campaigns) }));
}

/**
 * Of the campaigns of an organization by `campaigns_by_customer`, and of the media buys of each by
 * `media_buys_by_campaign`. Crossed, not joined: SQLite then begins with the organization, and not with whatever lives
 * of all of them.
 */
function living(db: Db, open: readonly MediaBuyStatus[]) {
  return unscoped(db)
    .selectFrom('campaigns')
    .crossJoin('media_buys')
    .whereRef('media_buys.campaign_id', '=', 'campaigns.id')
    .whereRef('media_buys.organization_id', '=', 'campaigns.organization_id')
    .where((eb) =>
      eb.or([eb('media_buys.status', 'in', open), eb('media_buys.submission', 'in', ['sending', 'unknown'])]),
    );
}

/**
 * How many media buys live at an agent, of anyone: of those in one of these statuses all, and of the others those of
 * which nobody knows whether it holds them. By `media_buys_by_status`.
 */
export async function countLivingThrough(
  db: Db,
  agentId: string,
  open: readonly MediaBuyStatus[],
): Promise<number> {
  const { total } = await unscoped(db)
    .selectFrom('media_buys')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('agent_id', '=', agentId)
    .where('status', 'in', [...open, 'DRAFT', 'FAILED'])
    .where((eb) => eb.or([eb('status', 'in', open), eb('submission', 'in', ['sending', 'unknown'])]))
    .executeTakeFirstOrThrow();
  return Number(total);
}
