import type { Db } from '../../../../store/engine/db.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { MINUTE_MS } from '../../../core/moments.ts';
import { afterClosed, afterNoAnswer, type BuyChange } from '../answers/buy-status.ts';
import { beyondCapWith, TAKE_LESS } from '../spend/beyond-cap.ts';

/**
 * Orders that go out later than they were stored, as where a machine slept while an order waited to be sent once more,
 * or where a process that stopped left it to the next one: what no seller has is not sent any more once its time is
 * over, or where it would take more a day by now than the daily cap allows. What is said of it then is kept, as other
 * refusals of an order are: it is over, and executing it anew reckons anew.
 */

/**
 * How long what an order was reckoned with holds: nearly always it is sent at once, and costs no look at its campaign.
 */
const RECKONED_FOR_MS = MINUTE_MS;

type KeptBack = Pick<KeptBackError, 'inDoubt' | 'isSellers'>;

export class KeptBackError extends Error {
  override readonly name = 'KeptBackError';
  /** Whether an earlier sending may have reached the seller. */
  readonly inDoubt: boolean;
  /** Whether its seller is the one that has to do something, and not its buyer. */
  readonly isSellers: boolean;

  constructor(message: string, { inDoubt = false, isSellers = false }: Partial<KeptBack> = {}) {
    super(message);
    this.inDoubt = inDoubt;
    this.isSellers = isSellers;
  }
}

/** Whose it is that something was kept back. */
export function errorOfKeptBack({ isSellers }: Pick<KeptBack, 'isSellers'>) {
  return isSellers ? UNHEARD : REFUSED;
}

const UNHEARD = { error_code: 'source_unavailable', error_owner: 'seller' } as const;
const REFUSED = { error_code: 'invalid_request', error_owner: 'buyer_input' } as const;

/**
 * It failed as one does that was not sent: it binds nothing, and can be made anew. Of one that its seller may have
 * nobody knows more than before.
 */
export function afterKeptBack({ message, inDoubt, isSellers }: KeptBackError): BuyChange {
  return {
    ...(inDoubt ? afterNoAnswer({ message, unresolved: true }) : afterClosed()),
    ...errorOfKeptBack({ isSellers }),
    source_message: message,
  };
}

/**
 * Refuses to send an order that no seller has, as the transaction would that stores it. `reckonedAt` is when it was
 * last held against the cap.
 */
export async function requireInTime(
  db: Db,
  buy: MediaBuyRow,
  { now, reckonedAt }: { readonly now: string; readonly reckonedAt: string },
): Promise<void> {
  if (buy.end_time <= now) throw new KeptBackError(`The order was kept back: ${timeOver(buy)}`);
  if (Date.parse(now) - Date.parse(reckonedAt) < RECKONED_FOR_MS) return;
  const late = await beyondCapWith(db, buy, now);
  if (late !== undefined) throw new KeptBackError(`The order was kept back: ${late} ${TAKE_LESS}`);
}

function timeOver({ end_time }: MediaBuyRow): string {
  return `its time was over at ${end_time}. You: give the campaign a later end with campaign_update.`;
}
