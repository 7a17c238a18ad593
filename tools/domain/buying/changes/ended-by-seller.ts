import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { listOpenChangesOf, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { productOfPackage } from '../choice/package-products.ts';
import { isLive } from '../machines.ts';
import { updateIn } from '../payloads.ts';
import { isReleased } from '../spend/budget-parts.ts';
import { withCalledOff } from './called-off.ts';

type Ended = Partial<Pick<MediaBuyRow, 'packages' | 'products' | 'budget_minor'>>;

/**
 * What a buy is once what its seller shows as called off counts as called off: what was delivered of it stays bound,
 * and no more. Nothing where there is none, and of a buy that is over, which keeps what was delivered as a whole. What
 * its seller was asked to call off it did not call off by itself, though nothing was heard of that until now.
 */
export async function withEndedThere(db: Db, buy: MediaBuyRow): Promise<Ended> {
  if (!isLive(buy)) return {};
  const packages = fromJson(buy.packages);
  const ids = new Set(
    packages.filter((part) => isEndedUncounted(buy, part)).map(({ package_id }) => package_id),
  );
  if (ids.size === 0) return {};
  const asked = askedToEnd(await listOpenChangesOf(db, tenantOfRow(buy), { mediaBuyId: buy.id }));
  const marked = packages.map(
    (part): BuyPackage =>
      ids.has(part.package_id) && !asked.has(part.package_id) ? { ...part, ended_by_seller: true } : part,
  );
  const after = withCalledOff({ ...buy, packages: toJson(marked) }, ids);
  return {
    packages: toJson(after.packages),
    products: toJson(after.products),
    budget_minor: after.budget_minor,
  };
}

/** Where nobody can tell its product nothing can be released of it. */
function isEndedUncounted(buy: MediaBuyRow, part: BuyPackage): boolean {
  if (part.canceled !== true || part.kept_minor !== undefined || isReleased(buy, part)) return false;
  return productOfPackage(buy, part) !== undefined;
}

/** The packages whose end was asked for, and waits. */
function askedToEnd(open: readonly MediaBuyChangeRow[]): ReadonlySet<string> {
  const parts = open.flatMap((change) => updateIn(change).packages ?? []);
  return new Set(parts.flatMap(({ package_id, canceled }) => (canceled === true ? package_id : [])));
}
