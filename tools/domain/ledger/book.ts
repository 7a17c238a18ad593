import type { Db } from '../../../store/engine/db.ts';
import type { Scope } from '../../../store/engine/scope.ts';
import {
  findLedgerSums,
  insertLedgerEntry,
  type LedgerEntryRow,
  type LedgerSums,
} from '../../../store/ledger.ts';
import { lockAccount } from '../../../store/organizations.ts';

/** An entry before it is written: what it adds, and why. */
export type Posting = Pick<LedgerEntryRow, 'kind' | 'amount_minor' | 'reason'> &
  Partial<Pick<LedgerEntryRow, 'media_buy_id' | 'reference'>>;

export interface Posted {
  readonly by: string;
  readonly now: string;
}

/** Where in the sums an entry counts. */
const COLUMN = {
  fund: 'funded_minor',
  credit_limit: 'credit_limit_minor',
  commit: 'committed_minor',
  release: 'committed_minor',
} as const satisfies Record<LedgerEntryRow['kind'], keyof LedgerSums>;

/** The ledger of an account in one currency, held until the transaction ends: nobody else writes to it. */
export interface Book {
  readonly currency: string;
  sums(): LedgerSums;
  post(posting: Posting): Promise<void>;
}

export async function openBook(
  tx: Db,
  scope: Scope,
  { currency, by, now }: Posted & { currency: string },
): Promise<Book> {
  await lockAccount(tx, scope);
  let sums = (await findLedgerSums(tx, scope, currency)) ?? emptySums(currency);
  return {
    currency,
    sums: () => sums,
    async post({ media_buy_id = null, reference = null, ...posting }) {
      const column = COLUMN[posting.kind];
      const total = sums[column] + posting.amount_minor;
      // A sum that a double does not hold exactly would lose cents from then on.
      if (!Number.isSafeInteger(total)) throw new Error('A sum of the ledger is beyond what can be kept.');
      sums = { ...sums, sequence: sums.sequence + 1, [column]: total };
      const entry = { ...posting, media_buy_id, reference, actor: by, created_at: now };
      await insertLedgerEntry(tx, scope, { ...sums, ...entry });
    },
  };
}

function emptySums(currency: string): LedgerSums {
  return { currency, sequence: 0, funded_minor: 0, credit_limit_minor: 0, committed_minor: 0 };
}
