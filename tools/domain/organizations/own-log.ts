import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { listCustomers } from '../../../store/organizations.ts';

/**
 * Where an organization reads what concerns all of it, such as who signed in and which agents act for it: in the
 * log of its first account, a buyer's before a seller's. One without accounts has its entries for the operator alone.
 */
export async function ownLog(
  db: Db,
  organizationId: number,
): Promise<{ readonly organizationId: number; readonly customerId: number | null }> {
  const accounts = await listCustomers(db, makeTenant(organizationId));
  const first = accounts.find(({ role }) => role === 'BUYER') ?? accounts[0];
  return { organizationId, customerId: first?.id ?? null };
}
