import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { linesAdded } from '../../campaigns/added-periods.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { toMajor } from '../../money.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { later } from '../../time.ts';
import { orderIn } from '../payloads.ts';
import { budgetOf } from './change-packages.ts';
import { orderedAsNow } from './change-targeting.ts';
import { goingBudgets } from './kept-budgets.ts';
import type { AddedToBuy, Flight, Terms } from './wanted-change.ts';

/** What periods that are added to a campaign make of an order that a seller holds: further packages. Pure. */

const NOTHING: Terms = { asked: {}, proposed: {}, issues: [] };

/** One package a product and period, each like those that the product was ordered by. */
export function termsAdded(
  buy: MediaBuyRow,
  added: AddedToBuy,
  { flight, now }: { flight: Flight; now: string },
): Terms {
  const { packages: ordered } = orderIn(buy);
  const going = goingBudgets(buy);
  const parts = fromJson(buy.products).map((product, index) =>
    partAdded(product, {
      buy,
      added,
      behindMinor: going.slice(0, index).reduce((sum, minor) => sum + minor, 0),
      budgetMinor: going[index] ?? 0,
      flight,
      now,
      before: ordered.find(isOf(product)),
    }),
  );
  const newPackages = parts.flatMap((part) => part.packages);
  if (newPackages.length === 0) return NOTHING;
  const products = parts.map((part) => part.product);
  const endTime = newPackages.reduce((last, { end_time = last }) => later(last, end_time), buy.end_time);
  const isLonger = endTime !== buy.end_time;
  return {
    asked: {
      newPackages,
      knownPackages: fromJson(buy.packages).map(({ package_id }) => package_id),
      ...(isLonger ? { endTime } : {}),
    },
    proposed: {
      products,
      budget_minor: budgetOf(buy, products),
      ...(isLonger ? { end_time: endTime } : {}),
    },
    issues: [],
  };
}

function isOf({ product_id }: BuyProduct): (one: OrderPackage) => boolean {
  return (one) => one.product_id === product_id;
}

interface Adding {
  readonly buy: MediaBuyRow;
  readonly added: AddedToBuy;
  /** What goes on of its budget, and of those of the products before it. */
  readonly budgetMinor: number;
  readonly behindMinor: number;
  readonly flight: Flight;
  readonly now: string;
  readonly before: OrderPackage | undefined;
}

/** The packages of a product, and the product with what they have in all. */
function partAdded(product: BuyProduct, { buy, added, flight, now, before, ...shared }: Adding) {
  if (before === undefined) return { packages: [], product };
  const { currency, fee_bps: feeBps } = buy;
  const { start_at: startAt, end_at: endAt } = flight;
  const lines = linesAdded(added.pacing, added.parts, { startAt, endAt, ...shared, currency, now });
  const packages = lines.map(
    ({ budgetMinor, startTime, endTime }): OrderPackage => ({
      ...orderedAsNow(before, product, { buy, flight }),
      budget: toMajor(mediaBudgetOf(budgetMinor, feeBps), currency),
      gross_minor: budgetMinor,
      start_time: startTime,
      end_time: endTime,
    }),
  );
  const budget_minor = lines.reduce((sum, { budgetMinor }) => sum + budgetMinor, product.budget_minor);
  return { packages, product: { ...product, budget_minor } };
}
