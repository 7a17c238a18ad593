import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { toMajor } from '../../money.ts';
import { packagesNow } from '../choice/package-lines.ts';
import { orderLines } from '../payloads.ts';
import { packageBudget } from '../spend/budget-parts.ts';

/**
 * What can be asked of a buy part by part, for those who are told what changed: `packages.pkg_1.bid_price`, and of one
 * that no seller holds `products.prd_1.budget`. Money in major units, with the fee in it as everywhere. What was not
 * said of a part is what it was ordered as. Pure.
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
  const packages = packagesNow(buy).flatMap((part) => {
    const { package_id: id, product_id: _same, budget_minor: _net, kept_minor: _kept, ...said } = part;
    const {
      ended_by_seller: _by,
      of_all: _all,
      line: _place,
      gross_minor: _whole,
      never_ordered: _never,
      ...others
    } = said;
    return linesOfPart(`packages.${id}`, { budget: packageBudget(buy, part), ...others });
  });
  return packages.length > 0 ? packages : productLines(buy);
}

function productLines(buy: MediaBuyRow): [string, unknown][] {
  const lines = orderLines(buy);
  return fromJson(buy.products).flatMap((product) => {
    const { product_id: id, name: _named, format_ids: _fixed, budget_minor: minor, ...others } = product;
    const pacing = others.pacing ?? lines.find(({ product_id }) => product_id === id)?.pacing;
    return linesOfPart(`products.${id}`, {
      budget: toMajor(minor, buy.currency),
      ...others,
      ...(pacing === undefined ? {} : { pacing }),
    });
  });
}

function linesOfPart(at: string, fields: object): [string, unknown][] {
  return Object.entries(fields).map(([field, value]) => [`${at}.${field}`, value]);
}
