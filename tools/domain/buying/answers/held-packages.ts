import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { packagesLeft } from '../buy-packages.ts';

/** Packages that a seller holds while their buy is live: nobody here asked for that. Pure. */

type Buy = Pick<MediaBuyRow, 'status' | 'packages'>;

/** Their ids; none where the buy itself is held, or no longer runs. */
export function heldIn(buy: Buy): string[] {
  return buy.status === 'ACTIVE'
    ? packagesLeft(buy)
        .filter(isHeld)
        .map(({ package_id }) => package_id)
    : [];
}

/** Whether all that is left of a live buy is held, so that nothing of it runs. */
export function isAllHeld(buy: Buy): boolean {
  const left = buy.status === 'ACTIVE' ? packagesLeft(buy) : [];
  return left.length > 0 && left.every(isHeld);
}

function isHeld({ paused }: BuyPackage): boolean {
  return paused === true;
}
