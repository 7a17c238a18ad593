import type { CampaignLimits } from '../../../store/campaign-limits.ts';
import { type CampaignRow, updateCampaign } from '../../../store/campaigns.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import { isOver } from '../../../store/held-campaigns.ts';
import { withdrawOfCampaign } from '../approvals/withdrawing.ts';
import type { AccountEvent } from '../events/catalogue.ts';
import { changed, tellEvents } from '../events/telling.ts';
import { toMajor } from '../money.ts';

interface Writing {
  readonly before: CampaignRow;
  readonly set: Partial<CampaignRow> & { readonly updated_at: string };
  /** What changed of it that no column of its own holds. */
  readonly also?: AccountEvent['changes'];
}

/**
 * Writes columns of a campaign, and stores the event that tells of it; of one that is over nobody is asked about
 * spends any more. Undefined when somebody else wrote first, whose word then stands.
 */
export async function writeCampaign(
  tx: Db,
  scope: Scope,
  { before, set, also }: Writing,
): Promise<CampaignRow | undefined> {
  const { id, version } = before;
  const row = await updateCampaign(tx, scope, { id, version, set });
  if (row === undefined) return row;
  const changes = { ...changed(toldOf(before), toldOf(row)), ...also };
  if (Object.keys(changes).length > 0) {
    const fields = { campaignId: id, revision: row.version, changes };
    const told = [{ event: 'campaign.updated', fields }] as const;
    await tellEvents(tx, row, { told, now: set.updated_at });
  }
  if (row.status !== before.status && isOver(row)) {
    await withdrawOfCampaign(tx, scope, { campaignId: id, now: set.updated_at });
  }
  return row;
}

/** What never changes, or is told by the revision that each event has. */
type Untold =
  | 'id'
  | 'organization_id'
  | 'customer_id'
  | 'advertiser_id'
  | 'sandbox'
  | 'currency'
  | 'version'
  | 'created_at'
  // Told by its parts.
  | 'waiting_limits'
  // Told by the approval itself.
  | 'spend_asked'
  // Told by where it stands.
  | 'archived_at'
  | 'updated_at';

/** Every other column, by the name that campaign_update has for it: one that is new does not go untold. */
const NAMES: Readonly<Record<Exclude<keyof CampaignRow, Untold>, string>> = {
  name: 'name',
  status: 'status',
  start_at: 'startDate',
  end_at: 'endDate',
  budget_minor: 'budget',
  daily_cap_minor: 'budget.dailyCap',
  pacing: 'budget.pacing',
  brief: 'brief',
  mode: 'mode',
  campaign_type: 'campaignType',
  constraints: 'constraints',
  pacing_periods: 'pacingPeriods',
  optimization_goals: 'performanceConfig.optimizationGoals',
  utm_config: 'utmConfig',
  frequency_caps: 'frequencyCaps',
  storefront_ids: 'storefrontIds',
  discovery_id: 'discoveryId',
  optimization_apply_mode: 'optimizationApplyMode',
};

const MONEY: ReadonlySet<string> = new Set(['budget_minor', 'daily_cap_minor']);

type Column = keyof typeof NAMES;
type Value = string | number | null;

function toldOf(campaign: CampaignRow): Readonly<Record<string, Value>> {
  const told = (column: Column, value: Value) =>
    typeof value === 'number' && MONEY.has(column) ? toMajor(value, campaign.currency) : value;
  const columns = Object.keys(NAMES) as Column[];
  const waiting: CampaignLimits = campaign.waiting_limits === null ? {} : fromJson(campaign.waiting_limits);
  const limits = Object.entries(waiting) as [keyof CampaignLimits, Value][];
  return Object.fromEntries([
    ...columns.map((column) => [NAMES[column], told(column, campaign[column])]),
    [campaign.status === 'ARCHIVED' ? 'archivedAt' : 'deletionAskedAt', campaign.archived_at],
    ...limits.map(([column, value]) => [`pendingUpdate.${NAMES[column]}`, told(column, value)]),
  ]);
}
