import { fromJson } from '../../../store/engine/codec.ts';
import type { BuyPackage, MediaBuyRow } from '../../../store/media-buys.ts';
import { toMajor } from '../money.ts';
import { orderLines, packagesNow } from './package-lines.ts';

/**
 * What can be asked of a buy part by part, for those who are told what changed: `packages.pkg_1.bid_price`, and of one
 * that no seller holds `products.prd_1.budget`. Money in major units. What was not said of a part is what it was
 * ordered as. Pure.
 */
export function partsOf(buy: MediaBuyRow): Readonly<Record<string, unknown>> {
  const { optimization_goals: goals, pacing_periods: periods } = buy;
  return {
    optimization_goals: goals === null ? undefined : fromJson(goals),
    pacing_periods: periods === null ? undefined : fromJson(periods),
    ...Object.fromEntries(linesOf(buy)),
  };
}

function linesOf(buy: MediaBuyRow): [string, unknown][] {
  const { currency } = buy;
  const packages = packagesNow(buy).flatMap(({ package_id: id, product_id: _same, ...part }) =>
    linesOfPart(`packages.${id}`, part, currency),
  );
  return packages.length > 0 ? packages : productLines(buy);
}

function productLines(buy: MediaBuyRow): [string, unknown][] {
  const lines = orderLines(buy);
  return fromJson(buy.products).flatMap(({ product_id: id, name: _named, format_ids: _fixed, ...part }) => {
    const pacing = part.pacing ?? lines.find(({ product_id }) => product_id === id)?.pacing;
    return linesOfPart(`products.${id}`, pacing === undefined ? part : { ...part, pacing }, buy.currency);
  });
}

function linesOfPart(
  at: string,
  { budget_minor: minor, ...others }: Pick<BuyPackage, 'budget_minor'>,
  currency: string,
): [string, unknown][] {
  const budget = minor === null ? null : toMajor(minor, currency);
  return Object.entries({ budget, ...others }).map(([field, value]) => [`${at}.${field}`, value]);
}
