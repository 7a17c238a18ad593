import { randomUUID } from 'node:crypto';
import { requestToJoin } from '../../../store/domains.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { findUser } from '../../../store/unscoped/users.ts';
import { joinBySellerLink } from '../../../tools/domain/admission/joining.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import type { TestServer } from '../server/server.ts';
import { newNewcomer } from './newcomers.ts';

/** A member of the organization, and somebody who asks to be one, by the names of the journey. */
export async function peopleOf(server: TestServer, organizationId: number): Promise<[string, string][]> {
  const email = `${randomUUID()}@member.example`;
  const memberId = await giveRole(server.operator, { organizationId, email, name: 'Member', role: 'MEMBER' });
  const asking = await newNewcomer(server);
  const { db } = server.store;
  await requestToJoin(db, makeTenant(organizationId), {
    userId: asking.userId,
    status: 'pending',
    now: server.operator.now,
  });
  const { id } = await db
    .selectFrom('join_requests')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', asking.userId)
    .executeTakeFirstOrThrow();
  return [
    ['memberId', String(memberId)],
    ['joinRequestId', String(id)],
  ];
}

/** A buyer that comes by the link of a seller: the id of its account. */
export async function sponsoredBuyer(server: TestServer, slug: string): Promise<string> {
  const { userId } = await newNewcomer(server);
  const user = await findUser(server.store.db, userId);
  if (user === undefined) throw new Error('There is nobody to join.');
  const { customers } = await joinBySellerLink(server.operator, user, { slug, name: 'Sponsored' });
  return String(customers[0]?.id);
}
