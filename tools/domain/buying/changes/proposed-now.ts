import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { BuyUpdate } from '../../sellers/port.ts';
import { calledOffIn, withCalledOff } from './called-off.ts';

/**
 * What a change makes of its buy as that stands when it is confirmed: packages may have been called off since it was
 * asked for, or have other budgets since some of them were to be called off. Pure.
 */
export function proposedNow(
  { action, proposed: text, payload }: Pick<MediaBuyChangeRow, 'action' | 'proposed' | 'payload'>,
  buy: MediaBuyRow,
): ProposedBuy {
  const proposed = fromJson(text);
  if (proposed.packages === undefined) return proposed;
  if (action === 'cancel') {
    const { packages: asked = [] } = JSON.parse(payload) as BuyUpdate;
    return { ...proposed, ...withCalledOff(buy, new Set(asked.map(({ package_id }) => package_id))) };
  }
  const gone = calledOffIn(buy);
  const isWrong = proposed.packages.some(
    ({ package_id, canceled }) => canceled !== true && gone.has(package_id),
  );
  return isWrong ? { ...proposed, ...withCalledOff(buy, gone, proposed) } : proposed;
}
