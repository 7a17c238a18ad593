import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { updateIn } from '../payloads.ts';
import { calledOffIn, withCalledOff, withThose } from './called-off.ts';
import { packagesGoingOn } from './going-on.ts';

/**
 * What a change makes of its buy as that stands when it is confirmed: packages may have been called off since it was
 * asked for, or have other budgets since some of them were to be called off. Pure.
 */
export function proposedNow(
  change: Pick<MediaBuyChangeRow, 'action' | 'proposed' | 'payload'>,
  buy: MediaBuyRow,
): ProposedBuy {
  const proposed = fromJson(change.proposed);
  if (change.action === 'resume') {
    const packages = packagesGoingOn(change, buy);
    return packages === undefined ? proposed : { ...proposed, packages };
  }
  if (proposed.packages === undefined) return proposed;
  if (change.action === 'cancel') {
    const { packages: asked = [] } = updateIn(change);
    const ids = new Set(asked.map(({ package_id }) => package_id));
    // A seller may list it no more by then, which is how it shows that it called it off.
    const packages = withThose(fromJson(buy.packages), proposed.packages.map(asNotCounted), (part) =>
      ids.has(part.package_id),
    );
    return { ...proposed, ...withCalledOff(buy, ids, { packages }) };
  }
  const gone = calledOffIn(buy);
  const isWrong = proposed.packages.some(
    ({ package_id, canceled }) => canceled !== true && gone.has(package_id),
  );
  return isWrong ? { ...proposed, ...withCalledOff(buy, gone, proposed) } : proposed;
}

/** What it keeps is counted when it is called off. */
function asNotCounted({ kept_minor: _, ...part }: BuyPackage): BuyPackage {
  return part;
}
