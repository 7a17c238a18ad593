import { createAccount } from '../../../tools/domain/organizations/organizations.ts';
import type { TestServer } from '../server/server.ts';
import type { Person } from './people.ts';

/** Somebody of the same organization whose key is bound to another buyer account. */
export async function colleagueInOtherAccount(server: TestServer, person: Person): Promise<Person> {
  const { organizationId } = person;
  const account = await createAccount(server.operator, { organizationId, role: 'BUYER', name: 'Other' });
  return person.withKey(['buyer:admin'], account.id);
}
