import { fromFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { scopeOfRow } from '../../../store/engine/scope.ts';
import { listCommitted } from '../../../store/ledger.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { creditLimitExceeded } from '../../core/errors/money-refusals.ts';
import { readMoney } from '../money.ts';
import { type Account, asAccount } from './account.ts';
import { type Book, openBook, type Posted } from './book.ts';

type Bought = Pick<MediaBuyRow, 'id' | 'organization_id' | 'customer_id' | 'currency' | 'sandbox'>;

/** What a buy is to have committed from now on, whatever it had before. Gross: fees are part of a budget. */
export interface Commitment {
  readonly buy: Bought;
  readonly amountMinor: number;
  /** For whoever reads the ledger: `Executed`, `Raised`. */
  readonly why: string;
}

/**
 * Brings the commitment of a buy to an amount, by one entry of the difference; 0 releases it. Where that is more
 * than the account has available it is refused (402), and nothing is written.
 *
 * To be called in the transaction that stores what it is for, last: it holds the account until the transaction
 * ends, and whoever holds an account waits for no other row. The same call twice is the same as once.
 *
 * - Execute: the budget of each order that goes out.
 * - Raise: the new budget, when it is asked of the seller and not when the seller agrees; where the seller
 *   refuses, the old one again.
 * - Lower: the new budget, when the seller has agreed.
 * - Cancel, end, refusal: nothing. `storeChange` settles it where the status is written.
 * - Pause keeps it; so reactivating asks for the budget once more, which changes nothing unless it was released.
 */
export function setCommitment(tx: Db, commitment: Commitment, posted: Posted): Promise<void> {
  return setCommitments(tx, [commitment], posted);
}

/** The same for several buys of one account, all or nothing. */
export function setCommitments(tx: Db, commitments: readonly Commitment[], posted: Posted): Promise<void> {
  return commit(tx, commitments, { ...posted, isRefused: true });
}

/** What became of a buy, which has happened and cannot be refused: its commitment follows. */
export function followCommitment(tx: Db, commitment: Commitment, posted: Posted): Promise<void> {
  return commit(tx, [commitment], { ...posted, isRefused: false });
}

interface Committing extends Posted {
  /** False: what is committed is a fact. */
  readonly isRefused: boolean;
}

async function commit(tx: Db, all: readonly Commitment[], committing: Committing): Promise<void> {
  const live = all.filter(({ buy }) => !fromFlag(buy.sandbox));
  for (const currency of new Set(live.map(({ buy }) => buy.currency))) {
    const ofIt = live.filter(({ buy }) => buy.currency === currency);
    await commitIn(tx, ofIt, committing);
  }
}

/** In one account and one currency. */
async function commitIn(
  tx: Db,
  all: readonly Commitment[],
  { isRefused, ...posted }: Committing,
): Promise<void> {
  const [first] = all;
  if (first === undefined) return;
  const { currency } = first.buy;
  const scope = scopeOfRow(first.buy);
  const book = await openBook(tx, scope, { currency, ...posted });
  // Read once the account is held: what another call committed in between counts.
  const committed = await listCommitted(
    tx,
    scope,
    all.map(({ buy }) => buy.id),
  );
  const changes = all.map(({ buy, amountMinor, why }) => ({
    media_buy_id: buy.id,
    amount_minor: amountMinor - (committed.get(buy.id) ?? 0),
    reason: why,
  }));
  if (isRefused) requireCredit(book, changes);
  for (const { amount_minor, ...change } of changes) {
    if (amount_minor === 0) continue;
    await book.post({ ...change, amount_minor, kind: amount_minor > 0 ? 'commit' : 'release' });
  }
}

function requireCredit(book: Book, changes: readonly { readonly amount_minor: number }[]): void {
  const more = changes.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const missing = creditMissing(asAccount(book.currency, book.sums()), more, { end: ' Nothing was done.' });
  if (missing !== undefined) throw missing;
}

/** That an account does not have what would be bound; undefined where it does. `by` says what would bind it. */
export function creditMissing(
  account: Account,
  newCommitmentMinor: number,
  { by = 'This', end = '' }: { readonly by?: string; readonly end?: string },
): AppError | undefined {
  if (newCommitmentMinor <= 0 || newCommitmentMinor <= account.availableMinor) return undefined;
  const { currency, availableMinor, committedMinor, fundedMinor, creditLimitMinor } = account;
  const exceededByMinor = newCommitmentMinor - availableMinor;
  const [asked, left, missing] = [newCommitmentMinor, availableMinor, exceededByMinor].map((minor) =>
    readMoney(minor, currency),
  );
  return creditLimitExceeded(
    `${by} would commit ${asked}; the account has ${left} available, ${missing} too little.${end}`,
    {
      availableMinor: String(availableMinor),
      committedMinor: String(committedMinor),
      fundedMinor: String(fundedMinor),
      creditLimitMinor: String(creditLimitMinor),
      newCommitmentMinor: String(newCommitmentMinor),
      exceededByMinor: String(exceededByMinor),
      currency,
    },
  );
}
