import { type CampaignRow, findCampaign } from '../../../store/campaigns.ts';
import type { Context } from '../../core/context.ts';
import { reached } from '../../core/reach.ts';

export async function reachCampaign(ctx: Context, id: string): Promise<CampaignRow> {
  return reached(ctx.scope, await findCampaign(ctx.db, ctx.scope, id), 'campaign');
}
