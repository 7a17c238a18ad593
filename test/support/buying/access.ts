import { makeApiKey } from '../../../adapters/ports/keys.ts';
import type { CustomerRole } from '../../../store/organizations.ts';
import { giveGrant } from '../../../tools/domain/organizations/grants.ts';
import { createAccount } from '../../../tools/domain/organizations/organizations.ts';
import { type Browser, newBrowser } from '../callers/browsers.ts';
import { type Client, clientFor } from '../callers/client.ts';
import type { Person } from '../callers/people.ts';
import { newAdvertiser } from '../sellers/market.ts';
import type { TestServer } from '../server/server.ts';

/** Rows for `test.each`: callers whom nobody knows. */
export const strangers: readonly { who: string; of(server: TestServer): Client }[] = [
  { who: 'a caller without a credential', of: ({ url }) => clientFor(url) },
  { who: 'a key that nobody made', of: ({ url }) => clientFor(url, makeApiKey('rialto', 'live')) },
];

/** The same organization, in a further account of its own. */
export async function inAnotherAccount(
  server: TestServer,
  person: Person,
  role: CustomerRole,
): Promise<Person> {
  const { organizationId } = person;
  const account = await createAccount(server.operator, { organizationId, role, name: 'Another account' });
  return person.withKey(['buyer:admin'], account.id);
}

/** The same account, with a key that reaches one advertiser alone. */
export async function grantedOnly(server: TestServer, person: Person, advertiserId: string): Promise<Person> {
  const granted = await person.withKey(['buyer:admin']);
  await giveGrant(server.operator, {
    organizationId: person.organizationId,
    holder: `api_key:${granted.keyId}`,
    advertiserId: Number(advertiserId),
  });
  return granted;
}

/** An administrator at a browser whose grants reach one advertiser alone. */
export async function narrowedPerson(server: TestServer, person: Person): Promise<Browser> {
  const { organizationId } = person;
  const browser = await newBrowser(server, organizationId, 'ADMIN');
  await giveGrant(server.operator, {
    organizationId,
    holder: `user:${browser.userId}`,
    advertiserId: Number(await newAdvertiser(person)),
  });
  return browser;
}
