import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { contradicts, invalidInput } from '../../core/errors/refusals.ts';
import type { WantedChange } from '../buying/changes/wanted-change.ts';
import { problemsOf, type Terms } from '../buying/choice/choice-problems.ts';
import type { Fees } from '../buying/choice/fees.ts';
import { ownPeriodsOf } from '../buying/orders/order-refusals.ts';
import { pacingProblems, spendableMinor } from '../campaigns/pacing-periods.ts';
import { readMoney } from '../money.ts';

/** What stands against an order that is made anew. Pure. */

interface Paced {
  readonly campaign: Pick<CampaignRow, 'start_at' | 'end_at' | 'currency'>;
  /** As it is to be. */
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
}

interface Remaking extends Paced {
  readonly terms: Terms;
  /** What is to be ordered of the choice. */
  readonly open: readonly DiscoverySelectionRow[];
  readonly buys: readonly MediaBuyRow[];
  readonly committed: number;
  readonly fees: Fees;
}

export function orderProblems(
  { budget_minor }: Pick<MediaBuyRow, 'budget_minor'>,
  { terms, open, buys, committed, fees, ...paced }: Remaking,
): AppError[] {
  const outside = periodProblems(paced, budget_minor);
  // What no period takes says nothing of the products.
  if (outside.length > 0) return outside;
  const ownPeriods = ownPeriodsOf([paced.buy, ...buys]);
  return atPeriods(paced.wanted, problemsOf(terms, open, { committed, fees, ownPeriods }));
}

/** What is too little for a product by the periods that are asked for is wrong with these. */
function atPeriods({ pacingPeriods, called }: WantedChange, problems: readonly AppError[]): AppError[] {
  const isOfPeriods = (pacingPeriods ?? null) !== null;
  return problems.map((problem) =>
    isOfPeriods && problem.details?.['productId'] !== undefined
      ? problem.telling({ field: called('pacingPeriods') })
      : problem,
  );
}

function periodProblems({ campaign, buy, wanted }: Paced, budgetMinor: number): AppError[] {
  const own = buy.pacing_periods === null ? null : fromJson(buy.pacing_periods);
  if (own === null) return [];
  const { start_at: startAt, end_at: endAt, currency } = campaign;
  const issues =
    wanted.pacingPeriods === undefined
      ? []
      : pacingProblems(own, { startAt, endAt, currency, budgetMinor }).map(({ path, message }) => ({
          path: wanted.called(path),
          message,
        }));
  if (issues.length > 0) return [invalidInput(issues)];
  const spendable = spendableMinor(budgetMinor, own, currency);
  if (spendable >= budgetMinor) return [];
  const [can, ordered] = [spendable, budgetMinor].map((minor) => readMoney(minor, currency));
  const where = wanted.called(wanted.pacingPeriods === undefined ? 'products' : 'pacingPeriods');
  return [
    contradicts(
      where,
      `Its periods let ${can} be spent, and its products take ${ordered}: give the periods more, or the products less.`,
    ),
  ];
}
