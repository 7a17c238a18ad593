import { z } from 'zod';
import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { contradiction, invalid } from '../../core/errors/refusals.ts';
import { next } from '../../core/machines.ts';
import { isEndedThere } from '../../domain/buying/answers/ended-at-seller.ts';
import { isUnsent } from '../../domain/buying/answers/unsent.ts';
import { givenTo } from '../../domain/buying/changes/change-packages.ts';
import type { WantedChange } from '../../domain/buying/changes/wanted-change.ts';
import type { ChangeResult } from '../../domain/buying/following/change-sending.ts';
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
  { mediaBuys = [], reason }: Pick<UpdateInput, 'mediaBuys' | 'reason'>,
  { found, row }: { found: CampaignRow; row: CampaignRow },
): Promise<WantedChange[]> {
  const added = periodsAdded(found, { pacing_periods: row.pacing_periods });
  if (added === undefined) return [];
  if (mediaBuys.length > 0) throw invalid('mediaBuys', 'Add periods in a call of its own.');
  const issues = pastIssues(added, ctx.now);
  if (issues.length > 0) throw contradiction(issues, { suggestion: 'Add periods that are ahead.' });
  const buys = (await listMediaBuys(ctx.db, ctx.scope, found.id)).filter(isPacedAsCampaign);
  return buys.map(({ id }, index) => ({
    mediaBuyId: id,
    action: 'update',
    reason,
    // The cents that rounding leaves fall to one of them.
    added: { ...added, behindMinor: givenTo(buys.slice(0, index).flatMap((buy) => fromJson(buy.products))) },
    called: () => 'pacingPeriods',
  }));
}

/** Periods of its own go on, and an order that nobody holds is made anew with those of the campaign. */
function isPacedAsCampaign(buy: MediaBuyRow): boolean {
  if (isUnsent(buy) || isEndedThere(buy)) return false;
  return buy.pacing_periods === null && next(askMachine, buy.status, 'update') !== undefined;
}

export function cascadeOf(results: readonly ChangeResult[]): z.input<typeof pacingCascade> {
  const successCount = results.filter(({ success }) => success).length;
  return {
    totalMediaBuys: results.length,
    successCount,
    failureCount: results.length - successCount,
  };
}
