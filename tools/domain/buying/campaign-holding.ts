import type { CampaignRow } from '../../../store/campaigns.ts';
import type { Db } from '../../../store/engine/db.ts';
import { lockCampaign } from '../../../store/held-campaigns.ts';
import type { Context } from '../../core/context.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { campaignKind } from './reach.ts';

/**
 * A campaign, held, as it was read: another choice of its session is seen by whoever holds it, and refused to a caller
 * who named the revision; what else is another by now was changed by somebody.
 */
export async function holdAsRead(ctx: Context, tx: Db, read: CampaignRow): Promise<CampaignRow> {
  const held = await lockCampaign(tx, ctx.scope, read.id);
  if (held === undefined || settledOf(held) !== settledOf(read)) throw staleWrite(campaignKind);
  ctx.requireVersion(held);
  return held;
}

function settledOf({ version: _, updated_at: __, ...settled }: CampaignRow): string {
  return JSON.stringify(Object.entries(settled).sort());
}
