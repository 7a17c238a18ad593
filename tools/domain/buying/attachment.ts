import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { findSession } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { invalid } from '../../core/errors.ts';
import { reached } from '../../core/reach.ts';

/** Makes sure that a session may be bought from by a campaign of this advertiser. */
export async function attachable(
  ctx: Context,
  discoveryId: string,
  advertiser: AdvertiserRow,
): Promise<void> {
  const session = reached(ctx.scope, await findSession(ctx.db, ctx.scope, discoveryId), 'discovery session');
  if (session.advertiser_id === advertiser.id) return;
  throw invalid('discoveryId', 'The session belongs to another advertiser.', { status: 422 });
}
