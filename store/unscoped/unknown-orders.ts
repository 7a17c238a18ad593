import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Db } from '../engine/db.ts';
import { isOneOf } from '../engine/pieces.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyRow } from '../media-buys.ts';

/**
 * Orders of which nobody knows whether their sellers took them, as whoever runs the installation looks at them; and
 * those that were settled as taken while their sellers have told nothing of them, as of an id that is another's.
 */

export type UnknownOrder = Pick<
  MediaBuyRow,
  | 'id'
  | 'organization_id'
  | 'campaign_id'
  | 'name'
  | 'agent_name'
  | 'budget_minor'
  | 'currency'
  | 'sandbox'
  | 'created_at'
  | 'valid_from'
  | 'source_message'
  | 'submission'
  | 'adcp_media_buy_id'
> & {
  /** Whether its seller is there to be asked: 1, or 0 where it has left the marketplace. */
  readonly has_seller: number;
};

interface Wanted {
  /** Of these organizations alone. */
  readonly organizationIds?: readonly number[] | undefined;
  /** Ordered before this moment. */
  readonly before?: string | undefined;
  /** Those that cost money alone. */
  readonly isLive?: true | undefined;
  /** The media buy behind which it goes on. */
  readonly after: string;
  readonly limit: number;
}

/** Whether an order was settled as taken and its seller told nothing since: with any other id came a status. */
export function isTakenUnheard(buy: Unheard): boolean {
  const { submission, status, adcp_media_buy_id, adcp_status, packages } = buy;
  const isTaken = submission === 'answered' && status === 'PENDING_APPROVAL' && adcp_media_buy_id !== null;
  return isTaken && adcp_status === null && packages === NO_PACKAGES;
}

type Unheard = Pick<MediaBuyRow, 'submission' | 'status' | 'adcp_media_buy_id' | 'adcp_status' | 'packages'>;

const NO_PACKAGES = '[]';

/** The same in a query. */
function takenUnheard(eb: ExpressionBuilder<Database, 'media_buys'>) {
  return eb.and([
    eb('submission', '=', 'answered'),
    eb('status', '=', 'PENDING_APPROVAL'),
    eb('adcp_media_buy_id', 'is not', null),
    eb('adcp_status', 'is', null),
    eb('packages', '=', NO_PACKAGES),
  ]);
}

/**
 * The next of them, the oldest first. Served by `media_buys_by_submission` and `media_buys_by_status`: of both there
 * are few.
 */
export async function listUnknownOrders(
  db: Db,
  { organizationIds, before, isLive, after, limit }: Wanted,
): Promise<UnknownOrder[]> {
  const rows = await unscoped(db)
    .selectFrom('media_buys')
    .select([
      'id',
      'organization_id',
      'campaign_id',
      'name',
      'agent_name',
      'budget_minor',
      'currency',
      'sandbox',
      'created_at',
      'valid_from',
      'source_message',
      'submission',
      'adcp_media_buy_id',
    ])
    .select(({ selectFrom }) =>
      selectFrom('inventory_sources')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('inventory_sources.agent_id', '=', 'media_buys.agent_id')
        .as('has_seller'),
    )
    .where((eb) => eb.or([eb('submission', '=', 'unknown'), takenUnheard(eb)]))
    .where('id', '>', after)
    .$if(organizationIds !== undefined, (query) =>
      query.where(isOneOf(db, 'media_buys.organization_id', organizationIds ?? [])),
    )
    .$if(before !== undefined, (query) => query.where('created_at', '<', before ?? ''))
    .$if(isLive === true, (query) => query.where('sandbox', '=', 0))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, has_seller: Number(row.has_seller) }));
}

/** A media buy, whosever it is. */
export function findAnyMediaBuy(db: Db, id: string): Promise<MediaBuyRow | undefined> {
  return unscoped(db).selectFrom('media_buys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Another media buy that its seller calls so, whosever it is. Served by `media_buys_by_name_at_seller`. */
export function findNamedSo(
  db: Db,
  { id, agentId, adcpId }: { readonly id: string; readonly agentId: string; readonly adcpId: string },
): Promise<Pick<MediaBuyRow, 'id' | 'organization_id' | 'advertiser_id'> | undefined> {
  return unscoped(db)
    .selectFrom('media_buys')
    .select(['id', 'organization_id', 'advertiser_id'])
    .where('agent_id', '=', agentId)
    .where('adcp_media_buy_id', '=', adcpId)
    .where('id', '!=', id)
    .executeTakeFirst();
}

/** Holds a storefront until the transaction ends, as `lockAccount` does an account. */
export async function lockStorefrontOf(db: Db, id: number): Promise<void> {
  await unscoped(db)
    .updateTable('storefronts')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', id)
    .execute();
}
