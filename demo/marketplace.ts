import type { CustomerRole } from '../store/organizations.ts';
import { setCreditLimit } from '../tools/domain/ledger/operating.ts';
import { createKey } from '../tools/domain/organizations/keys.ts';
import type { Operator } from '../tools/domain/organizations/operator.ts';
import { createOrganization } from '../tools/domain/organizations/organizations.ts';
import { acceptTerms } from '../tools/domain/organizations/terms.ts';
import { type DemoSeller, type DemoSellers, knownParty, sellerToken } from './sellers.ts';

/** A running Rialto and the hand that operates it. */
export interface Marketplace {
  readonly url: string;
  readonly operator: Operator;
}

/** Registers each seller as a storefront of its own, over REST as a seller would; gives the buyer's key. */
export async function openMarket(
  market: Marketplace,
  { sellers, dead }: DemoSellers,
): Promise<{ buyerKey: string }> {
  for (const seller of [...sellers, dead]) await openStorefront(market, seller);
  const buyerKey = await newMember(market, {
    name: 'Pinnacle Agency',
    domain: knownParty.operator,
    role: 'BUYER',
  });
  return { buyerKey };
}

async function openStorefront(market: Marketplace, { name, url }: DemoSeller): Promise<void> {
  const key = await newMember(market, { name, domain: undefined, role: 'SELLER' });
  const post = (method: string, path: string, body: object) =>
    send(`${market.url}/api/v2/storefront${path}`, { method, key, body });
  await post('POST', '', { name, defaultCurrency: 'USD', acceptsAllCountries: true });
  await post('POST', '/inventory-sources', {
    name: `${name} agent`,
    executionType: 'AGENT',
    endpointUrl: url,
    authenticationType: 'API_KEY',
    auth: { type: 'bearer', token: sellerToken },
  });
  await post('PUT', '', { transacting: true });
}

/** What the buyer may spend: it begins with nothing, as everybody does. */
const CREDIT_MINOR = 1_000_000;

interface Member {
  readonly name: string;
  readonly domain: string | undefined;
  readonly role: CustomerRole;
}

async function newMember({ operator }: Marketplace, { name, domain, role }: Member): Promise<string> {
  const { organization } = await createOrganization(operator, { name, domain, roles: [role] });
  await acceptTerms(operator, organization.id);
  if (role === 'BUYER') {
    const limit = { organizationId: organization.id, currency: 'USD', limitMinor: CREDIT_MINOR };
    await setCreditLimit(operator, limit);
  }
  const key = await createKey(operator, {
    organizationId: organization.id,
    name: 'Demo',
    permissions: ['buyer:read', 'buyer:write'],
    customerId: undefined,
  });
  return key.value;
}

async function send(url: string, request: { method: string; key: string; body: object }): Promise<void> {
  const response = await fetch(url, {
    method: request.method,
    headers: { authorization: `Bearer ${request.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  if (!response.ok) throw new Error(`${request.method} ${url}: ${await response.text()}`);
}
