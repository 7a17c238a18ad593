import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { findSession } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import type { Kind } from '../../core/kinds.ts';
import { reached } from '../../core/reach.ts';
import { lookUps } from '../look-ups.ts';

export const sessionKind: Kind = {
  type: 'DISCOVERY_SESSION',
  word: 'discovery session',
  lookUp: lookUps.session,
  find: findSession,
};

export async function reachSession(ctx: Context, id: string): Promise<DiscoverySessionRow> {
  return reached(ctx, await findSession(ctx.db, ctx.scope, id), sessionKind);
}
