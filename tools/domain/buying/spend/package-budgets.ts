import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import { grossBudgetOf, mediaBudgetOf } from '../../ledger/pricing.ts';

/**
 * The budgets of packages with the fee. A seller is told its part, of which several budgets a cent apart may be the
 * whole: that one holds which was asked for, and of the others those that add up to what their product has. Pure.
 */

type Budgeted = Pick<BuyPackage, 'package_id' | 'budget_minor' | 'gross_minor' | 'canceled' | 'kept_minor'>;

/** As it was asked for, while its seller has what falls to it of that; else the least of which it is the part. */
export function ownGross(
  { budget_minor, gross_minor }: Pick<BuyPackage, 'budget_minor' | 'gross_minor'>,
  feeBps: number,
): number | undefined {
  if (budget_minor === null) return undefined;
  const isAsAsked = gross_minor !== undefined && mediaBudgetOf(gross_minor, feeBps) === budget_minor;
  return isAsAsked ? gross_minor : grossBudgetOf(budget_minor, feeBps);
}

interface OfProduct {
  /** What the product has. */
  readonly budgetMinor: number;
  readonly feeBps: number;
}

/** What each package of a product has, by its id; none for those of which their seller names no budget. */
export function grossAmong(
  parts: readonly Budgeted[],
  { budgetMinor, feeBps }: OfProduct,
): ReadonlyMap<string, number> {
  const kept = parts.reduce((sum, { kept_minor = 0 }) => sum + kept_minor, 0);
  const going = parts.filter(({ kept_minor }) => kept_minor === undefined);
  const left = { budgetMinor: budgetMinor - kept, feeBps };
  const living = going.filter(({ canceled }) => canceled !== true);
  const asTold = new Map(going.flatMap((part) => entryOf(part, ownGross(part, feeBps))));
  // One that is called off may have its budget yet, or have given it back.
  const filled = filledTo(going, left) ?? filledTo(living, left) ?? filledTo(going.map(unasked), left) ?? [];
  return new Map([...asTold, ...filled]);
}

function entryOf({ package_id }: Budgeted, gross: number | undefined): (readonly [string, number])[] {
  return gross === undefined ? [] : [[package_id, gross]];
}

function unasked({ gross_minor: _, ...part }: Budgeted): Budgeted {
  return part;
}

/** Budgets that add up to so much; undefined where their seller has other ones. */
function filledTo(
  parts: readonly Budgeted[],
  { budgetMinor, feeBps }: OfProduct,
): ReadonlyMap<string, number> | undefined {
  const own = parts.map((part) => ownGross(part, feeBps) ?? 0);
  let left = own.reduce((rest, gross) => rest - gross, budgetMinor);
  const filled = new Map(
    parts.flatMap((part, index) => {
      const more = Math.max(0, Math.min(left, spareOf(part, feeBps)));
      left -= more;
      return entryOf(part, part.budget_minor === null ? undefined : (own[index] ?? 0) + more);
    }),
  );
  return left === 0 ? filled : undefined;
}

/** How much more than the least it may be, and its seller has the same of it. */
function spareOf({ budget_minor, gross_minor }: Budgeted, feeBps: number): number {
  if (budget_minor === null) return 0;
  const least = grossBudgetOf(budget_minor, feeBps);
  const isAsAsked = gross_minor !== undefined && mediaBudgetOf(gross_minor, feeBps) === budget_minor;
  return isAsAsked ? 0 : grossBudgetOf(budget_minor + 1, feeBps) - 1 - least;
}
