import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { ProposedBuy } from '../../../store/media-buy-changes.ts';
import type { BuyPackage, MediaBuyRow } from '../../../store/media-buys.ts';
import { budgetOf, productsAfter } from './change-packages.ts';

/** Packages of a buy that are called off, while the others go on. Pure. */

/** The ids of those that are. */
export function calledOffIn({ packages }: Pick<MediaBuyRow, 'packages'>): ReadonlySet<string> {
  return new Set(fromJson(packages).flatMap((one) => (one.canceled === true ? one.package_id : [])));
}

/** Whether all that its seller named of it are. */
export function isAllCalledOff({ packages }: Pick<MediaBuyRow, 'packages'>): boolean {
  const told = fromJson(packages);
  return told.length > 0 && told.every(({ canceled }) => canceled === true);
}

type Order = Required<Pick<ProposedBuy, 'packages' | 'products' | 'budget_minor'>>;

/** What a buy is once these are called off, as it stands or as it is to be otherwise. */
export function withCalledOff(
  buy: MediaBuyRow,
  ids: ReadonlySet<string>,
  { packages = fromJson(buy.packages), products = fromJson(buy.products) }: ProposedBuy = {},
): Order {
  const left = packages.map(
    (part): BuyPackage => (ids.has(part.package_id) ? { ...part, canceled: true } : part),
  );
  const after = productsAfter({ ...buy, products: toJson(products) }, left, new Map());
  return { packages: left, products: after, budget_minor: budgetOf(buy, after) };
}
