import type { Store } from '../../../store/engine/db.ts';
import type { CustomerRow } from '../../../store/organizations.ts';

/** The currencies that buyers of tests pay in, each with more than any of them spends. */
const PAID_IN = ['USD', 'EUR', 'JPY', 'GBP'] as const;
const ENOUGH_MINOR = 1_000_000_000_000;

/**
 * What the operator pays in for the buyers among these new accounts, with nothing said of it in a log that tests read.
 * Nearly every test makes somebody: the entries are written at once, as `payIn` writes them one after the other.
 */
export async function giveFunds(
  { store, now }: { readonly store: Pick<Store, 'db'>; readonly now: string },
  accounts: readonly Pick<CustomerRow, 'id' | 'organization_id' | 'role'>[],
): Promise<void> {
  const buyers = accounts.filter(({ role }) => role === 'BUYER');
  const entries = buyers.flatMap(({ organization_id, id: customer_id }) =>
    PAID_IN.map((currency) => ({ organization_id, customer_id, currency, ...FIRST_ENTRY, created_at: now })),
  );
  if (entries.length > 0) await store.db.insertInto('ledger_entries').values(entries).execute();
}

const FIRST_ENTRY = {
  sequence: 1,
  kind: 'fund',
  amount_minor: ENOUGH_MINOR,
  funded_minor: ENOUGH_MINOR,
  credit_limit_minor: 0,
  committed_minor: 0,
  media_buy_id: null,
  reference: null,
  reason: 'Test',
  actor: 'test',
} as const;
