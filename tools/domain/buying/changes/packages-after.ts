import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import { isSameBudget } from '../../money.ts';
import { shownBeside } from '../answers/shown-package-dates.ts';
import { byPackageId } from '../buy-packages.ts';
import { packageOfAll } from '../choice/package-of-all.ts';

/** What was asked for, where the seller shows as good as that. */
export function budgetMeant(shown: number | null, asked: number | null): number | null {
  return shown !== null && asked !== null && isSameBudget(shown, asked) ? asked : shown;
}

/** The packages after a change, with what the seller says of each. */
export function packagesAfter(
  proposed: readonly BuyPackage[],
  told: readonly BuyPackage[],
): readonly BuyPackage[] {
  const all = packageOfAll(told);
  // What was merged since it was asked for is in that one, and listed no more.
  const isMerged = all !== undefined && packageOfAll(proposed) === undefined;
  const [proposedById, toldById] = [byPackageId(proposed), byPackageId(told)];
  const left = isMerged ? told.map((said) => proposedById.get(said.package_id) ?? said) : proposed;
  return left.map((part) => {
    const said = toldById.get(part.package_id);
    if (said === undefined) return part;
    // Of the rest the seller says nothing: there stands what was agreed before.
    const { product_id, budget_minor, paused, canceled, shown_in, listed_apart, unread, of_all, line } = said;
    return {
      ...part,
      product_id,
      // What was called off has none any more, and is owed no more than the one it had.
      budget_minor: part.canceled === true ? part.budget_minor : budgetMeant(budget_minor, part.budget_minor),
      ...(paused === undefined ? {} : { paused }),
      ...(canceled === true || part.canceled === true ? { canceled: true as const } : {}),
      shown_in,
      listed_apart,
      unread,
      ...shownBeside(part, said),
      of_all,
      line: line ?? part.line,
    };
  });
}
