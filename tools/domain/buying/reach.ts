import { type CampaignRow, findCampaign } from '../../../store/campaigns.ts';
import { findMediaBuy, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { reached } from '../../core/reach.ts';
import { lookUps } from '../look-ups.ts';
import { versionHash } from './versions.ts';

export const campaignKind: Kind = {
  type: 'CAMPAIGN',
  word: 'campaign',
  lookUp: lookUps.campaign,
  find: findCampaign,
  versioned: byRevision,
};

export const mediaBuyKind: Kind = {
  type: 'MEDIA_BUY',
  word: 'media buy',
  lookUp: lookUps.mediaBuy,
  find: findMediaBuy,
  versioned: {
    field: 'version_hash',
    of: ({ id, edition }, digest) => versionHash({ id, edition }, digest),
  },
};

export async function reachCampaign(ctx: Context, id: string): Promise<CampaignRow> {
  return reached(ctx, await findCampaign(ctx.db, ctx.scope, id), campaignKind);
}

export async function reachMediaBuy(ctx: Context, id: string): Promise<MediaBuyRow> {
  return reached(ctx, await findMediaBuy(ctx.db, ctx.scope, id), mediaBuyKind);
}
