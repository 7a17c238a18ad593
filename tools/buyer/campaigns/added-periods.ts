import { z } from 'zod';
import type { CampaignRow, PacingPeriods } from '../../../store/campaigns.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { listOpenChanges } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { contradiction, invalid } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { dayOf } from '../../core/moments.ts';
import { isEndedThere } from '../../domain/buying/answers/ended-at-seller.ts';
import { isUnsent } from '../../domain/buying/answers/unsent.ts';
import type { PlannedChange } from '../../domain/buying/changes/buy-changing.ts';
import { lackingAmong, pacedBy, partsOf } from '../../domain/buying/changes/lacking-periods.ts';
import type { WantedChange } from '../../domain/buying/changes/wanted-change.ts';
import type { ChangeResult } from '../../domain/buying/following/change-results.ts';
import { askMachine } from '../../domain/buying/machines.ts';
import { pastIssues } from '../../domain/campaigns/added-periods.ts';
import type { UpdateInput } from './campaign-update.ts';
import { periodsAdded } from './update-columns.ts';

/** Periods that follow those which the orders of a campaign were made with. */

export const pacingCascade = z
  .object({
    totalMediaBuys: z.number().int().describe('Media buys that were to have packages in the added periods.'),
    successCount: z.number().int().describe('Those whose sellers took them.'),
    failureCount: z.number().int().describe('Those whose sellers did not, or nobody knows.'),
  })
  .describe('What added periods came to; mediaBuyResults has each media buy.');

/** Further packages of what sellers hold, where periods follow those that it was ordered with. */
export async function wantedByPeriods(
  ctx: Context,
  { mediaBuys = [], reason, pacingPeriods }: Pick<UpdateInput, 'mediaBuys' | 'reason' | 'pacingPeriods'>,
  { found, row, set }: { found: CampaignRow; row: CampaignRow; set: Partial<CampaignRow> },
): Promise<WantedChange[]> {
  const added = periodsAdded(found, { pacing_periods: row.pacing_periods });
  if (added !== undefined) {
    if (mediaBuys.length > 0) throw invalid('mediaBuys', 'Add periods in a call of its own.');
    const issues = pastIssues(added, ctx.now);
    if (issues.length > 0) throw contradiction(issues, { suggestion: 'Add periods that are ahead.' });
    const { length } = added.pacing.periods;
    const indexes = Array.from({ length: added.count }, (_, index) => length - added.count + index);
    return wantedOf(ctx, { ...added, campaign: row, indexes, reason });
  }
  const pacing = repeated({ pacingPeriods, mediaBuys }, found, set);
  if (pacing === undefined) return [];
  const indexes = pacing.periods.flatMap(({ end }, index) => (end < dayOf(ctx.now) ? [] : index));
  return wantedOf(ctx, { pacing, campaign: row, indexes, reason });
}

/** The periods that a campaign has, where a call asks for them once more, and for nothing but room for them. */
function repeated(
  { pacingPeriods, mediaBuys = [] }: Pick<UpdateInput, 'mediaBuys' | 'pacingPeriods'>,
  { status, pacing_periods }: CampaignRow,
  set: Partial<CampaignRow>,
): PacingPeriods | undefined {
  const isAlone = mediaBuys.length === 0 && Object.keys(set).every((column) => column === 'budget_minor');
  const isAsked = (pacingPeriods ?? null) !== null && status !== 'DRAFT' && isAlone;
  return isAsked && pacing_periods !== null ? fromJson(pacing_periods) : undefined;
}

interface Asked {
  readonly campaign: CampaignRow;
  readonly pacing: PacingPeriods;
  readonly indexes: readonly number[];
  readonly reason: string | undefined;
}

/** What is asked of the sellers that lack packages in these periods: also of those that refused them before. */
async function wantedOf(ctx: Context, { campaign, pacing, indexes, reason }: Asked): Promise<WantedChange[]> {
  const { id: campaignId, currency } = campaign;
  const open = await listOpenChanges(ctx.db, ctx.scope, { campaignId });
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaignId);
  const paced = pacedBy({ pacing, currency, buys, open });
  const lacking = lackingAmong(buys.filter(isPacedAsCampaign), indexes, paced);
  const parts = partsOf(lacking, paced);
  return lacking.map(({ buy }, index) => ({
    mediaBuyId: buy.id,
    action: 'update',
    reason,
    added: { pacing, parts: parts[index] ?? [] },
    called: () => 'pacingPeriods',
  }));
}

/** Periods of its own go on, and an order that nobody holds is made anew with those of the campaign. */
function isPacedAsCampaign(buy: MediaBuyRow): boolean {
  if (isUnsent(buy) || isEndedThere(buy)) return false;
  return buy.pacing_periods === null && next(askMachine, buy.status, 'update') !== undefined;
}

/** Whether an update asks sellers for packages in periods of the campaign, or has others follow them. */
export function isOfPeriods(
  found: CampaignRow,
  { set, planned }: { readonly set: Partial<CampaignRow>; readonly planned: readonly PlannedChange[] },
): boolean {
  return periodsAdded(found, set) !== undefined || planned.some(({ wanted }) => wanted.added !== undefined);
}

export function cascadeOf(results: readonly ChangeResult[]): z.input<typeof pacingCascade> {
  const successCount = results.filter(({ success }) => success).length;
  return {
    totalMediaBuys: results.length,
    successCount,
    failureCount: results.length - successCount,
  };
}
