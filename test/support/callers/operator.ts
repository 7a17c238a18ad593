import { systemClock } from '../../../adapters/ports/clock.ts';
import { idsBy } from '../../../adapters/ports/ids.ts';
import { keyMaker } from '../../../adapters/ports/keys.ts';
import { readConfig } from '../../../adapters/settings/config.ts';
import type { Store } from '../../../store/engine/db.ts';
import { openStore } from '../../../store/open.ts';
import { createKey } from '../../../tools/domain/organizations/keys.ts';
import { type Operator, operatorOf } from '../../../tools/domain/organizations/operator.ts';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../../../tools/domain/organizations/terms.ts';
import { type Client, clientFor } from './client.ts';
import { giveFunds } from './funds.ts';

/** Works on the database of a service that runs as another process. */
export async function withStore<T>(
  settings: Readonly<Record<string, string>>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const config = readConfig(settings);
  const store = openStore(config.databaseUrl, { connections: 1 });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The operator of a store that no service of this process has open. */
export function storeOperator(store: Store): Operator {
  return operatorOf({ store, clock: systemClock, ids: idsBy(systemClock), keys: keyMaker('rialto') }, 'test');
}

export interface Member {
  readonly key: string;
  readonly organizationId: number;
  /** The same person at another address: a service that started again has another port. */
  at(url: string): Client;
}

/** Somebody with an organization of their own in a database that a service has brought into shape. */
export function newMember(settings: Readonly<Record<string, string>>, name: string): Promise<Member> {
  return withStore(settings, async (store) => {
    const operator = storeOperator(store);
    const { organization, customers } = await createOrganization(operator, {
      name,
      domain: `${name}.example`,
      roles: ['BUYER', 'SELLER'],
    });
    await acceptTerms(operator, organization.id);
    await giveFunds({ store, now: operator.now }, customers);
    const { value } = await createKey(operator, {
      organizationId: organization.id,
      name: 'Test',
      permissions: ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'],
    });
    return { key: value, organizationId: organization.id, at: (url) => clientFor(url, value) };
  });
}
