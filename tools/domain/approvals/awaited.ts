import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { listUndecided, type SpendApprovalRow } from '../../../store/spend-approvals.ts';
import type { Context } from '../../core/context.ts';
import { readMoney } from '../money.ts';
import { boundedText } from '../text.ts';
import { statusAt } from './machines.ts';

/** Spends that wait for another person, as they are told where somebody looks for what keeps a campaign. */

const NAME_MAX = 120;

/** What of a campaign can still be decided. Of one that is over nothing can: it was withdrawn with that. */
export async function awaitedOf(
  { db, scope, now }: Pick<Context, 'db' | 'scope' | 'now'>,
  { id, status, spend_asked: asked }: Pick<CampaignRow, 'id' | 'status' | 'spend_asked'>,
): Promise<readonly SpendApprovalRow[]> {
  if (!fromFlag(asked) || !GOES_ON.has(status)) return [];
  const undecided = await listUndecided(db, scope, id);
  return undecided.filter((row) => statusAt(row, now) === 'pending');
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
