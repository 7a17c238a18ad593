import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Posted } from '../../ledger/book.ts';
import { followCommitment } from '../../ledger/commitments.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { roundToMinor } from '../../money.ts';
import { packagesLeft } from '../buy-packages.ts';
import { isLive, isUnreported } from '../machines.ts';
import { orderLines } from '../payloads.ts';

/** What a buy binds of its account, by where it stands. */

type Bound = Pick<
  MediaBuyRow,
  | 'status'
  | 'submission'
  | 'budget_minor'
  | 'spend_minor'
  | 'fee_bps'
  | 'products'
  | 'packages'
  | 'order_payload'
  | 'currency'
>;

/**
 * What a buy that is over keeps of its budget: what was delivered, with its fee. A seller who delivers beyond the
 * budget is owed no more than was ordered.
 */
export function spentOf(buy: Omit<Bound, 'status' | 'submission'>): number {
  return grossOfSpend(buy.spend_minor, { budgetMinor: buy.budget_minor, mediaMinor: mediaOf(buy) });
}

/** What a buy that is over counts for: its budget, until its seller has reported since what was delivered of it. */
export function owedOf(buy: Omit<MediaBuyRow, 'status' | 'submission'>): number {
  return isUnreported(buy) ? buy.budget_minor : spentOf(buy);
}

/** What was spent of the seller's part of a budget, with its fee: as much of the whole, and no more than that. */
export function grossOfSpend(
  spendMinor: number,
  { budgetMinor, mediaMinor }: { readonly budgetMinor: number; readonly mediaMinor: number },
): number {
  if (spendMinor >= mediaMinor) return spendMinor === 0 ? 0 : budgetMinor;
  // Whole numbers, because a product of two budgets is beyond what a double holds.
  const [spend, budget, media] = [spendMinor, budgetMinor, mediaMinor].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  return Number((spend * budget + media - 1n) / media);
}

type Given = Omit<Bound, 'status' | 'submission' | 'spend_minor'>;

/**
 * What its seller was given of its budget. The fee is rounded package by package, so that a product of several has a
 * little less than falls to it in one.
 */
export function mediaOf(buy: Given): number {
  const whole = mediaByProducts(buy);
  const sent = mediaSent(buy);
  const less = whole - sent.reduce((sum, budget) => sum + budget, 0);
  return less > 0 && less < sent.length ? whole - less : whole;
}

/** The budgets of its packages; as it was ordered, where its seller names none. */
function mediaSent(buy: Given): number[] {
  const packages = packagesLeft(buy);
  if (packages.length > 0) return packages.map(({ budget_minor: budget }) => budget ?? 0);
  return orderLines(buy).map(({ budget }) => roundToMinor(budget, buy.currency) ?? 0);
}

function mediaByProducts({ products, budget_minor, fee_bps }: Given): number {
  const budgets = fromJson(products).map((product) => product.budget_minor);
  const isDivided = budgets.reduce((sum, budget) => sum + budget, 0) === budget_minor;
  // Undivided where only the whole is known, as of a budget that was changed without its products.
  return (isDivided ? budgets : [budget_minor]).reduce(
    (sum, budget) => sum + mediaBudgetOf(budget, fee_bps),
    0,
  );
}

/**
 * Releases what a buy that is over was not delivered of, as soon as its seller has said what was. What goes on keeps
 * what it has.
 */
export async function settleCommitment(tx: Db, buy: MediaBuyRow, posted: Posted): Promise<void> {
  // What a seller holds, or may hold, stays bound, whatever is asked of it meanwhile.
  if (isLive(buy)) return;
  await followCommitment(tx, { buy, amountMinor: owedOf(buy), why: `Ended as ${buy.status}` }, posted);
}
