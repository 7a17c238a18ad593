import { listInventorySources } from '../../../store/inventory-sources.ts';
import { countLivingThrough } from '../../../store/unscoped/living-campaigns.ts';
import type { Context } from '../../core/context.ts';
import { openStatuses } from '../../domain/buying/machines.ts';
import { counted } from '../../domain/counted.ts';

/** What goes on at a storefront that closes, for its seller, who sees buyers by their number alone. */
export async function livingOn({
  db,
  scope,
}: Pick<Context, 'db' | 'scope'>): Promise<{ warnings?: string[] }> {
  const sources = await listInventorySources(db, scope);
  const each = await Promise.all(
    sources.map(({ agent_id }) => countLivingThrough(db, agent_id, openStatuses)),
  );
  const living = each.reduce((sum, one) => sum + one, 0);
  if (living === 0) return {};
  const [goOn, them, end] =
    living === 1 ? ['goes on', 'it', 'it has ended'] : ['go on', 'them', 'they have ended'];
  return {
    warnings: [
      `Your storefront is closed to new orders. ${counted(living, 'media buy')} of it ${goOn} as before: your ` +
        `sources are asked about ${them}, and told of every change, until ${end}.`,
    ],
  };
}
