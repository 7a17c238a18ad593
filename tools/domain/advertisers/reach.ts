import { type AdvertiserRow, findAdvertiser } from '../../../store/advertisers.ts';
import type { Context } from '../../core/context.ts';
import type { Kind } from '../../core/kinds.ts';
import { reached } from '../../core/reach.ts';

export const advertiserKind: Kind = {
  type: 'ADVERTISER',
  word: 'advertiser',
  lookUp: 'Find its id with advertiser_list.',
  versioned: true,
};

/** The advertiser a call is about. */
export async function reachAdvertiser(ctx: Context, id: number): Promise<AdvertiserRow> {
  const row = await findAdvertiser(ctx.db, ctx.scope, id);
  return reached(ctx, row && { ...row, advertiser_id: row.id }, advertiserKind);
}
