import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { listUndecided, type SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { listUndecidedOfCampaigns } from '../../../store/spends-asked-of.ts';
import type { Context } from '../../core/context.ts';
import { readMoney } from '../money.ts';
import { boundedText } from '../text.ts';
import { statusAt } from './machines.ts';

/** Spends that wait for another person, as they are told where somebody looks for what keeps a campaign. */

const NAME_MAX = 120;

/** What of a campaign can still be decided. Of one that is over nothing can: it was withdrawn with that. */
export async function awaitedOf(
  { db, scope, now }: Asking,
  campaign: Asked,
): Promise<readonly SpendApprovalRow[]> {
  if (!mayWait(campaign)) return [];
  const undecided = await listUndecided(db, scope, campaign.id);
  return undecided.filter((row) => statusAt(row, now) === 'pending');
}

/** The same of a page of campaigns, by their ids: one look for all of them, and none where none was ever asked of. */
export async function awaitedOfEach(
  { db, scope, now }: Asking,
  campaigns: readonly Asked[],
): Promise<ReadonlyMap<string, readonly SpendApprovalRow[]>> {
  const ids = campaigns.filter(mayWait).map(({ id }) => id);
  const awaited = new Map<string, SpendApprovalRow[]>();
  for (const row of await listUndecidedOfCampaigns(db, scope, ids)) {
    if (statusAt(row, now) !== 'pending') continue;
    awaited.set(row.campaign_id, [...(awaited.get(row.campaign_id) ?? []), row]);
  }
  return awaited;
}

type Asking = Pick<Context, 'db' | 'scope' | 'now'>;
type Asked = Pick<CampaignRow, 'id' | 'status' | 'spend_asked'>;

function mayWait({ status, spend_asked: asked }: Asked): boolean {
  return fromFlag(asked) && GOES_ON.has(status);
}

const GOES_ON: ReadonlySet<string> = new Set(['DRAFT', 'ACTIVE', 'PAUSED']);

/** What waits, who has to decide it until when, and what not to do meanwhile. Pure. */
export function awaitedInWords(row: SpendApprovalRow): string {
  const { id, tool, currency, amount_minor, limit_minor, asked_by_name, created_at, expires_at } = row;
  const [amount, limit] = [amount_minor, limit_minor].map((minor) => readMoney(minor, currency));
  return [
    `${tool}, asked for by ${boundedText(asked_by_name, NAME_MAX)} at ${created_at}, waits for another person:`,
    `the campaign would hold ${amount}, and above ${limit} an administrator who did not ask has to allow it.`,
    `That is ${id} at /settings/approvals, until ${expires_at}.`,
    'Follow it with spend_approval_get, and do not call again meanwhile.',
  ].join(' ');
}
