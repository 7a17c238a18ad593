import type { Db } from '../../../store/engine/db.ts';
import { findOrganizationOfDomain } from '../../../store/unscoped/signup.ts';
import type { UserRow } from '../../../store/unscoped/users.ts';
import { domainOf } from '../email.ts';
import { isConsumerDomain } from './consumer-domains.ts';

/** The organization whose verified domain the person's address is of; undefined until the address is verified. */
export async function knownOrganization(db: Db, user: Pick<UserRow, 'email' | 'email_verified_at'>) {
  if (user.email_verified_at === null) return undefined;
  return organizationOfAddress(db, user.email);
}

/** The same for an address that nobody has shown to be theirs: for our own files, never for an answer. */
export async function organizationOfAddress(db: Db, email: string) {
  const domain = domainOf(email);
  return isConsumerDomain(domain) ? undefined : findOrganizationOfDomain(db, domain);
}
