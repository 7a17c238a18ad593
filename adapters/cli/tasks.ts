import { type ApiKeyRow, findApiKey, listApiKeys, type Permission } from '../../store/api-keys.ts';
import { fromFlag, fromJson } from '../../store/engine/codec.ts';
import { makeTenant } from '../../store/engine/scope.ts';
import type { GrantRow, Role } from '../../store/memberships.ts';
import { type CustomerRole, listCustomers, type OrganizationRow } from '../../store/organizations.ts';
import { listOrganizations, listVerifiedDomains } from '../../store/unscoped/organizations.ts';
import { credentialName } from '../../tools/domain/credentials/schema.ts';
import { requireOwnable } from '../../tools/domain/organizations/domains.ts';
import { grantsIn } from '../../tools/domain/organizations/grants.ts';
import { holderOfKey } from '../../tools/domain/organizations/holders.ts';
import { createKey, revokeKey } from '../../tools/domain/organizations/keys.ts';
import type { Operator } from '../../tools/domain/organizations/operator.ts';
import {
  createAccount,
  createOrganization,
  requireSandbox,
} from '../../tools/domain/organizations/organizations.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { acceptTerms, publishedTerms } from '../../tools/domain/organizations/terms.ts';
import { domainName, shortText } from '../../tools/domain/text.ts';
import { onOneLine } from './audit-lines.ts';
import { domainsOf, saidOfTwice } from './domains.ts';
import { reachIn } from './grants.ts';
import { given, givenIfAny, momentOrDay } from './option-values.ts';
import { UNCHANGED } from './task-runner.ts';

const organizationName = shortText(255);
const personName = shortText(100);

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
  const name = given('--name', organizationName, options.name);
  const domain = givenIfAny('--domain', domainName, options.domain);
  if (domain !== undefined) requireOwnable('--domain', domain);
  // Before anything is made: what cannot be accepted leaves no organization behind.
  if (options.acceptTerms) await publishedTerms(operator);
  const { organization, customers } = await createOrganization(operator, {
    name,
    domain,
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
    ...(domain === undefined ? [] : await saidOfTwice(operator, organization.id, domain)),
    ...terms,
  ].join('\n');
}

export async function organizationList(operator: Operator): Promise<string> {
  const rows = await listOrganizations(operator.db);
  const verified = await listVerifiedDomains(operator.db);
  const lines = await Promise.all(
    rows.map(async (row) => {
      const customers = await listCustomers(operator.db, makeTenant(row.id));
      const accounts = customers.map((account) => `${account.id} ${account.role} ${account.name}`).join('; ');
      const said = [
        String(row.id),
        row.name,
        row.kind,
        row.tier,
        accounts,
        domainsOf(row, verified),
        standingOf(row),
      ];
      return said.map(onOneLine).join('\t').trimEnd();
    }),
  );
  return lines.length === 0 ? 'There are no organizations yet.' : lines.join('\n');
}

/** What the operator decided of an organization, where it is not as most are. */
function standingOf({ parent_id, admission, alpha, suspended_at }: OrganizationRow): string {
  return [
    ...(parent_id === null ? [] : [`below ${parent_id}`]),
    ...(suspended_at === null ? [] : [`suspended ${suspended_at}`]),
    ...(admission === 'admitted' ? [] : [admission]),
    ...(fromFlag(alpha) ? ['alpha'] : []),
  ].join(', ');
}

export async function accountCreate(
  operator: Operator,
  options: { organization: number; name: string; role: CustomerRole },
): Promise<string> {
  const name = given('--name', organizationName, options.name);
  const account = { organizationId: options.organization, role: options.role, name };
  const { id, role } = await createAccount(operator, account);
  return `Account ${id}: ${role}`;
}

export async function userAdd(
  operator: Operator,
  options: { organization: number; email: string; name?: string; role: Role },
): Promise<string> {
  const { organization, email, role } = options;
  // Without a name a person has none.
  const name = givenIfAny('--name', personName, options.name) ?? '';
  const id = await giveRole(operator, { organizationId: organization, email, name, role });
  return `User ${id}: ${role}`;
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
  const organizationId = await keyOwner(operator, options);
  const { id, value } = await createKey(operator, {
    organizationId,
    name: given('--name', credentialName, options.name),
    permissions: options.permissions,
    customerId: options.account,
    environment: options.sandbox || options.test ? 'test' : 'live',
    expiresAt: options.expires === undefined ? undefined : aheadOf(operator.now, options.expires),
  });
  return `Key ${id}, shown this once:\n${value}`;
}

/** One that is named twice was not meant by both. */
async function keyOwner(
  operator: Operator,
  { organization, sandbox }: { readonly organization?: number; readonly sandbox?: boolean },
): Promise<number> {
  if (organization !== undefined && sandbox === true) {
    throw new Error(
      'Give --organization or --sandbox, not both. A test key of an organization is made with --organization and --test.',
    );
  }
  if (sandbox === true) return (await requireSandbox(operator)).id;
  if (organization !== undefined) return organization;
  throw new Error('Give --organization or --sandbox.');
}

function aheadOf(now: string, text: string): string {
  const moment = given('--expires', momentOrDay, text);
  if (moment > now) return moment;
  throw new Error(`--expires ${moment} is over. Give a moment that is still to come.`);
}

export async function keyList(operator: Operator, organizationId: number): Promise<string> {
  const grants = await grantsIn(operator, organizationId);
  const rows = await listApiKeys(operator.db, makeTenant(organizationId));
  const lines = rows.map((key) => {
    const { id, obfuscated_value, name, permissions: held, last_used_at } = key;
    const used = last_used_at === null ? 'never used' : `used ${last_used_at}`;
    const state = stateOf(key, operator.now);
    const ends = key.expires_at === null || state !== LIVE ? [] : [`expires ${key.expires_at}`];
    const reach = reachOf(key, grants);
    const said = [id, obfuscated_value, name, fromJson(held).join(','), state, used, ...ends, ...reach];
    return said.map(onOneLine).join('\t');
  });
  return lines.length === 0 ? 'There are no keys yet.' : lines.join('\n');
}

/** What a key does not reach all of its organization by. */
function reachOf({ id, customer_id }: ApiKeyRow, grants: readonly GrantRow[]): string[] {
  const own = grants.filter(({ holder }) => holder === holderOfKey(id)).map(reachIn);
  return [
    ...(customer_id === null ? [] : [`of account ${customer_id}`]),
    ...(own.length === 0 ? [] : [`grants: ${own.join(', ')}`]),
  ];
}

const LIVE = 'live';

function stateOf({ revoked_at, expires_at }: ApiKeyRow, now: string): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  return expires_at !== null && expires_at <= now ? `expired ${expires_at}` : LIVE;
}

export async function keyRevoke(
  operator: Operator,
  options: { organization: number; id: string },
): Promise<string> {
  const { organization: organizationId, id } = options;
  const held = await findApiKey(operator.db, makeTenant(organizationId), id);
  if (held !== undefined && held.revoked_at !== null)
    return `${UNCHANGED}${id} was revoked ${held.revoked_at}`;
  await revokeKey(operator, { organizationId, id });
  return `Revoked ${id}`;
}
