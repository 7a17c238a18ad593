import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { contradicts } from '../../core/errors/refusals.ts';
import { reachSession, requireCurrencyKept } from '../../domain/discovery/reach.ts';

/** The session that a campaign of this advertiser is to buy from. */
export async function attachable(
  ctx: Context,
  discoveryId: string,
  advertiser: AdvertiserRow,
): Promise<DiscoverySessionRow> {
  const session = await reachSession(ctx, discoveryId);
  if (session.advertiser_id !== advertiser.id) {
    throw contradicts('discoveryId', 'The session belongs to another advertiser.', {
      suggestion: 'Give a session of this advertiser: discover_products begins one.',
    });
  }
  requireCurrencyKept(session, advertiser);
  return session;
}
