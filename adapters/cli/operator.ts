import { insertApiKey, type Permission } from '../../store/api-keys.ts';
import { toFlag, toJson } from '../../store/engine/codec.ts';
import type { Store } from '../../store/engine/db.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import {
  type CustomerRole,
  type CustomerRow,
  insertCustomer,
  insertOrganization,
  listCustomers,
  type OrganizationRow,
} from '../../store/organizations.ts';
import { governingOrganization, insertAcceptance, latestTerms } from '../../store/terms.ts';
import { findUserByEmail, insertGrant, insertUser, type Role, setMembership } from '../../store/users.ts';
import type { Ids } from '../../tools/core/ports.ts';
import { hashApiKey, makeApiKey, obfuscate } from '../auth/api-key.ts';
import { randomIds } from '../ports/ids.ts';

/** What the operator of an installation does from its command line. */
export interface Operator {
  readonly store: Store;
  readonly ids: Ids;
  readonly brand: string;
  now(): string;
}

export function operatorOf(store: Store, brand: string): Operator {
  return { store, brand, ids: randomIds, now: () => new Date().toISOString() };
}

export interface NewOrganization {
  readonly name: string;
  readonly domain?: string | undefined;
  readonly kind?: OrganizationRow['kind'];
  readonly parentId?: number | undefined;
  readonly tier?: OrganizationRow['tier'];
  readonly alpha?: boolean;
  readonly roles: readonly CustomerRole[];
}

/** An organization with its accounts: one a role, named like the organization. */
export async function createOrganization(operator: Operator, wanted: NewOrganization) {
  const { store } = operator;
  const now = operator.now();
  return store.transaction(async (tx) => {
    const organization = await insertOrganization(tx, {
      name: wanted.name,
      domain: wanted.domain ?? null,
      kind: wanted.kind ?? 'customer',
      parent_id: wanted.parentId ?? null,
      tier: wanted.tier ?? 'standard',
      alpha: toFlag(wanted.alpha ?? false),
      created_at: now,
      updated_at: now,
    });
    const customers: CustomerRow[] = [];
    for (const role of wanted.roles) {
      customers.push(
        await insertCustomer(tx, makeTenant(organization.id), {
          role,
          name: wanted.name,
          created_at: now,
          updated_at: now,
        }),
      );
    }
    return { organization, customers };
  });
}

export async function createAccount(
  operator: Operator,
  account: { organizationId: number; role: CustomerRole; name: string },
): Promise<CustomerRow> {
  const now = operator.now();
  return insertCustomer(operator.store.db, makeTenant(account.organizationId), {
    role: account.role,
    name: account.name,
    created_at: now,
    updated_at: now,
  });
}

/** Gives a person a role in an organization, making the person known first where needed. */
export async function giveRole(
  operator: Operator,
  person: { email: string; name: string; organizationId: number; role: Role },
): Promise<number> {
  const { store } = operator;
  const now = operator.now();
  const email = person.email.toLowerCase();
  return store.transaction(async (tx) => {
    const user =
      (await findUserByEmail(tx, email)) ??
      (await insertUser(tx, { email, name: person.name, created_at: now, updated_at: now }));
    await setMembership(tx, makeTenant(person.organizationId), {
      user_id: user.id,
      role: person.role,
      created_at: now,
    });
    return user.id;
  });
}

/** Narrows a holder to an account or an advertiser; several grants add up. */
export function giveGrant(
  operator: Operator,
  grant: { organizationId: number; holder: string; customerId?: number; advertiserId?: number },
): Promise<void> {
  return insertGrant(operator.store.db, makeTenant(grant.organizationId), {
    holder: grant.holder,
    customer_id: grant.customerId ?? null,
    advertiser_id: grant.advertiserId ?? null,
    created_at: operator.now(),
  });
}

/** Records that an organization accepted the latest terms, on paper or otherwise outside the service. */
export async function acceptTerms(operator: Operator, organizationId: number): Promise<string> {
  const { db } = operator.store;
  const now = operator.now();
  const version = await latestTerms(db, now);
  if (version === undefined) throw new Error('No terms of service are in force.');
  await insertAcceptance(db, await governingOrganization(db, makeTenant(organizationId)), {
    version,
    user_id: null,
    via: 'operator',
    accepted_at: now,
  });
  return version;
}

export interface NewKey {
  readonly organizationId: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly customerId?: number | undefined;
  readonly environment?: 'live' | 'test';
  readonly expiresAt?: string | undefined;
}

/** A new key. The value is in this answer and nowhere else: only its hash is kept. */
export async function createKey(operator: Operator, wanted: NewKey): Promise<{ id: string; value: string }> {
  const { store, ids, brand } = operator;
  const now = operator.now();
  await requireAccount(operator, wanted);
  const value = makeApiKey(brand, wanted.environment ?? 'live');
  const id = ids.make('key');
  await insertApiKey(store.db, makeTenant(wanted.organizationId), {
    id,
    customer_id: wanted.customerId ?? null,
    name: wanted.name,
    hash: hashApiKey(value),
    obfuscated_value: obfuscate(value),
    permissions: toJson([...wanted.permissions]),
    created_at: now,
    updated_at: now,
    last_used_at: null,
    expires_at: wanted.expiresAt ?? null,
    revoked_at: null,
  });
  return { id, value };
}

/** A key is bound to an account of its own organization, or to none. */
async function requireAccount({ store }: Operator, wanted: NewKey): Promise<void> {
  const customers = await listCustomers(store.db, makeTenant(wanted.organizationId));
  if (customers.length === 0) throw new Error(`Organization ${wanted.organizationId} has no account.`);
  const bound = wanted.customerId;
  if (bound !== undefined && customers.every(({ id }) => id !== bound)) {
    throw new Error(`Account ${bound} is not one of organization ${wanted.organizationId}.`);
  }
}
