import { type DiscoverySessionRow, insertSession } from '../../../store/discovery-sessions.ts';
import type { Db } from '../../../store/engine/db.ts';
import { lastSubscription } from '../../../store/webhooks.ts';
import type { Context } from '../../core/context.ts';
import { type Collection, collect } from '../../domain/discovery/asking/collect.ts';
import { roomForSession } from '../../domain/discovery/quotas.ts';
import type { OpenedSession } from '../../domain/discovery/sessions/open-session.ts';

/** Stores a session with whom it asks, and has it collect in the background. */
export async function beginSession(
  ctx: Context,
  opened: OpenedSession,
  { also }: { also?: (tx: Db) => Promise<void> } = {},
): Promise<DiscoverySessionRow> {
  const collection = await ctx.write(
    async (tx): Promise<Collection> => {
      await roomForSession(ctx, tx);
      const session = { ...opened.session, last_subscription: await lastSubscription(tx, ctx.scope) };
      await insertSession(tx, ctx.scope, { session, agents: opened.agents });
      await opened.attach?.(tx);
      await also?.(tx);
      return { ...opened, session };
    },
    { resourceId: opened.session.id, advertiserId: opened.session.advertiser_id },
  );
  ctx.services.ports.background.run('discovery', (stop) => collect(ctx.services, collection, stop));
  return collection.session;
}
