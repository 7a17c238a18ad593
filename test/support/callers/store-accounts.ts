import { insertAdvertiser } from '../../../store/advertisers.ts';
import type { Store } from '../../../store/engine/db.ts';
import { makeScope, type Scope } from '../../../store/engine/scope.ts';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { storeOperator } from './operator.ts';

const at = '2026-12-01T09:00:00.000Z';

/** The buyer's account of a new organization, in a store that no service has open. */
export async function newAccount(store: Store, name: string): Promise<Scope> {
  const { organization, customers } = await createOrganization(storeOperator(store), {
    name,
    roles: ['BUYER'],
  });
  return makeScope({ organizationId: organization.id, customerId: customers[0]?.id ?? 0 });
}

/** An advertiser of it, of which only the name matters. */
export function insertNamed({ db }: Store, owner: Scope, name: string) {
  return insertAdvertiser(db, owner, {
    name,
    description: null,
    brand: 'acme.example',
    status: 'ACTIVE',
    sandbox: 0,
    primary_currency: 'USD',
    currency_locked: 0,
    optimization_apply_mode: 'MANUAL',
    version: 1,
    created_at: at,
    updated_at: at,
  });
}
