import { toFlag } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeScope, makeTenant } from '../../../store/engine/scope.ts';
import { findSponsorship } from '../../../store/join-links.ts';
import {
  type CreatedVia,
  type CustomerRole,
  type CustomerRow,
  findOrganization,
  insertCustomer,
  type OrganizationRow,
} from '../../../store/organizations.ts';
import { insertPricingRule } from '../../../store/pricing-rules.ts';
import { listAbove } from '../../../store/unscoped/organization-tree.ts';
import { insertOrganization, listOrganizations } from '../../../store/unscoped/organizations.ts';
import type { AuditSubject } from '../../core/audit.ts';
import type { Actor } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors/refusals.ts';
import { accountKind, organizationKind } from './kinds.ts';
import { requireOrganization } from './operator-decisions.ts';
import { requireNobodyElses } from './spoken-domain.ts';

/** What the service takes of a budget until its operator says otherwise. */
const DEFAULT_FEE_BPS = 0;

export interface NewOrganization {
  readonly name: string;
  readonly domain?: string | undefined;
  readonly kind?: OrganizationRow['kind'];
  readonly parentId?: number | undefined;
  readonly tier?: OrganizationRow['tier'];
  readonly alpha?: boolean;
  readonly createdVia?: CreatedVia;
  readonly roles: readonly CustomerRole[];
}

export interface MadeOrganization {
  readonly organization: OrganizationRow;
  readonly customers: readonly CustomerRow[];
}

/**
 * Whether an organization is the one in which a fresh installation can be tried. Agents that nobody has claimed
 * have sandboxes of their own, which stand for no domain and go with them.
 */
function isTheSandbox({ kind, domain }: Pick<OrganizationRow, 'kind' | 'domain'>): boolean {
  return kind === 'sandbox' && domain !== null;
}

/** The organization in which a fresh installation can be tried; undefined where there is none. */
export async function findSandbox({ db }: Pick<Actor, 'db'>): Promise<OrganizationRow | undefined> {
  return (await listOrganizations(db)).find(isTheSandbox);
}

export async function requireSandbox(actor: Pick<Actor, 'db'>): Promise<OrganizationRow> {
  const sandbox = await findSandbox(actor);
  if (sandbox !== undefined) return sandbox;
  throw conflict(
    'There is no sandbox organization here.',
    'npm start makes one. Or name another organization with --organization; organization list shows them.',
  );
}

/** An organization with its accounts: one a role, named like the organization, with an entry for each. */
export function createOrganization(actor: Actor, wanted: NewOrganization): Promise<MadeOrganization> {
  return actor.write(
    (tx) => makeOrganization(tx, actor.now, wanted),
    (made) => {
      const about = madeSubject(made);
      // Beside that of the organization: the log of an account begins with what is done there.
      const { tenant } = about;
      return [about, ...made.customers.map((customer) => ({ ...accountSubject(customer), tenant }))];
    },
  );
}

/** What the log says of an organization that was made: in its own log. */
export function madeSubject({ organization, customers }: MadeOrganization) {
  const { id, name, domain, tier, parent_id: parentId } = organization;
  return {
    kind: organizationKind,
    action: 'CREATE',
    resourceId: id,
    resourceName: name,
    changes: {
      name: { to: name },
      ...(domain === null ? {} : { domain: { to: domain } }),
      tier: { to: tier },
      roles: { to: customers.map(({ role }) => role) },
      ...(parentId === null ? {} : { parentId: { to: parentId } }),
    },
    tenant: { organizationId: id, customerId: null },
  } as const satisfies AuditSubject;
}

/** The same of an account, in the log of that account. */
function accountSubject({ id, name, role, organization_id: organizationId }: CustomerRow): AuditSubject {
  return {
    kind: accountKind,
    action: 'CREATE',
    resourceId: id,
    resourceName: name,
    changes: { name: { to: name }, role: { to: role } },
    tenant: { organizationId, customerId: id },
  };
}

/** The same within a transaction that makes more than that. */
export async function makeOrganization(
  tx: Db,
  now: string,
  wanted: NewOrganization,
): Promise<MadeOrganization> {
  const parent = wanted.parentId === undefined ? undefined : await requireParent(tx, wanted.parentId);
  const stamps = { created_at: now, updated_at: now };
  const organization = await insertOrganization(tx, {
    name: wanted.name,
    ...(await domainOf(tx, wanted)),
    kind: wanted.kind ?? 'customer',
    parent_id: wanted.parentId ?? null,
    tier: wanted.tier ?? parent?.tier ?? 'standard',
    alpha: toFlag(wanted.alpha ?? parent?.alpha === 1),
    admission: parent?.admission ?? 'admitted',
    // What is above was stopped with all below it, and goes on with it.
    suspended_at: parent?.suspended_at ?? null,
    created_via: wanted.createdVia ?? 'operator',
    ...stamps,
  });
  const customers: CustomerRow[] = [];
  for (const role of wanted.roles) {
    const account = { role, name: wanted.name, ...stamps };
    customers.push(await makeAccount(tx, organization.id, account));
  }
  return { organization, customers };
}

/** Given by the operator, or named by whoever makes an account below their own; of another organization neither may. */
async function domainOf(tx: Db, { domain, parentId, createdVia = 'operator' }: NewOrganization) {
  if (domain === undefined) return { domain: null };
  const named = domain.toLowerCase();
  const isOperator = createdVia === 'operator';
  await requireNobodyElses(tx, parentId, { domain: named, isOperator });
  return { domain: named, domain_given: toFlag(isOperator) };
}

/** A buyer begins with the default pricing rule, and without funds or credit: a ledger with no entry. */
async function makeAccount(
  tx: Db,
  organizationId: number,
  account: Omit<CustomerRow, 'id' | 'organization_id'>,
): Promise<CustomerRow> {
  const customer = await insertCustomer(tx, makeTenant(organizationId), account);
  if (customer.role === 'BUYER') {
    const scope = makeScope({ organizationId, customerId: customer.id });
    const { created_at } = customer;
    await insertPricingRule(tx, scope, {
      advertiser_id: null,
      agent_id: null,
      fee_bps: DEFAULT_FEE_BPS,
      created_at,
    });
  }
  return customer;
}

/** How many organizations may stand above one another. */
const DEPTH_MAX = 5;

/** One that may have accounts below it. What is new stands below what is there, so that no circle can come about. */
async function requireParent(tx: Db, parentId: number): Promise<OrganizationRow> {
  const tenant = makeTenant(parentId);
  const parent = await findOrganization(tx, tenant);
  if (parent === undefined) throw notFound(organizationKind);
  if ((await findSponsorship(tx, tenant)) !== undefined) {
    throw conflict(
      'A buyer that came by the link of a seller has one account: what is below it would see other sellers.',
      'Ask the operator of this service to admit the buyer as one of its own.',
    );
  }
  if ((await listAbove(tx, parentId)).length >= DEPTH_MAX) {
    throw conflict(
      `Accounts stand ${DEPTH_MAX} deep at the most.`,
      'Make the account below one that stands higher: account_switch goes there.',
    );
  }
  return parent;
}

export async function createAccount(
  actor: Actor,
  account: { organizationId: number; role: CustomerRole; name: string },
): Promise<CustomerRow> {
  const { organizationId, role, name } = account;
  await requireOrganization(actor, organizationId);
  return actor.write(
    (tx) => makeAccount(tx, organizationId, { role, name, created_at: actor.now, updated_at: actor.now }),
    accountSubject,
  );
}
