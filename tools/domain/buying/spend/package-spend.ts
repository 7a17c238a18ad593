import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { grossOfSpend } from './buy-commitment.ts';

/** What single packages spent, by the last report of their seller: its part, without the fee. Pure. */

type Reported = Pick<MediaBuyRow, 'delivered' | 'spend_minor'>;

/** By the ids of packages; of those that the report does not list, nothing. */
export const spendByPackage = onceOf(
  ({ delivered }: Pick<Reported, 'delivered'>): ReadonlyMap<string, number> => {
    const told = delivered === null ? [] : fromJson(delivered).packages;
    return new Map(told.map(({ package_id, spend_minor }) => [package_id, spend_minor]));
  },
);

/** What was spent in all, and of no package that the report lists. */
export const spendUnlisted = onceOf((buy: Reported): number => {
  const listed = [...spendByPackage(buy).values()];
  const rest = listed.reduce((left, minor) => left - minor, buy.spend_minor);
  // The figures of sellers are rounded package by package.
  return rest > listed.length ? rest : 0;
});

/** What was spent of a budget, with its fee, where its seller counts so much. */
export function spentOfBudget(
  spendMinor: number,
  { budgetMinor, feeBps }: { readonly budgetMinor: number; readonly feeBps: number },
): number {
  return grossOfSpend(spendMinor, { budgetMinor, mediaMinor: mediaBudgetOf(budgetMinor, feeBps) });
}
