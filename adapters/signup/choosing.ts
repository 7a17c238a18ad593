import { findMember } from '../../store/unscoped/people.ts';
import { chooseOrganization, type WebSessionRow } from '../../store/unscoped/web-sessions.ts';
import { conflict, forbidden } from '../../tools/core/errors/refusals.ts';
import { permissionsOf } from '../../tools/domain/organizations/roles.ts';
import type { App } from '../http/app.ts';

/** Has a session work in the organization that its person just came into. */
export async function chooseFor(
  { services }: Pick<App, 'services'>,
  { id }: WebSessionRow,
  organizationId: number,
): Promise<void> {
  await chooseOrganization(services.store.db, { id, organizationId });
}

/** The organization a session works in, where its person manages it. */
export async function chosenOrganization(
  { services }: Pick<App, 'services'>,
  session: WebSessionRow,
): Promise<number> {
  const { chosen_organization_id: organizationId, user_id: userId } = session;
  if (organizationId === null) {
    throw conflict('You have chosen no organization yet.', 'Choose the organization to work in first.');
  }
  const member = await findMember(services.store.db, { userId, organizationId });
  if (member !== undefined && permissionsOf(member.role).includes('buyer:write')) return organizationId;
  throw forbidden('Your role there changes nothing.', 'Ask an administrator of the organization.');
}
