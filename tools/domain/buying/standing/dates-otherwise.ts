import { fromFlag } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { otherStart, unlessAsOrdered } from '../answers/shown-dates.ts';
import { isOpen } from '../changes/change-states.ts';
import { isBegun } from '../machines.ts';
import { askSeller } from '../references.ts';

/** What is said of a seller that shows other flight dates for a media buy than were ordered. Pure. */

/**
 * In words, while nothing is asked that could tell why; undefined where it shows what was ordered, and in the sandbox.
 */
export function datesOtherwise(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): string | undefined {
  const isTaken = isBegun(buy.status);
  const isAsked = changes.some(({ state, action }) => isOpen(state) && action === 'update');
  if (!isTaken || isAsked || fromFlag(buy.sandbox)) return undefined;
  const differing = [
    inWords('start', otherStart(buy, buy.shown_start), buy.start_time),
    inWords('end', unlessAsOrdered(buy.shown_end, buy.end_time), buy.end_time),
  ].filter((one) => one !== undefined);
  if (differing.length === 0) return undefined;
  return `${buy.agent_name} shows ${differing.join(', and ')}. ${askSeller(buy)}, to show what was ordered; or ask for what it shows with media_buy_update.`;
}

function inWords(what: string, shown: string | null, ordered: string): string | undefined {
  return shown === null ? undefined : `${shown} as its ${what}, where ${ordered} was ordered`;
}
