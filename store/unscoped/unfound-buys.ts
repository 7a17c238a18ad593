import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../media-buys.ts';

/** Media buys that live and that their sellers say they do not have, as whoever runs the installation looks at them. */
export type UnfoundBuy = Pick<
  MediaBuyRow,
  'id' | 'organization_id' | 'agent_name' | 'adcp_media_buy_id' | 'unfound_since'
>;

interface Wanted {
  readonly statuses: readonly MediaBuyStatus[];
  /** Said before this moment, and ever since. */
  readonly before: string;
  readonly limit: number;
}

/** Those that cost money, the oldest first. */
export function listUnfoundBuys(db: Db, { statuses, before, limit }: Wanted): Promise<UnfoundBuy[]> {
  return unscoped(db)
    .selectFrom('media_buys')
    .select(['id', 'organization_id', 'agent_name', 'adcp_media_buy_id', 'unfound_since'])
    .where('status', 'in', statuses)
    .where('unfound_since', '<', before)
    .where('sandbox', '=', 0)
    .orderBy('id')
    .limit(limit)
    .execute();
}
