import { sumRevisionBytes } from '../../../store/discovery-revisions.ts';
import { countSelections } from '../../../store/discovery-selections.ts';
import { countSessions } from '../../../store/discovery-sessions.ts';
import type { Db } from '../../../store/engine/db.ts';
import { lockAccount } from '../../../store/organizations.ts';
import { hideSessions, listSpareSessions, sumSessionBytes } from '../../../store/session-room.ts';
import type { Context } from '../../core/context.ts';
import { conflict, tooManyOpen } from '../../core/errors/refusals.ts';
import type { Quotas } from '../../core/limits.ts';

/** Makes sure, in the transaction that begins a session, that the account may have one more. */
export async function roomForSession(ctx: Context, tx: Db): Promise<void> {
  const { quotas } = ctx.services.limits;
  await roomToCollect(ctx, tx);
  if ((await countSessions(tx, ctx.scope)) >= quotas.storedSessions) {
    throw conflict(
      `The account has ${quotas.storedSessions} discovery sessions, which is the limit.`,
      'Continue one of them: give its discoveryId to discover_products. Or ask the operator of this service for more.',
    );
  }
}

/** Makes sure that the account may have one more session that collects: `again` is the one that is asked again. */
export async function roomToCollect(ctx: Context, tx: Db, again?: string): Promise<void> {
  const { sellerTimeoutMs, quotas } = ctx.services.limits;
  await lockAccount(tx, ctx.scope);
  if ((await countSessions(tx, ctx.scope, 'collecting')) >= quotas.openSessions) {
    ctx.services.ports.tally.limited('discovery_sessions');
    throw tooManyOpen(
      `The account has ${quotas.openSessions} discovery sessions that still collect, which is the limit.`,
      {
        suggestion:
          'Wait until one of them is complete, or continue one of them: give its discoveryId to discover_products.',
        retryAfter: Math.ceil(sellerTimeoutMs / 1_000),
      },
    );
  }
  await roomInBytes(ctx, tx, again);
}

/** Sessions that give way at once: of as many as an account may have, each may be small. */
const SPARE_AT_ONCE = 500;

/**
 * Makes sure that the sessions of the account keep less than they may: the oldest that ended, and that no campaign goes
 * with, give way before their time. The one that is asked again does not.
 */
async function roomInBytes({ services, scope, now }: Context, tx: Db, again?: string): Promise<void> {
  const { bytesPerAccount } = services.limits.quotas;
  let kept = await sumSessionBytes(tx, scope);
  let mayBeMore = true;
  while (kept >= bytesPerAccount && mayBeMore) {
    const spare = await listSpareSessions(tx, scope, { but: again, limit: SPARE_AT_ONCE });
    const ids: string[] = [];
    for (const { id, bytes } of spare) {
      if (kept < bytesPerAccount) break;
      kept -= bytes;
      ids.push(id);
    }
    await hideSessions(tx, scope, { ids, now });
    mayBeMore = spare.length === SPARE_AT_ONCE;
  }
  if (kept < bytesPerAccount) return;
  throw conflict(
    `The discovery sessions of the account that campaigns go with keep ${kept} bytes; it may have ${bytesPerAccount}.`,
    'Continue one of them: give its discoveryId to discover_products. Or ask the operator of this service for more.',
  );
}

/** Bytes of products that a session may keep: those of all that may collect at a time fit into what the account may. */
export function bytesOfSession({ bytesPerSession, bytesPerAccount, openSessions }: Quotas): number {
  return Math.min(bytesPerSession, Math.floor(bytesPerAccount / openSessions));
}

/** How many times what a session may keep of products its revisions may hold before no more rounds are asked. */
const REVISIONS_HOLD = 2;

/** Whether the sellers of a session may be asked once more: the revisions of earlier rounds stay, and add up. */
export async function hasRoomForRound(ctx: Context, sessionId: string): Promise<boolean> {
  const most = REVISIONS_HOLD * bytesOfSession(ctx.services.limits.quotas);
  return (await sumRevisionBytes(ctx.db, ctx.scope, sessionId)) < most;
}

/** Makes sure, in the transaction that wrote them, that no session has more choices than it may. */
export async function roomForChoices(ctx: Context, tx: Db, sessionId: string): Promise<void> {
  const { choicesPerSession } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  if ((await countSelections(tx, ctx.scope, sessionId)) <= choicesPerSession) return;
  throw conflict(
    `Chosen products of a session: ${choicesPerSession} at the most.`,
    'Take some back with discovery_remove_products, or choose with replace true.',
  );
}
