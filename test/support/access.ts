import { makeApiKey } from '../../adapters/ports/keys.ts';
import type { Permission } from '../../store/api-keys.ts';
import type { CustomerRole } from '../../store/organizations.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createAccount } from '../../tools/domain/organizations/organizations.ts';
import { type Client, clientFor } from './client.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

type Needed = 'buyer:read' | 'buyer:write' | 'buyer:admin';
type Held = readonly Permission[];

/** Which keys a permission lets in, and which it does not (decisions, section 6). */
const keys: Readonly<Record<Needed, { allowed: readonly Held[]; refused: readonly Held[] }>> = {
  'buyer:read': {
    allowed: [['buyer:read'], ['buyer:write'], ['buyer:admin'], ['buyer:read', 'account:admin']],
    refused: [['account:admin']],
  },
  'buyer:write': {
    allowed: [['buyer:write'], ['buyer:admin'], ['buyer:write', 'account:admin']],
    refused: [['buyer:read'], ['account:admin'], ['buyer:read', 'account:admin']],
  },
  'buyer:admin': {
    allowed: [['buyer:admin'], ['buyer:admin', 'account:admin']],
    refused: [['buyer:read'], ['buyer:write'], ['account:admin'], ['buyer:write', 'account:admin']],
  },
};

/** Rows for `test.each`: keys that a call with this permission takes. */
export function keysAllowed(needed: Needed) {
  return keys[needed].allowed.map((held) => ({ held, key: held.join(' and ') }));
}

/** Rows for `test.each`: live keys that a call with this permission refuses. */
export function keysRefused(needed: Needed) {
  return keys[needed].refused.map((held) => ({ held, key: held.join(' and ') }));
}

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
