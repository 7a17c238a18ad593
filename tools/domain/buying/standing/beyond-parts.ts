import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import { firstFew } from '../../counted.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { readMoney, roundToMinor } from '../../money.ts';
import { packagesById, packagesIn, packagesLeft } from '../buy-packages.ts';
import { isOpen } from '../changes/change-states.ts';
import { packageOfAll } from '../choice/package-of-all.ts';
import { type Held, productOfPackage } from '../choice/package-products.ts';
import { packageBudget } from '../spend/budget-parts.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { spendByPackage } from '../spend/package-spend.ts';

/** What single packages spent beyond their budgets, while all of them together keep to what was ordered. Pure. */

/** Sellers round: a hundredth is not spoken of. */
const HUNDREDTH = 100;

/** How many are named. */
const NAMED = 5;

/** Each with what it spent and what it has, in words; undefined where none did. */
export function partsBeyond(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]): string | undefined {
  // One that holds all of it is told of as the whole.
  if (packageOfAll(packagesIn(buy)) !== undefined) return undefined;
  const told = spendByPackage(buy);
  const asked = changes.filter(({ state }) => isOpen(state)).map((change) => withAsked(buy, change));
  const beyond = packagesLeft(buy).flatMap(({ package_id }) => {
    const spent = grossBudgetOf(told.get(package_id) ?? 0, buy.fee_bps);
    const has = mostOf([buy, ...asked], package_id);
    if (has === undefined || spent <= has + has / HUNDREDTH) return [];
    const [delivered, ordered] = [spent, has].map((minor) => readMoney(minor, buy.currency));
    return [`${package_id} (${delivered}, where ${ordered} were ordered)`];
  });
  return beyond.length === 0 ? undefined : firstFew(beyond, { most: NAMED, word: 'package' });
}

/** A raise that waits may have been taken by its seller, which then delivers of it before it is confirmed. */
function withAsked(buy: MediaBuyRow, { proposed }: MediaBuyChangeRow): MediaBuyRow {
  return { ...buy, ...columnsProposed(fromJson(proposed)) };
}

/** The most that a package has; undefined where nobody can tell what it has. */
function mostOf(buys: readonly MediaBuyRow[], id: string): number | undefined {
  const budgets = buys.map((buy) => budgetOf(buy, packagesById(buy).get(id)));
  const known = budgets.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** As its seller shows it, or what is left of its product beside the others, whichever is more. */
function budgetOf(buy: MediaBuyRow, part: BuyPackage | undefined): number | undefined {
  if (part === undefined || part.canceled === true) return undefined;
  const shown = shownOf(buy, part);
  const mine = productOfPackage(buy, part);
  if (mine === undefined) return shown;
  const others = shownIn(buy)(mine) - (shown ?? 0);
  return Math.max(shown ?? 0, mine.product.budget_minor - others);
}

/** What is shown of the packages of a product together. */
const shownIn = onceOf((buy: MediaBuyRow) =>
  onceOf(({ parts }: Held) => parts.reduce((sum, part) => sum + (shownOf(buy, part) ?? 0), 0)),
);

function shownOf(buy: MediaBuyRow, part: BuyPackage): number | undefined {
  const shown = packageBudget(buy, part);
  return shown === null ? undefined : roundToMinor(shown, buy.currency);
}
