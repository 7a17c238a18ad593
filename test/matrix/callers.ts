import { sql } from 'kysely';
import { makeApiKey } from '../../adapters/ports/keys.ts';
import type { Permission } from '../../store/api-keys.ts';
import type { Role } from '../../store/memberships.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { suspendOrganization } from '../../tools/domain/organizations/operator-decisions.ts';
import { grantedOnly, narrowedPerson } from '../support/buying/access.ts';
import { claimedAgent, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { askForToken, newApplication } from '../support/callers/applications.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { legacyValue, newLegacyKey } from '../support/callers/legacy-keys.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type Connecting, connect } from '../support/callers/programs.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import type { TestServer } from '../support/server/server.ts';

/** What callers show, by the names of the table; nothing for nobody. */
export type Callers = Readonly<Record<string, string>>;

/** Every caller of the table but those of other organizations, for an organization. */
export async function callersOf(
  server: TestServer,
  person: Person,
  side: 'BUYER' | 'SELLER',
): Promise<Callers> {
  // A key of the earlier kind belongs to one account.
  const { accounts, organizationId } = person;
  const account = { organizationId, accounts: { [side]: accounts[side] } };
  return {
    nobody: '',
    'a key that nobody made': makeApiKey('rialto', 'live'),
    ...(await keysOf(server, person)),
    ...(await machinesOf(server, person)),
    ...(await agentsOf(server, person)),
    ...(await peopleOf(server, person)),
    ...(await programsOf(server, person)),
    'a legacy key of the account': await legacyKeyOf(server, account),
    'a legacy key of an ADMIN': await legacyKeyOf(server, account, 'ADMIN'),
    'an admin key without terms': (await person.withKey(['buyer:admin'])).key,
    'an application without terms': await applicationOf(server, person, ['buyer:admin']),
    'a service token without terms': (await newServiceToken(server, person, { role: 'ADMIN' })).bearer,
    'a legacy key without terms': await legacyKeyOf(server, account),
    'an agent without terms': await claimedAgentOf(server, organizationId),
    'an ADMIN without terms': await person.browser(),
    'a program of an ADMIN without terms': await programOf(server, person, 'ADMIN'),
  };
}

const SETS: Readonly<Record<string, readonly Permission[]>> = {
  'a read key': ['buyer:read'],
  'a write key': ['buyer:write'],
  'an admin key': ['buyer:admin'],
  'an account-admin key': ['account:admin'],
  'a read and account-admin key': ['buyer:read', 'account:admin'],
  'a write and account-admin key': ['buyer:write', 'account:admin'],
  'an admin and account-admin key': ['buyer:admin', 'account:admin'],
};

async function keysOf(server: TestServer, person: Person): Promise<Callers> {
  const keys: Record<string, string> = {};
  for (const [who, held] of Object.entries(SETS)) keys[who] = (await person.withKey(held)).key;
  const narrowed = await grantedOnly(server, person, await newAdvertiser(person));
  const { value } = await createKey(server.operator, {
    organizationId: person.organizationId,
    name: 'Trial',
    permissions: ['buyer:admin', 'account:admin'],
    environment: 'test',
  });
  return {
    ...keys,
    'a narrowed key': narrowed.key,
    'a test key': value,
    'a revoked key': await deadKey(server, person, 'revoked_at'),
    'an expired key': await deadKey(server, person, 'expires_at'),
  };
}

async function deadKey(
  server: TestServer,
  person: Person,
  column: 'revoked_at' | 'expires_at',
): Promise<string> {
  const { key, keyId } = await person.withKey(['buyer:admin']);
  const before = '2026-11-30T00:00:00.000Z';
  const db = server.store.db.withoutPlugins();
  await sql`update api_keys set ${sql.ref(column)} = ${before} where id = ${keyId}`.execute(db);
  return key;
}

/** Applications and service tokens. */
async function machinesOf(server: TestServer, person: Person): Promise<Callers> {
  return {
    'an application that reads': await applicationOf(server, person, ['buyer:read']),
    'an application that writes': await applicationOf(server, person, ['buyer:write']),
    'an application that administers': await applicationOf(server, person, ['buyer:admin']),
    'a service token READ': (await newServiceToken(server, person, { role: 'READ' })).bearer,
    'a service token READ_WRITE': (await newServiceToken(server, person, { role: 'READ_WRITE' })).bearer,
    'a service token ADMIN': (await newServiceToken(server, person, { role: 'ADMIN' })).bearer,
  };
}

async function applicationOf(
  server: TestServer,
  person: Person,
  permissions: readonly Permission[],
): Promise<string> {
  const application = await newApplication(server, person, permissions);
  const { body, status } = await askForToken(server, { ...application, resource: server.url });
  if (status !== 200) throw new Error(`An application got no token: ${JSON.stringify(body)}`);
  return body.access_token;
}

async function legacyKeyOf(
  server: TestServer,
  person: Pick<Person, 'organizationId' | 'accounts'>,
  role?: Role,
): Promise<string> {
  const value = legacyValue();
  const ofPerson = async (role: Role) => ({
    email: (await newBrowser(server, person.organizationId, role)).email,
    permissions: ['buyer:admin', 'account:admin'] as const,
  });
  await newLegacyKey(server, person, { value, ...(role === undefined ? {} : await ofPerson(role)) });
  return value;
}

async function agentsOf(server: TestServer, { organizationId }: Person): Promise<Callers> {
  const agent = stranger(server);
  const { body } = await agent.post('/agent/identity', { type: 'anonymous' });
  return {
    'an anonymous agent': await tokenFor(server, body.identity.assertion),
    'a claimed agent': await claimedAgentOf(server, organizationId),
  };
}

async function claimedAgentOf(server: TestServer, organizationId: number): Promise<string> {
  const owner = await personAtBrowser(server, { organizationIds: [organizationId], role: 'ADMIN' });
  const { assertion } = await claimedAgent(stranger(server), owner);
  return tokenFor(server, assertion);
}

async function tokenFor(server: TestServer, assertion: string): Promise<string> {
  const { body, status } = await stranger(server).exchange(assertion, { resource: server.url });
  if (status !== 200) throw new Error(`An agent got no token: ${JSON.stringify(body)}`);
  return body.access_token;
}

async function peopleOf(server: TestServer, person: Person): Promise<Callers> {
  const { organizationId } = person;
  const at = async (role: Role) => (await newBrowser(server, organizationId, role)).credential;
  return {
    'a SUPER_ADMIN at a browser': await at('SUPER_ADMIN'),
    'an ADMIN at a browser': await at('ADMIN'),
    'a MEMBER at a browser': await at('MEMBER'),
    'a READ_ONLY at a browser': await at('READ_ONLY'),
    'a narrowed ADMIN at a browser': (await narrowedPerson(server, person)).credential,
  };
}

async function programsOf(server: TestServer, person: Person): Promise<Callers> {
  const of = (role: Role, connecting?: Connecting) => programOf(server, person, role, connecting);
  return {
    'a program of a SUPER_ADMIN': await of('SUPER_ADMIN'),
    'a program of an ADMIN': await of('ADMIN'),
    'a program of a MEMBER': await of('MEMBER'),
    'a program of a READ_ONLY': await of('READ_ONLY'),
    'a program that an ADMIN lets read': await of('ADMIN', { consent: { access: 'read' } }),
    'a program of an ADMIN with buyer:read': await of('ADMIN', { scope: 'openid buyer:read' }),
    'a program of an ADMIN with buyer:write': await of('ADMIN', { scope: 'openid buyer:write' }),
    'a program of a narrowed ADMIN': await narrowedProgramOf(server, person),
  };
}

/** The access token of a program that a new person of a role let in, for every address. */
export async function programOf(
  server: TestServer,
  organization: Person,
  ...[role, connecting = {}]: [Role, Connecting?]
): Promise<string> {
  const person = await signedInPerson(server, { role, organization });
  const { tokens } = await connect(server, person, { resource: '', ...connecting });
  return tokens.access_token;
}

async function narrowedProgramOf(server: TestServer, organization: Person): Promise<string> {
  const person = await signedInPerson(server, { role: 'ADMIN', organization });
  const { tokens } = await connect(server, person, { resource: '' });
  const advertiserId = Number(await newAdvertiser(organization));
  const { organizationId } = organization;
  await giveGrant(server.operator, { organizationId, holder: `user:${person.userId}`, advertiserId });
  return tokens.access_token;
}

/** An organization on both sides that has a storefront, and nothing of the journey's. */
export async function newHouse(server: TestServer): Promise<Person> {
  const house = await newPerson(server);
  const shop = { name: 'Another shop', defaultCurrency: 'USD', acceptsAllCountries: true };
  const { status } = await house.post('/storefront', shop);
  if (status !== 201) throw new Error('The organization has no storefront.');
  return house;
}

export async function callersOfAnother(server: TestServer): Promise<Callers> {
  const other = await newHouse(server);
  return {
    'an ADMIN of another organization': await other.browser(),
    'a program of an ADMIN of another': await programOf(server, other, 'ADMIN'),
    'an admin key of another organization': (await other.withKey(['buyer:admin'])).key,
  };
}

/** Callers of an organization that only buys, or only sells. */
export async function callersOfSide(server: TestServer, side: 'BUYER' | 'SELLER'): Promise<Callers> {
  const other = await newPerson(server, { roles: [side] });
  return {
    'an ADMIN of the other side': await other.browser(),
    'an admin key of the other side': (await other.withKey(['buyer:admin'])).key,
  };
}

/** Every kind of credential, of an organization that was suspended afterwards, and a key of an account below it. */
export async function suspendedCallers(server: TestServer): Promise<Callers> {
  const gone = await newPerson(server);
  const callers = {
    'a key of a suspended organization': gone.key,
    'an ADMIN of a suspended organization': await gone.browser(),
    'a program of a suspended organization': await programOf(server, gone, 'ADMIN'),
    'an application of a suspended organization': await applicationOf(server, gone, ['buyer:admin']),
    'a service token of a suspended one': (await newServiceToken(server, gone, { role: 'ADMIN' })).bearer,
    'a legacy key of a suspended one': await legacyKeyOf(server, gone),
    'an agent of a suspended organization': await claimedAgentOf(server, gone.organizationId),
  };
  // Last: who has an account below to choose from would be asked which one the agent is for.
  const below = await newPerson(server, { parentId: gone.organizationId, terms: false });
  await suspendOrganization(server.operator, { organizationId: gone.organizationId, isSuspended: true });
  return { ...callers, 'a key below a suspended organization': below.key };
}
