import type { Generated, Insertable, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

/** How people of a verified domain come in: by invitation, by asking, or by themselves. */
export const domainPolicies = ['invitation_only', 'request_approval', 'auto_approve'] as const;
export type DomainPolicy = (typeof domainPolicies)[number];

export interface OrganizationDomainTable {
  id: Generated<number>;
  organization_id: number;
  /** In lower case. */
  domain: string;
  policy: DomainPolicy;
  verified_at: string | null;
  /** The domain again from its verification on: unique, so that it is of one organization alone. */
  verified_domain: string | null;
  created_at: string;
}

export const joinRequestStates = ['pending', 'approved', 'declined'] as const;

export interface JoinRequestTable {
  id: Generated<number>;
  organization_id: number;
  user_id: number;
  status: (typeof joinRequestStates)[number];
  created_at: string;
  decided_at: string | null;
  decided_by: number | null;
}

export type OrganizationDomainRow = Selectable<OrganizationDomainTable>;
export type JoinRequestRow = Selectable<JoinRequestTable>;

declare module './engine/database.ts' {
  interface Database {
    organization_domains: OrganizationDomainTable;
    join_requests: JoinRequestTable;
  }
}

export function listDomains(db: Db, tenant: Tenant, page: Page): Promise<Counted<OrganizationDomainRow>> {
  const found = db.selectFrom('organization_domains').$call(inOrganization(tenant));
  return counted(db, { asker: tenant, rows: found.selectAll().orderBy('domain'), found }, page);
}

export function findDomain(
  db: Db,
  tenant: Tenant,
  domain: string,
): Promise<OrganizationDomainRow | undefined> {
  return db
    .selectFrom('organization_domains')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('domain', '=', domain)
    .executeTakeFirst();
}

export function insertDomain(
  db: Db,
  tenant: Tenant,
  domain: Omit<Insertable<OrganizationDomainTable>, 'organization_id'>,
): Promise<OrganizationDomainRow> {
  return db
    .insertInto('organization_domains')
    .values(ofOrganization(tenant, domain))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes the policy of a domain, or says that it is the organization's own; undefined where it claims none such. */
export function updateDomain(
  db: Db,
  tenant: Tenant,
  {
    domain,
    set,
  }: {
    readonly domain: string;
    readonly set: Partial<Pick<OrganizationDomainRow, 'policy' | 'verified_at' | 'verified_domain'>>;
  },
): Promise<OrganizationDomainRow | undefined> {
  return db
    .updateTable('organization_domains')
    .set(set)
    .$call(inOrganization(tenant))
    .where('domain', '=', domain)
    .returningAll()
    .executeTakeFirst();
}

/** Changes how people of every domain come in whose policy is one of these; says how many domains that were. */
export async function changePolicies(
  db: Db,
  tenant: Tenant,
  { from, to }: { readonly from: readonly DomainPolicy[]; readonly to: DomainPolicy },
): Promise<number> {
  const rows = await db
    .updateTable('organization_domains')
    .set({ policy: to })
    .$call(inOrganization(tenant))
    .where('policy', 'in', [...from])
    .returning('id')
    .execute();
  return rows.length;
}

/** The policies of the organization's domains, one a domain. */
export async function listPolicies(db: Db, tenant: Tenant): Promise<DomainPolicy[]> {
  const rows = await db
    .selectFrom('organization_domains')
    .select('policy')
    .$call(inOrganization(tenant))
    .execute();
  return rows.map(({ policy }) => policy);
}

/** The organization has no domain from now on. */
export async function deleteDomains(db: Db, tenant: Tenant): Promise<void> {
  await db.deleteFrom('organization_domains').$call(inOrganization(tenant)).execute();
}

interface Standing {
  readonly userId: number;
  /** Where the request of the person stands from now on, whether there was one or not. */
  readonly status: JoinRequestRow['status'];
  readonly now: string;
}

/** A request to be let in, once a person: one that is there already is asked anew. */
export async function requestToJoin(
  db: Db,
  tenant: Tenant,
  { userId, status, now }: Standing,
): Promise<void> {
  await db
    .insertInto('join_requests')
    .values(ofOrganization(tenant, { user_id: userId, status, created_at: now }))
    .onConflict((key) =>
      key
        .columns(['organization_id', 'user_id'])
        .doUpdateSet({ status, created_at: now, decided_at: null, decided_by: null }),
    )
    .execute();
}

/** A request with who asks. */
export interface AskedToJoin extends JoinRequestRow {
  readonly email: string;
  readonly name: string;
}

/** Who asked, the oldest first: all of them, or those of one state. */
export function listJoinRequests(
  db: Db,
  tenant: Tenant,
  { status, ...page }: Page & { readonly status?: JoinRequestRow['status'] | undefined },
): Promise<Counted<AskedToJoin>> {
  let found = db.selectFrom('join_requests').$call(inOrganization(tenant));
  let rows = asked(db, tenant).orderBy('join_requests.id');
  if (status !== undefined) {
    found = found.where('status', '=', status);
    rows = rows.where('join_requests.status', '=', status);
  }
  return counted(db, { asker: tenant, rows, found }, page);
}

export function findJoinRequest(db: Db, tenant: Tenant, id: number): Promise<AskedToJoin | undefined> {
  return asked(db, tenant).where('join_requests.id', '=', id).executeTakeFirst();
}

/** What a person asked last, in whatever state. */
export function findJoinRequestOf(
  db: Db,
  tenant: Tenant,
  userId: number,
): Promise<JoinRequestRow | undefined> {
  return db
    .selectFrom('join_requests')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Has an administrator decide before the domain of a person lets them in once more. */
export async function turnAway(
  db: Db,
  tenant: Tenant,
  { userId, status, by, now }: Standing & { readonly by: number | null },
): Promise<void> {
  const decided = { status, decided_at: now, decided_by: by };
  await db
    .insertInto('join_requests')
    .values(ofOrganization(tenant, { user_id: userId, created_at: now, ...decided }))
    .onConflict((key) => key.columns(['organization_id', 'user_id']).doUpdateSet(decided))
    .execute();
}

function asked(db: Db, tenant: Tenant) {
  return db
    .selectFrom('join_requests')
    .innerJoin('users', 'users.id', 'join_requests.user_id')
    .selectAll('join_requests')
    .select(['users.email', 'users.name'])
    .where('join_requests.organization_id', '=', tenant.organizationId);
}

/** Decides a request that waits; undefined when it was decided before. */
export function decideJoinRequest(
  db: Db,
  tenant: Tenant,
  decision: {
    readonly id: number;
    readonly status: JoinRequestRow['status'];
    readonly userId: number | null;
    readonly now: string;
  },
): Promise<JoinRequestRow | undefined> {
  return db
    .updateTable('join_requests')
    .set({ status: decision.status, decided_at: decision.now, decided_by: decision.userId })
    .$call(inOrganization(tenant))
    .where('id', '=', decision.id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}
