import { type CampaignRow, updateCampaign } from '../../../store/campaigns.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import { changed, tellEvents } from '../events/telling.ts';
import { toMajor } from '../money.ts';

/**
 * Writes columns of a campaign, and stores the event that tells of it. Undefined when somebody else wrote first,
 * whose word then stands.
 */
export async function writeCampaign(
  tx: Db,
  scope: Scope,
  { before, set }: { before: CampaignRow; set: Partial<CampaignRow> & { readonly updated_at: string } },
): Promise<CampaignRow | undefined> {
  const { id, version } = before;
  const row = await updateCampaign(tx, scope, { id, version, set });
  if (row === undefined) return row;
  const changes = changed(toldOf(before), toldOf(row));
  if (changes !== undefined) {
    const fields = { campaignId: id, revision: row.version, changes };
    const told = [{ event: 'campaign.updated', fields }] as const;
    await tellEvents(tx, row, { told, now: set.updated_at });
  }
  return row;
}

function toldOf(campaign: CampaignRow) {
  const { name, status, start_at, end_at, budget_minor, currency, discovery_id } = campaign;
  return {
    name,
    status,
    startDate: start_at,
    endDate: end_at,
    budget: toMajor(budget_minor, currency),
    discoveryId: discovery_id,
  };
}
