import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { listBuyersOf, lockCampaign } from '../../../../store/held-campaigns.ts';
import type { Context } from '../../../core/context.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { writeCampaign } from '../../campaigns/writing.ts';
import { campaignKind } from '../reach.ts';

/**
 * What is chosen in a session is bought by its campaigns: another choice makes another revision of each, so that
 * whoever would buy what it read before is told.
 */

/** Holds the campaigns that buy from a session, always in the same order. */
export async function holdBuyers(ctx: Context, tx: Db, sessionId: string): Promise<CampaignRow[]> {
  const ids = await listBuyersOf(tx, ctx.scope, sessionId);
  const held: CampaignRow[] = [];
  for (const id of ids.sort()) {
    const row = await lockCampaign(tx, ctx.scope, id);
    if (row !== undefined && row.discovery_id === sessionId) held.push(row);
  }
  return held;
}

/** Writes another revision of held campaigns, whose choice has so many products now. */
export async function reviseBuyers(
  ctx: Context,
  tx: Db,
  { held, count }: { held: readonly CampaignRow[]; count: { readonly from: number; readonly to: number } },
): Promise<CampaignRow[]> {
  const written: CampaignRow[] = [];
  for (const before of held) {
    const also = { selectedProducts: { from: count.from, to: count.to } };
    const row = await writeCampaign(tx, ctx.scope, { before, set: { updated_at: ctx.now }, also });
    if (row === undefined) throw staleWrite(campaignKind);
    written.push(row);
  }
  return written;
}
