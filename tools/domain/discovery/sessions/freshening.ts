import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Context } from '../../../core/context.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { MINUTE_MS } from '../../../core/moments.ts';
import { openedWith } from '../../discovery-opening.ts';
import { hasRoomForRound } from '../quotas.ts';
import { reachSession } from '../reach.ts';
import { startRound } from './rounds.ts';

/** What sellers said is worth so much time; who comes back later has them asked again. */
const CACHE_MS = 30 * MINUTE_MS;

/** Asks the sellers of a session for the same again where what they brought has become too old, and there is room. */
export async function freshened(
  ctx: Context,
  session: DiscoverySessionRow,
  { debug }: { debug: boolean },
): Promise<DiscoverySessionRow> {
  const isOffer = openedWith(session).offerId !== undefined;
  const isDue = !isOffer && isStale(session, ctx.now) && (await hasRoomForRound(ctx, session.id));
  return isDue ? askedAgain(ctx, session, debug) : session;
}

function isStale(session: DiscoverySessionRow, now: string): boolean {
  return session.completed_at !== null && Date.parse(session.completed_at) + CACHE_MS < Date.parse(now);
}

/**
 * Who goes on did not ask for a new round: where there is no room for one, or somebody else has begun it meanwhile, the
 * session is shown as it stands. The refusals of a full account even say to go on with a session that is there.
 */
async function askedAgain(
  ctx: Context,
  session: DiscoverySessionRow,
  debug: boolean,
): Promise<DiscoverySessionRow> {
  try {
    return await startRound(ctx, session, { items: [], debug });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return reachSession(ctx, session.id);
  }
}
