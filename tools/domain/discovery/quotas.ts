import { sumRevisionBytes } from '../../../store/discovery-revisions.ts';
import { countSelections } from '../../../store/discovery-selections.ts';
import { countSessions } from '../../../store/discovery-sessions.ts';
import type { Db } from '../../../store/engine/db.ts';
import { lockAccount } from '../../../store/organizations.ts';
import type { Context } from '../../core/context.ts';
import { conflict, tooManyOpen } from '../../core/errors/refusals.ts';

/** Makes sure, in the transaction that begins a session, that the account may have one more. */
export async function roomForSession(ctx: Context, tx: Db): Promise<void> {
  const { quotas } = ctx.services.limits;
  await roomToCollect(ctx, tx);
  if ((await countSessions(tx, ctx.scope)) >= quotas.storedSessions) {
    throw conflict(
      `The account has ${quotas.storedSessions} discovery sessions, which is the limit.`,
      'Continue one of them with its discoveryId, or ask the operator of this service for more.',
    );
  }
}

/** Makes sure that the account may have one more session that collects. */
export async function roomToCollect(ctx: Context, tx: Db): Promise<void> {
  const { sellerTimeoutMs, quotas } = ctx.services.limits;
  await lockAccount(tx, ctx.scope);
  if ((await countSessions(tx, ctx.scope, 'collecting')) >= quotas.openSessions) {
    throw tooManyOpen(
      `The account has ${quotas.openSessions} discovery sessions that still collect, which is the limit.`,
      {
        suggestion: 'Wait until one of them is complete, or continue one of them with its discoveryId.',
        retryAfter: Math.ceil(sellerTimeoutMs / 1_000),
      },
    );
  }
}

/** How many times what a session may keep of products its revisions may hold before no more rounds are asked. */
const REVISIONS_HOLD = 2;

/** Whether the sellers of a session may be asked once more: the revisions of earlier rounds stay, and add up. */
export async function hasRoomForRound(ctx: Context, sessionId: string): Promise<boolean> {
  const { bytesPerSession } = ctx.services.limits.quotas;
  return (await sumRevisionBytes(ctx.db, ctx.scope, sessionId)) < REVISIONS_HOLD * bytesPerSession;
}

/** Makes sure, in the transaction that wrote them, that no session has more choices than it may. */
export async function roomForChoices(ctx: Context, tx: Db, sessionId: string): Promise<void> {
  const { choicesPerSession } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  if ((await countSelections(tx, ctx.scope, sessionId)) <= choicesPerSession) return;
  throw conflict(
    `A session takes ${choicesPerSession} chosen products.`,
    'Take some back with discovery_remove_products, or choose with replace true.',
  );
}
