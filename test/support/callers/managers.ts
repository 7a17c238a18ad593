import type { Role } from '../../../store/memberships.ts';
import type { TestServer } from '../server/server.ts';
import { type Newcomer, newNewcomer } from './newcomers.ts';
import { newPerson } from './people.ts';

/** Somebody with a role of their own, signed in at a browser and working there. */
export async function managerOf(
  server: TestServer,
  organizationId: number,
  role: Role = 'SUPER_ADMIN',
): Promise<Newcomer> {
  const person = await newNewcomer(server, { organizationId });
  await server.store.db
    .insertInto('memberships')
    .values({
      user_id: person.userId,
      organization_id: organizationId,
      role,
      created_at: server.operator.now,
    })
    .execute();
  return person;
}

/** An organization, its administrator at a browser, and the address of the account that it is. */
export async function managedAccount(server: TestServer) {
  const { organizationId } = await newPerson(server);
  const admin = await managerOf(server, organizationId);
  return { admin, organizationId, at: `/buyer/accounts/${organizationId}` };
}
