import type { Store } from '../../store/engine/db.ts';
import { makeScope } from '../../store/engine/scope.ts';
import type { CustomerRow } from '../../store/organizations.ts';
import { payIn } from '../../tools/domain/ledger/operating.ts';

/** The currencies that buyers of tests pay in, each with more than any of them spends. */
const PAID_IN = ['USD', 'EUR', 'JPY', 'GBP'] as const;
const ENOUGH_MINOR = 1_000_000_000_000;

/** Pays in for the buyers among these accounts, as the operator does, and says nothing of it in a log that tests read. */
export async function giveFunds(
  { store, now }: { readonly store: Pick<Store, 'transaction'>; readonly now: string },
  accounts: readonly Pick<CustomerRow, 'id' | 'organization_id' | 'role'>[],
): Promise<void> {
  const buyers = accounts.filter(({ role }) => role === 'BUYER');
  await store.transaction(async (tx) => {
    for (const { organization_id: organizationId, id: customerId } of buyers) {
      const scope = makeScope({ organizationId, customerId });
      for (const currency of PAID_IN) {
        await payIn(tx, scope, { currency, amountMinor: ENOUGH_MINOR, reason: 'Test', by: 'test', now });
      }
    }
  });
}
