import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { Context } from '../../core/context.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { reachSession } from './reach.ts';

/** Makes sure that a session may be bought from by a campaign of this advertiser. */
export async function attachable(
  ctx: Context,
  discoveryId: string,
  advertiser: AdvertiserRow,
): Promise<void> {
  const session = await reachSession(ctx, discoveryId);
  if (session.advertiser_id === advertiser.id) return;
  throw contradicts('discoveryId', 'The session belongs to another advertiser.');
}
