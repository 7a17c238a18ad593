import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { readMoney, roundToMinor } from '../../money.ts';
import { askSeller } from '../references.ts';
import { orderedFor } from '../spend/ordered-for.ts';
import type { Planned } from './change-standing.ts';
import { keptIn } from './kept-budgets.ts';
import type { Terms } from './wanted-change.ts';

/**
 * That no seller is asked for more than is bound: what it would have for all its packages, those that are not asked
 * about as it shows them, is no more than the media buy is to have. However its packages and products are told apart, a
 * raise that nothing is bound for goes to no seller. Pure.
 */

/** Sellers round: a hundredth is not spoken of. */
const HUNDREDTH = 100;

export function beyondBound({ buy, wanted, terms }: Pick<Planned, 'buy' | 'wanted' | 'terms'>): Issue[] {
  if (!isRaised(buy, terms)) return [];
  const { packages = fromJson(buy.packages), budget_minor: bound = buy.budget_minor } = terms.proposed;
  const living = packages.filter(({ canceled }) => canceled !== true);
  const has = living
    .map(({ package_id, budget_minor }) => budget_minor ?? orderedFor(package_id, buy))
    .reduce((sum, media) => sum + grossBudgetOf(media, buy.fee_bps), keptIn(packages));
  if (has <= bound + bound / HUNDREDTH + living.length) return [];
  const [would, most] = [has, bound].map((minor) => readMoney(minor, buy.currency));
  const message = `${buy.agent_name} would have ${would} for its packages, as it shows them, and ${most} would be bound. Lower in the same call those that it shows with more than was ordered, or raise less. ${askSeller(buy)}, to show what was ordered.`;
  return [{ path: wanted.called('packages'), message }];
}

/** Whether a package is asked to have more than its seller shows for it. */
function isRaised(buy: MediaBuyRow, { asked: { packages = [] } }: Terms): boolean {
  const shown = new Map(
    fromJson(buy.packages).map(({ package_id, budget_minor }) => [package_id, budget_minor]),
  );
  return packages.some(({ package_id, budget }) => {
    const minor = budget === undefined ? undefined : roundToMinor(budget, buy.currency);
    return minor !== undefined && minor > (shown.get(package_id) ?? 0);
  });
}
