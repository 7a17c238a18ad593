import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { counted } from '../../counted.ts';
import type { SellerPackage } from '../../sellers/seller-package.ts';
import { byPackageId } from '../buy-packages.ts';
import { orderLines } from '../payloads.ts';

/** How many packages of a buy are kept that its seller tells of: by what was ordered, with some room. Pure. */

/** Sellers split what was ordered; a change may add a year of weekly packages before it is among what was ordered. */
const TIMES_ORDERED = 2;
const MORE = 60;

interface Kept {
  readonly packages: readonly SellerPackage[];
  readonly leftOut: number;
}

/** Each package once. Those that are known stay, and others come to them as long as there is room. */
export function packagesKept(
  told: readonly SellerPackage[],
  known: readonly BuyPackage[],
  buy: Pick<MediaBuyRow, 'order_payload'>,
): Kept {
  const most = TIMES_ORDERED * orderLines(buy).length + MORE;
  const byId = byPackageId(told);
  // What was called off stays stored, though its seller lists it no more.
  const gone = known.filter(({ package_id, canceled }) => canceled === true && !byId.has(package_id));
  if (byId.size + gone.length <= most) return { packages: [...byId.values()], leftOut: 0 };
  const ids = new Set(known.map(({ package_id }) => package_id));
  let room = most - gone.length - [...byId.keys()].filter((id) => ids.has(id)).length;
  const packages = [...byId.values()].filter(({ package_id }) => {
    if (ids.has(package_id)) return true;
    room -= 1;
    return room >= 0;
  });
  return { packages, leftOut: byId.size - packages.length };
}

/**
 * What is said of a buy, of which `said` is to be told besides: that its seller tells of more than is kept, where there
 * is nothing else to say. It is no word of the seller, and stands no longer than the list it was said of.
 */
export function saidWith(leftOut: number, said: string | null): string | null {
  const others = said !== null && TOO_MANY.test(said) ? null : said;
  return others ?? (leftOut === 0 ? null : tooManyPackages(leftOut));
}

function tooManyPackages(leftOut: number): string {
  return `The seller tells of ${counted(leftOut, 'package')} more than is kept of what was ordered.`;
}

const TOO_MANY = /^The seller tells of \S+ packages? more than is kept of what was ordered\.$/;
