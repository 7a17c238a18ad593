import { listApiKeys, type Permission } from '../../store/api-keys.ts';
import { fromJson } from '../../store/engine/codec.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import type { Role } from '../../store/memberships.ts';
import { type CustomerRole, listCustomers, type OrganizationRow } from '../../store/organizations.ts';
import { listOrganizations } from '../../store/unscoped/organizations.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey, revokeKey } from '../../tools/domain/organizations/keys.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import {
  createAccount,
  createOrganization,
  requireSandbox,
} from '../../tools/domain/organizations/organizations.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { acceptTerms } from '../../tools/domain/organizations/terms.ts';

import { keptElsewhere } from '../credentials/elsewhere.ts';
import type { Config } from '../settings/config.ts';

/** The operator's commands, each giving the text that is printed. */

export async function organizationCreate(
  operator: Operator,
  options: {
    name: string;
    domain?: string;
    buys?: boolean;
    sells?: boolean;
    parent?: number;
    tier: OrganizationRow['tier'];
    acceptTerms?: boolean;
  },
): Promise<string> {
  const sides: CustomerRole[] = [
    ...(options.buys ? (['BUYER'] as const) : []),
    ...(options.sells ? (['SELLER'] as const) : []),
  ];
  if (sides.length === 0) throw new Error('Give --buys, --sells or both.');
  const { organization, customers } = await createOrganization(operator, {
    name: options.name,
    domain: options.domain,
    parentId: options.parent,
    tier: options.tier,
    roles: sides,
  });
  const terms = options.acceptTerms
    ? [`Terms accepted: ${await acceptTerms(operator, organization.id)}`]
    : [];
  return [
    `Organization ${organization.id}: ${organization.name}`,
    ...customers.map(({ id, role }) => `Account ${id}: ${role}`),
    ...terms,
  ].join('\n');
}

export async function organizationList(operator: Operator): Promise<string> {
  const rows = await listOrganizations(operator.db);
  const lines = await Promise.all(
    rows.map(async ({ id, name, kind, tier }) => {
      const customers = await listCustomers(operator.db, makeTenant(id));
      const accounts = customers.map((account) => `${account.id} ${account.role} ${account.name}`).join('; ');
      return `${id}\t${name}\t${kind}\t${tier}\t${accounts}`;
    }),
  );
  return lines.length === 0 ? 'There are no organizations yet.' : lines.join('\n');
}

export async function accountCreate(
  operator: Operator,
  options: { organization: number; name: string; role: CustomerRole },
): Promise<string> {
  const account = { organizationId: options.organization, role: options.role, name: options.name };
  const { id, role } = await createAccount(operator, account);
  return `Account ${id}: ${role}`;
}

export async function userAdd(
  operator: Operator,
  options: { organization: number; email: string; name: string; role: Role },
): Promise<string> {
  const { organization, email, name, role } = options;
  const id = await giveRole(operator, { organizationId: organization, email, name, role });
  return `User ${id}: ${role}`;
}

export async function grantAdd(
  operator: Operator,
  config: Config,
  options: { organization: number; holder: string; account?: number; advertiser?: number },
): Promise<string> {
  const { organization, holder, account, advertiser } = options;
  if ((account === undefined) === (advertiser === undefined))
    throw new Error('Give --account or --advertiser.');
  const grant = {
    organizationId: organization,
    holder,
    ...(account === undefined ? {} : { customerId: account }),
    ...(advertiser === undefined ? {} : { advertiserId: advertiser }),
  };
  await giveGrant(operator, grant, keptElsewhere(config));
  return `${holder} may reach ${account === undefined ? `advertiser ${advertiser}` : `account ${account}`}`;
}

export async function termsAccept(operator: Operator, organizationId: number): Promise<string> {
  return `Terms accepted: ${await acceptTerms(operator, organizationId)}`;
}

export async function keyCreate(
  operator: Operator,
  options: {
    organization?: number;
    sandbox?: boolean;
    test?: boolean;
    name: string;
    account?: number;
    expires?: string;
    permissions: readonly Permission[];
  },
): Promise<string> {
  const organizationId = options.sandbox ? (await requireSandbox(operator)).id : options.organization;
  if (organizationId === undefined) throw new Error('Give --organization or --sandbox.');
  const { id, value } = await createKey(operator, {
    organizationId,
    name: options.name,
    permissions: options.permissions,
    customerId: options.account,
    environment: options.sandbox || options.test ? 'test' : 'live',
    expiresAt: options.expires === undefined ? undefined : momentOf(options.expires),
  });
  return `Key ${id}, shown this once:\n${value}`;
}

function momentOf(text: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new Error(`${text} is no date and time.`);
  return moment.toISOString();
}

export async function keyList(operator: Operator, organizationId: number): Promise<string> {
  const rows = await listApiKeys(operator.db, makeTenant(organizationId));
  const lines = rows.map((key) => {
    const state = key.revoked_at === null ? 'live' : `revoked ${key.revoked_at}`;
    const used = key.last_used_at === null ? 'never used' : `used ${key.last_used_at}`;
    return [key.id, key.obfuscated_value, key.name, fromJson(key.permissions).join(','), state, used].join(
      '\t',
    );
  });
  return lines.length === 0 ? 'There are no keys yet.' : lines.join('\n');
}

export async function keyRevoke(
  operator: Operator,
  options: { organization: number; id: string },
): Promise<string> {
  await revokeKey(operator, { organizationId: options.organization, id: options.id });
  return `Revoked ${options.id}`;
}
