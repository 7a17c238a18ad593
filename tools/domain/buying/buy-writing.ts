import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { type BuyPackage, updateMediaBuy } from '../../../store/media-buys.ts';
import { roundToMinor } from '../money.ts';
import type { SellerPackage } from '../sellers/port.ts';
import type { BuyChange } from './buy-status.ts';

/** Writes a change to a buy; undefined when somebody else wrote first, whose word then stands. */
export function storeChange(
  db: Db,
  buy: MediaBuyRow,
  { change, now, updatedBy }: { change: BuyChange; now: string; updatedBy: string },
): Promise<MediaBuyRow | undefined> {
  return updateMediaBuy(db, makeTenant(buy.organization_id), {
    id: buy.id,
    version: buy.version,
    set: {
      ...columnsOf(buy, change),
      valid_from: now,
      updated_at: now,
      updated_by: updatedBy,
    },
  });
}

/** Whether a change says anything that is not stored. The same figures once more are no news. */
export function isNews(buy: MediaBuyRow, change: BuyChange): boolean {
  const performance_at = buy.performance_at ?? change.performance_at ?? null;
  return JSON.stringify({ ...buy, ...columnsOf(buy, change), performance_at }) !== JSON.stringify(buy);
}

function columnsOf({ currency }: MediaBuyRow, { sellerPackages = [], ...columns }: BuyChange) {
  return sellerPackages.length === 0
    ? columns
    : { ...columns, packages: toJson(asPackages(sellerPackages, currency)) };
}

function asPackages(packages: readonly SellerPackage[], currency: string): BuyPackage[] {
  return packages.map(({ package_id, product_id, budget }) => ({
    package_id,
    product_id,
    budget_minor: budget === null ? null : (roundToMinor(budget, currency) ?? null),
  }));
}
