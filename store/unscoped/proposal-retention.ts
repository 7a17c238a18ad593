import type { CampaignStatus } from '../campaigns.ts';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Rows of a step. */
const ROWS = 500;

/** A campaign that is none of these is executed no more. */
const ALIVE: readonly CampaignStatus[] = ['DRAFT', 'ACTIVE', 'PAUSED'];

/**
 * Forgets what sellers offered by codes that could be taken up until before a time, whatever became of them; gives
 * whether there may be more. One that a campaign took up stays as long as that campaign, which looks for it each
 * time it is executed. Served by `storefront_proposals_by_end`.
 */
export async function forgetProposals(db: Db, before: string): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('storefront_proposals')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('storefront_proposals as old')
        .select('old.id')
        .where('old.expires_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('campaigns')
                .select('campaigns.id')
                .whereRef('campaigns.id', '=', 'old.redeemed_campaign_id')
                .where('campaigns.status', 'in', ALIVE),
            ),
          ),
        )
        .orderBy('old.expires_at')
        .limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
