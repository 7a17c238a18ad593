import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { findOrganization } from '../../../store/organizations.ts';
import { listGivenDomain } from '../../../store/unscoped/organizations.ts';
import { findOrganizationOfDomain } from '../../../store/unscoped/signup.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import { domainOf } from '../email.ts';
import { isConsumerDomain } from './consumer-domains.ts';

type Person = Pick<UserRow, 'email' | 'email_verified_at'>;

/** The organization whose verified domain the person's address is of; undefined until the address is verified. */
export async function knownOrganization(db: Db, user: Person) {
  const domain = domainOf(user.email);
  if (user.email_verified_at === null || isConsumerDomain(domain)) return undefined;
  return findOrganizationOfDomain(db, domain);
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** What the organization of a person is called, which opens nothing there; undefined until the address is verified. */
export async function organizationOfPerson(db: Db, user: Person): Promise<Named | undefined> {
  return user.email_verified_at === null ? undefined : organizationOfAddress(db, user.email);
}

/**
 * The organization that an address is of, by a domain that is verified or that the operator gave to it alone, though
 * nobody has shown the address to be theirs: for our own files, never for an answer.
 */
export async function organizationOfAddress(db: Db, email: string): Promise<Named | undefined> {
  const domain = domainOf(email);
  if (isConsumerDomain(domain)) return undefined;
  const verified = await findOrganizationOfDomain(db, domain);
  if (verified !== undefined) return { id: verified.organization_id, name: verified.name };
  const [id, ...others] = await listGivenDomain(db, domain);
  return id === undefined || others.length > 0 ? undefined : findOrganization(db, makeTenant(id));
}
