import { findAdvertiser } from '../../../store/advertisers.ts';
import { findCampaign } from '../../../store/campaigns.ts';
import { listOpenChanges } from '../../../store/media-buy-changes.ts';
import { listMediaBuys } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';
import { statusAt } from '../../domain/approvals/machine.ts';
import { namedIn } from '../../domain/approvals/withdrawing.ts';
import { countedMinor } from '../../domain/buying/spend/change-commitments.ts';
import { toMajor } from '../../domain/money.ts';
import { spendApprovalRecord } from './record.ts';

/** What somebody who decides has to know of a spend beside what was asked: whose it is, and what it comes to. */

/** An approval with what it is about: the names as they are now, and while it waits what is held without it. */
export async function spendApprovalShown(ctx: Context, row: SpendApprovalRow) {
  const { db, scope, now } = ctx;
  const record = spendApprovalRecord(row, now);
  const campaign = await findCampaign(db, scope, row.campaign_id);
  const advertiser = await findAdvertiser(db, scope, row.advertiser_id);
  const names = { campaignName: campaign?.name, advertiserName: advertiser?.name };
  if (statusAt(row, now) !== 'pending') return { ...record, ...names };
  // Changes first: one that its seller confirms in between counts twice then, and never not at all.
  const open = await listOpenChanges(db, scope, { campaignId: row.campaign_id });
  const buys = await listMediaBuys(db, scope, row.campaign_id);
  const heldMinor = buys.reduce((sum, buy) => sum + countedMinor(buy, open), 0);
  const named = namedIn(row);
  const meant = buys.filter(({ id }) => named?.includes(id) ?? true);
  return {
    ...record,
    ...names,
    held: toMajor(heldMinor, row.currency),
    sellerNames: [...new Set(meant.map(({ agent_name }) => agent_name))],
  };
}
