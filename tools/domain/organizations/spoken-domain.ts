import { fromFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Tenant } from '../../../store/engine/scope.ts';
import { findOrganization } from '../../../store/organizations.ts';
import { listAbove } from '../../../store/unscoped/organization-tree.ts';
import { listGivenDomain } from '../../../store/unscoped/organizations.ts';
import { findOrganizationOfDomain } from '../../../store/unscoped/signup.ts';
import { domainTaken, domainTakenBy } from './domain-taken.ts';

/** Which domain speaks for an organization to others: anybody can name one, and it is believed of few. */

/**
 * The domain of an organization that others are told: one that is verified as its own, or that the operator gave it
 * and that is nobody else's. Null for one that it only names itself. Looked up whenever it is told, because a domain
 * may become another's at any time.
 */
export async function spokenDomain(db: Db, tenant: Tenant): Promise<string | null> {
  const organization = await findOrganization(db, tenant);
  if (organization === undefined || organization.domain === null) return null;
  const domain = organization.domain.toLowerCase();
  const holder = await holderOf(db, domain);
  if (holder === tenant.organizationId) return domain;
  return fromFlag(organization.domain_given) && (await isWithin(db, tenant.organizationId, holder))
    ? domain
    : null;
}

/**
 * Whether a domain is verified as that of an organization that is neither this one nor above it; without one, of any.
 */
async function isOfOthers(db: Db, organizationId: number | undefined, domain: string): Promise<boolean> {
  return !(await isWithin(db, organizationId, await holderOf(db, domain)));
}

/** Whether a domain speaks, or by the word of the operator may, for such an organization. */
export async function speaksForOthers(db: Db, organizationId: number, domain: string): Promise<boolean> {
  if (await isOfOthers(db, organizationId, domain)) return true;
  const given = await listGivenDomain(db, domain);
  if (given.length === 0) return false;
  const above = await listAbove(db, organizationId);
  return given.some((id) => !above.includes(id));
}

/** Refuses a domain that is verified for others. Whose it is, the operator is told alone. */
export async function requireNobodyElses(
  db: Db,
  organizationId: number | undefined,
  { domain, isOperator = false }: { readonly domain: string; readonly isOperator?: boolean },
): Promise<void> {
  const holder = await holderOf(db, domain);
  if (holder === undefined || (await isWithin(db, organizationId, holder))) return;
  throw isOperator ? domainTakenBy(domain, holder) : domainTaken(domain);
}

/** The organizations that do not stand above this one, to which the operator gave its domain too. */
export function givenElsewhere(db: Db, organizationId: number, domain: string): Promise<number[]> {
  return givenBut(db, domain, (id) => isWithin(db, organizationId, id));
}

/** Those for which a domain that the operator gave them speaks no more, as it is verified for this one. */
export function silencedBy(db: Db, organizationId: number, domain: string): Promise<number[]> {
  return givenBut(db, domain, (id) => isWithin(db, id, organizationId));
}

async function givenBut(
  db: Db,
  domain: string,
  isExcepted: (id: number) => Promise<boolean>,
): Promise<number[]> {
  const ids: number[] = [];
  for (const id of await listGivenDomain(db, domain)) if (!(await isExcepted(id))) ids.push(id);
  return ids;
}

async function holderOf(db: Db, domain: string): Promise<number | undefined> {
  return (await findOrganizationOfDomain(db, domain.toLowerCase()))?.organization_id;
}

/** Who stands below an organization acts for it: its domain is not that of others there. */
async function isWithin(
  db: Db,
  organizationId: number | undefined,
  holder: number | undefined,
): Promise<boolean> {
  if (holder === undefined || holder === organizationId) return true;
  if (organizationId === undefined) return false;
  return (await listAbove(db, organizationId)).includes(holder);
}
