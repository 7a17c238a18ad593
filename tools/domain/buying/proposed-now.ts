import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow, ProposedBuy } from '../../../store/media-buy-changes.ts';
import type { BuyPackage, BuyProduct, MediaBuyRow } from '../../../store/media-buys.ts';
import type { BuyUpdate } from '../sellers/port.ts';
import { budgetOf, productsAfter } from './change-packages.ts';

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
  const known = fromJson(buy.packages);
  if (action === 'cancel') {
    const { packages: asked = [] } = JSON.parse(payload) as BuyUpdate;
    const ids = new Set(asked.map(({ package_id }) => package_id));
    return { ...proposed, ...orderOf(buy, calledOff(known, ids)) };
  }
  const gone = new Set(known.filter(({ canceled }) => canceled === true).map(({ package_id }) => package_id));
  if (!proposed.packages.some(({ package_id, canceled }) => canceled !== true && gone.has(package_id)))
    return proposed;
  const { products = fromJson(buy.products) } = proposed;
  return { ...proposed, ...orderOf(buy, calledOff(proposed.packages, gone), products) };
}

function calledOff(packages: readonly BuyPackage[], ids: ReadonlySet<string>): readonly BuyPackage[] {
  return packages.map((part) => (ids.has(part.package_id) ? { ...part, canceled: true } : part));
}

function orderOf(
  buy: MediaBuyRow,
  packages: readonly BuyPackage[],
  before: readonly BuyProduct[] = fromJson(buy.products),
): Required<Pick<ProposedBuy, 'packages' | 'products' | 'budget_minor'>> {
  const products = productsAfter({ ...buy, products: toJson(before) }, packages, new Map());
  return { packages, products, budget_minor: budgetOf(buy, products) };
}
