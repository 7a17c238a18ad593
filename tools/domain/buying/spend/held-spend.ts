import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { readMoney } from '../../money.ts';
import { askSeller } from '../references.ts';

/** What is spent of a media buy that is held: nothing, unless its seller reports more than it had when it was. Pure. */

type Standing = Pick<MediaBuyRow, 'status' | 'spend_minor' | 'held_spend_minor'>;

/** What was spent when it was held, as it is to be kept with these columns; null of one that is not. */
export function heldWith(
  buy: Standing,
  set: Partial<MediaBuyRow>,
): Partial<Pick<MediaBuyRow, 'held_spend_minor'>> {
  const { status = buy.status, spend_minor = buy.spend_minor } = set;
  if (status === buy.status) return {};
  return { held_spend_minor: status === 'PAUSED' ? spend_minor : null };
}

type Told = Pick<
  MediaBuyRow,
  'spend_minor' | 'held_spend_minor' | 'currency' | 'agent_name' | 'storefront_id' | 'id'
>;

const HELD = 'It is held, and nothing is spent.';

/** That it is held, and what its seller has reported since. */
export function heldInWords(buy: Told): string {
  const more = buy.spend_minor - (buy.held_spend_minor ?? buy.spend_minor);
  if (more <= 0) return HELD;
  const since = `It is held, and ${buy.agent_name} has reported ${readMoney(more, buy.currency)} more since`;
  return `${since}, which it may have counted late. ${askSeller(buy)}, whether it runs on.`;
}
