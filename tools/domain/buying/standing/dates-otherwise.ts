import { fromFlag } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { counted } from '../../counted.ts';
import { otherStart, unlessAsOrdered } from '../answers/shown-dates.ts';
import { datesApart, datesOrdered } from '../answers/shown-package-dates.ts';
import { isOpen } from '../changes/change-states.ts';
import { isDated, type Ordered, packagesOrdered } from '../choice/package-lines.ts';
import { isBegun } from '../machines.ts';
import { orderLines } from '../payloads.ts';
import { askSeller } from '../references.ts';

/** What is said of a seller that shows other dates for a media buy, or its packages, than were ordered. Pure. */

/** How many packages are told with their dates. */
const TOLD = 3;

/**
 * In words, while nothing is asked that could tell why; undefined where it shows what was ordered, and in the sandbox.
 */
export function datesOtherwise(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): string | undefined {
  const isTaken = isBegun(buy.status);
  const isAsked = changes.some(({ state, action }) => isOpen(state) && action === 'update');
  if (!isTaken || isAsked || fromFlag(buy.sandbox)) return undefined;
  const whole = {
    start: otherStart(buy, buy.shown_start),
    end: unlessAsOrdered(buy.shown_end, buy.end_time),
  };
  const lines = orderLines(buy);
  const dated = packagesOrdered(buy).filter((ordered) => isDated(ordered, lines));
  const parts = dated.flatMap((ordered) => ofPackage(ordered, buy, whole));
  const differing = [
    ...inWords(whole, { start: buy.start_time, end: buy.end_time }),
    ...parts.slice(0, TOLD),
    ...(parts.length > TOLD ? [`${counted(parts.length - TOLD, 'package')} more with others`] : []),
  ];
  if (differing.length === 0) return undefined;
  return `${buy.agent_name} shows ${differing.join(', and ')}. ${askSeller(buy)}, to show what was ordered; or ask for what it shows with media_buy_update.`;
}

type Moments<T> = Readonly<Record<'start' | 'end', T>>;

/** What is shown for the whole is not told of each package again. */
function ofPackage(ordered: Ordered, buy: MediaBuyRow, whole: Moments<string | null>): string[] {
  const { package_id, canceled } = ordered.part;
  if (canceled === true) return [];
  const { start, end } = datesApart(ordered, buy);
  const apart = { start: start === whole.start ? null : start, end: end === whole.end ? null : end };
  const differing = inWords(apart, datesOrdered(ordered, buy));
  return differing.length === 0 ? [] : [`${package_id} with ${differing.join(', and ')}`];
}

function inWords(shown: Moments<string | null>, ordered: Moments<string>): string[] {
  return (['start', 'end'] as const).flatMap((what) =>
    shown[what] === null ? [] : [`${shown[what]} as its ${what}, where ${ordered[what]} was ordered`],
  );
}
