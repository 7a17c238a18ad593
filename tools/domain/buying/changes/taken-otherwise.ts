import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import { updateIn } from '../payloads.ts';
import { calledOffIn } from './called-off.ts';
import { isShownOtherwise } from './change-outcome.ts';
import { proposedNow } from './proposed-now.ts';
import { orderTaken } from './taken-raises.ts';

/** Changes of budgets that their seller took, and shows otherwise: a later change starts from what it shows. Pure. */

/** The ids of the packages whose budgets it is about. */
export function budgetedIn(change: Pick<MediaBuyChangeRow, 'payload'>): string[] {
  const { packages = [] } = updateIn(change);
  return packages.flatMap(({ package_id, budget }) => (budget === undefined ? [] : [package_id]));
}

export function isTakenOtherwise(change: MediaBuyChangeRow): boolean {
  return isShownOtherwise(change) && budgetedIn(change).length > 0;
}

export function withoutBudget({ budget: _, ...part }: PackageUpdate): PackageUpdate {
  return part;
}

/** What it makes of the buy, with the budgets that its seller shows. */
export function proposedAsShown(change: MediaBuyChangeRow, buy: MediaBuyRow): ProposedBuy {
  const { packages = [], products = [], ...others } = proposedNow(change, buy);
  const [known, gone] = [fromJson(buy.packages), calledOffIn(buy)];
  const shown = known.filter(({ package_id }) => !gone.has(package_id));
  const order = { ...buy, ...orderTaken(buy, [change], shown) };
  const budgets = fromJson(order.products).map(({ budget_minor }) => budget_minor);
  return {
    ...others,
    packages: packages.map((part) => {
      const told = known.find(({ package_id }) => package_id === part.package_id);
      return { ...part, budget_minor: told?.budget_minor ?? part.budget_minor };
    }),
    products: products.map((product, index) => ({
      ...product,
      budget_minor: budgets[index] ?? product.budget_minor,
    })),
    budget_minor: order.budget_minor,
  };
}
