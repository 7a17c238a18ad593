import type { Db } from '../../../../store/engine/db.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findAnyMediaBuy, isTakenUnheard } from '../../../../store/unscoped/unknown-orders.ts';
import type { Actor, Services } from '../../../core/context.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import type { BuyChange } from '../answers/buy-status.ts';
import { requireNotThere } from '../answers/settled-id.ts';
import { SETTLER } from '../answers/settled-orders.ts';
import { ENDED_AS_UNFOUND, livesThere } from '../answers/unfound-buys.ts';
import { buyMachine } from '../machines.ts';
import { writeBuy } from '../orders/buy-writing.ts';
import { followSettled, inAccountOf, reasonMeant, type Settled, settledEntryOf } from './order-settling.ts';

/** What only the operator does with a media buy that lives here and that its seller does not have: end it. */

export interface Ending {
  readonly mediaBuyId: string;
  readonly reason: string;
}

/**
 * Ends one media buy of which its seller said before, and says once more now, that it does not have it. What was
 * delivered of it stays owed, the rest is released in the same transaction, and what was asked of it ends with it.
 */
export async function endUnfound(
  services: Services,
  actor: Actor,
  { mediaBuyId, reason: given }: Ending,
): Promise<Settled> {
  const reason = reasonMeant(given);
  const { limits, store } = services;
  const found = await requireUnfound(store.db, mediaBuyId);
  await requireNotThere(services, found);
  const write = inAccountOf(actor, found);
  const { after } = await write(
    async (tx) => {
      const before = await requireUnfound(tx, mediaBuyId);
      const author = { by: SETTLER, reason, isVersion: true as const };
      const row = await writeBuy(tx, before, { limits, set: afterEnd(before), now: actor.now, ...author });
      if (row !== undefined) return { before, after: row };
      throw conflict(
        `${mediaBuyId} was written by somebody else at the same moment: nothing was ended.`,
        'Call again, if its seller still does not have it.',
      );
    },
    ({ before, after }) => settledEntryOf(before, after, reason),
  );
  return followSettled(services, actor, { buy: after, write });
}

async function requireUnfound(db: Db, mediaBuyId: string): Promise<MediaBuyRow> {
  const buy = await findAnyMediaBuy(db, mediaBuyId);
  if (buy === undefined) throw conflict(`There is no media buy ${mediaBuyId}.`, DOCTOR);
  const { agent_name, status, unfound_since } = buy;
  if (!livesThere(buy)) {
    throw conflict(`${mediaBuyId} is ${status}: no seller holds it, and nothing is to be ended.`, DOCTOR);
  }
  if (isTakenUnheard(buy)) {
    throw conflict(`${agent_name} has told nothing of ${mediaBuyId} so far.`, 'Give --not-taken instead.');
  }
  if (unfound_since !== null) return buy;
  throw conflict(
    `${agent_name} was not heard to say that it does not have ${mediaBuyId}: nothing was ended.`,
    `The buyer can call it off, or ask where it stands. ${DOCTOR}`,
  );
}

const DOCTOR = 'doctor names those that their sellers do not have.';

/** As one that was called off. */
function afterEnd({ status }: MediaBuyRow): BuyChange {
  return {
    status: next(buyMachine, status, 'cancel') ?? status,
    pending_reason: null,
    pending_since: null,
    error_code: null,
    error_owner: null,
    source_message: ENDED_AS_UNFOUND,
    unfound_since: null,
    // Who does not have it reports no more of it.
    figures_awaited_since: null,
  };
}
