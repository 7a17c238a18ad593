import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../../core/errors/money-refusals.ts';
import { readMoney, toMajor } from '../../money.ts';
import { type PlannedChange, wishesIn } from '../changes/buy-changing.ts';
import { endsBuy } from '../changes/change-standing.ts';
import { boundOf, spendableOf } from '../choice/allocation.ts';
import { spentOf } from '../spend/buy-commitment.ts';
import { countedMinor } from '../spend/change-commitments.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { overDay } from '../spend/daily-spend.ts';
import { pacedOtherwise } from '../spend/even-pace.ts';
import { askedOf, type Taking } from '../spend/taking.ts';

interface Taken {
  /** As it is. */
  readonly found: CampaignRow;
  readonly buys: readonly MediaBuyRow[];
  readonly open: readonly MediaBuyChangeRow[];
  /** Changes of the same call, which may lower what the media buys take. */
  readonly planned: readonly PlannedChange[];
  /** The caller's name for the total. */
  readonly field: string;
  readonly now: string;
}

/** A campaign cannot have less than its media buys take, in all or a day; the service lowers none of them by itself. */
export function budgetFloor(row: CampaignRow, taken: Taken): AppError | undefined {
  return unpaced(row, taken) ?? totalFloor(row, taken) ?? dayFloor(row, taken);
}

/** What goes on of its media buys once its sellers have confirmed what the call asks of them. */
function onceConfirmed({ buys, open, planned }: Taken): Pick<Taking, 'buys' | 'open'> {
  const changeOf = (id: string) => planned.find(({ buy }) => buy.id === id);
  return {
    buys: buys.flatMap((buy) => {
      const change = changeOf(buy.id);
      if (change === undefined) return [buy];
      return endsBuy(change.wanted) ? [] : [{ ...buy, ...columnsProposed(change.proposed) }];
    }),
    open: askedOf(open.filter(({ media_buy_id }) => changeOf(media_buy_id) === undefined)),
  };
}

function unpaced(row: CampaignRow, taken: Taken): AppError | undefined {
  const { buys, open } = onceConfirmed(taken);
  const asked = [...open, ...wishesIn(taken.planned)];
  return pacedOtherwise({ before: taken.found, after: row, buys, open: asked });
}

function dayFloor(row: CampaignRow, taken: Taken): AppError | undefined {
  const { found, now } = taken;
  const taking = onceConfirmed(taken);
  const refused = overDay({ ...taking, campaign: found }, { ...taking, campaign: row }, now);
  // What is called off goes on no day, and keeps what it has spent of the total.
  return refused?.with({ committedAllocation: toMajor(takenOf(taken), row.currency) });
}

const UNNAMED = 'A media buy whose seller has named none yet can only be canceled.';
const IN_PACKAGES = `budgets of packages with mediaBuys in the same call. ${UNNAMED}`;

function totalFloor(row: CampaignRow, of: Taken): AppError | undefined {
  const { currency } = row;
  const taken = takenOf(of);
  if (taken <= spendableOf(row)) return undefined;
  const [total, committed] = [row.budget_minor, taken].map((minor) => readMoney(minor, currency));
  if (taken <= row.budget_minor) return beyondCap(row, taken);
  return insufficientMediaBudget(
    `A total of ${total} is less than the ${committed} that its media buys take.`,
    {
      requestedTotal: toMajor(row.budget_minor, currency),
      committedAllocation: toMajor(taken, currency),
      minimumAllowedBudget: toMajor(taken, currency),
      currency,
    },
    {
      field: of.field,
      suggestion:
        `Give at least ${committed}, or lower budgets of packages with mediaBuys in the same call; ` +
        `campaign_get shows the packages. ${UNNAMED}`,
    },
  );
}

/** The total is enough, and what a cap or periods let be spent of it is not. */
function beyondCap(row: CampaignRow, taken: number): AppError {
  const { currency, budget_minor } = row;
  const { field, words, sums } = boundOf(row);
  return insufficientMediaBudget(
    `${words}, which is less than the ${readMoney(taken, currency)} that its media buys take.`,
    {
      requestedTotal: toMajor(budget_minor, currency),
      committedAllocation: toMajor(taken, currency),
      ...sums,
      currency,
    },
    {
      field,
      suggestion:
        field === 'budget.dailyCap'
          ? `Give a higher cap or more days, or lower ${IN_PACKAGES}`
          : `Lower ${IN_PACKAGES}`,
    },
  );
}

/** What the media buys take of the total once the sellers have confirmed. */
function takenOf({ buys, open, planned }: Taken): number {
  return buys.reduce((sum, buy) => sum + takenBy(buy, open, planned), 0);
}

function takenBy(
  buy: MediaBuyRow,
  open: readonly MediaBuyChangeRow[],
  planned: readonly PlannedChange[],
): number {
  const change = planned.find((one) => one.buy.id === buy.id);
  if (change === undefined) return countedMinor(buy, open);
  const { wanted, proposed } = change;
  return endsBuy(wanted) ? spentOf(buy) : (proposed.budget_minor ?? countedMinor(buy, open));
}
