import { findCampaign } from '../../../store/campaigns.ts';
import type { Db } from '../../../store/engine/db.ts';
import { scopeOfRow } from '../../../store/engine/scope.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { tellEvents } from '../events/telling.ts';

/**
 * Tells whoever follows the account that a spend waits for nobody any more, and what became of it, inside the
 * transaction that makes it so. It is told of its campaign: what was decided of it may be of several media buys.
 */
export async function tellDecision(
  tx: Db,
  row: SpendApprovalRow,
  { from, now }: { readonly from: string; readonly now: string },
): Promise<void> {
  const { id: approvalId, campaign_id: campaignId, state } = row;
  const campaign = await findCampaign(tx, scopeOfRow(row), campaignId);
  if (campaign === undefined) return;
  const changes = { approval: { from, to: state } };
  const fields = { campaignId, revision: campaign.version, changes, approvalId };
  await tellEvents(tx, row, { told: [{ event: 'campaign.updated', fields }], now });
}
