import type { Db } from '../../../store/engine/db.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { beyondCapWith, TAKE_LESS } from './beyond-cap.ts';
import { afterClosed, type BuyChange } from './buy-status.ts';

/**
 * Orders that go out later than they were stored, as where a machine slept while an order waited to be sent once more:
 * what no seller has is not sent any more where it would take more a day by now than the daily cap allows.
 */

/** How long what an order was reckoned with holds: nearly always it is sent at once, and costs no look at its campaign. */
const RECKONED_FOR_MS = 60_000;

export class KeptBackError extends Error {
  override readonly name = 'KeptBackError';
}

/** It failed as one does that was not sent: it binds nothing, and can be made anew. */
export function afterKeptBack({ message }: KeptBackError): BuyChange {
  return {
    ...afterClosed(),
    error_code: 'invalid_request',
    error_owner: 'buyer_input',
    source_message: message,
  };
}

/** Refuses to send an order that no seller has, as the transaction would that stores it. */
export async function requireInTime(db: Db, buy: MediaBuyRow, now: string): Promise<void> {
  if (Date.parse(now) - Date.parse(buy.updated_at) < RECKONED_FOR_MS) return;
  const late = await beyondCapWith(db, buy, now);
  if (late !== undefined) throw new KeptBackError(`The order was kept back: ${late} ${TAKE_LESS}`);
}
