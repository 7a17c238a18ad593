import type { Permission } from '../../../store/api-keys.ts';
import type { CustomerRole, OrganizationRow } from '../../../store/organizations.ts';
import { createKey } from '../../../tools/domain/organizations/keys.ts';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../../../tools/domain/organizations/terms.ts';
import type { TestServer } from '../server/server.ts';
import { newBrowser } from './browsers.ts';
import { type Client, clientFor } from './client.ts';
import { giveFunds } from './funds.ts';

const EVERYTHING: readonly Permission[] = ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'];

export interface Person extends Client {
  readonly key: string;
  readonly keyId: string;
  readonly organizationId: number;
  /** The first account of each side. */
  readonly accounts: Readonly<Partial<Record<CustomerRole, number>>>;
  /** Somebody of it with the role of ADMIN, signed in at a browser: shown where a key is. */
  browser(): Promise<string>;
  /** The same organization with another key. */
  withKey(permissions: readonly Permission[], customerId?: number): Promise<Person>;
}

export interface PersonOptions {
  readonly roles?: readonly CustomerRole[];
  readonly permissions?: readonly Permission[];
  readonly terms?: boolean;
  /** False: an account as the operator makes it, without funds and credit. */
  readonly funds?: boolean;
  readonly tier?: OrganizationRow['tier'];
  readonly alpha?: boolean;
  readonly domain?: string;
  readonly parentId?: number;
}

let count = 0;

/** Somebody with an organization of their own, terms accepted, and a key that may do everything. */
export async function newPerson(server: TestServer, options: PersonOptions = {}): Promise<Person> {
  count += 1;
  const { organization, customers } = await createOrganization(server.operator, {
    name: `Organization ${count}`,
    domain: options.domain ?? `organization-${count}.example`,
    roles: options.roles ?? ['BUYER', 'SELLER'],
    tier: options.tier ?? 'standard',
    alpha: options.alpha ?? false,
    parentId: options.parentId,
  });
  if (options.terms ?? true) {
    await leaveOutOfLog(server, organization.id, await acceptTerms(server.operator, organization.id));
  }
  if (options.funds ?? true) {
    await giveFunds({ store: server.store, now: server.operator.now }, customers);
  }
  const accounts = Object.fromEntries(customers.map(({ id, role }) => [role, id]));
  let signedIn: Promise<string> | undefined;
  const browser = () => {
    signedIn ??= newBrowser(server, organization.id).then(({ credential }) => credential);
    return signedIn;
  };
  const withKey = async (permissions: readonly Permission[], customerId?: number): Promise<Person> => {
    const key = await createKey(server.operator, {
      organizationId: organization.id,
      name: 'Test',
      permissions,
      customerId,
    });
    if (customerId === undefined) await leaveOutOfLog(server, organization.id, key.id);
    return {
      ...clientFor(server.url, key.value),
      key: key.value,
      keyId: key.id,
      organizationId: organization.id,
      accounts,
      browser,
      withKey,
    };
  };
  return withKey(options.permissions ?? EVERYTHING);
}

/** The log that a test reads begins with what it does itself: how its people came to be stands in none of theirs. */
async function leaveOutOfLog({ store }: TestServer, organizationId: number, id: string): Promise<void> {
  await store.db
    .updateTable('audit_logs')
    .set({ customer_id: null })
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', id)
    .execute();
}
