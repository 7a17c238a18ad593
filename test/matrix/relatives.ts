import type { Role } from '../../store/memberships.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { type Browser, newBrowser } from '../support/callers/browsers.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import type { Person } from '../support/callers/people.ts';
import { connect } from '../support/callers/programs.ts';
import type { TestServer } from '../support/server/server.ts';
import { type Callers, programOf } from './callers.ts';

/** The callers of the table of an organization with a parent. */
export async function relativesOf(server: TestServer, parent: Person, child: Person): Promise<Callers> {
  const inChild = (role: Role) => programInChild(server, { parent, child, role });
  const both = await atWork(server, { parent, child, role: 'ADMIN' });
  await giveRole(server.operator, {
    organizationId: child.organizationId,
    email: both.email,
    name: 'Person of both',
    role: 'READ_ONLY',
  });
  return {
    'an ADMIN of the parent': (await atWork(server, { parent, child, role: 'ADMIN' })).credential,
    'a MEMBER of the parent': (await atWork(server, { parent, child, role: 'MEMBER' })).credential,
    'a READ_ONLY of the parent': (await atWork(server, { parent, child, role: 'READ_ONLY' })).credential,
    'a program of an ADMIN of the parent': await inChild('ADMIN'),
    'a program of a MEMBER of the parent': await inChild('MEMBER'),
    'an ADMIN of it alone': await child.browser(),
    'a program of an ADMIN of it alone': await programOf(server, child, 'ADMIN'),
    'a READ_ONLY of it, ADMIN of the parent': both.credential,
    'an ADMIN at work in the parent': (await newBrowser(server, parent.organizationId, 'ADMIN')).credential,
    'an admin key of the parent': (await parent.withKey(['buyer:admin'])).key,
    'an admin key where the parent owes terms': (await child.withKey(['buyer:admin'])).key,
  };
}

interface Relative {
  readonly parent: Person;
  readonly child: Person;
  /** In the parent. */
  readonly role: Role;
}

/** Somebody with a role in the parent, at a browser that works in the child. */
async function atWork(server: TestServer, { parent, child, role }: Relative): Promise<Browser> {
  const browser = await newBrowser(server, parent.organizationId, role);
  await server.store.db
    .updateTable('web_sessions')
    .set({ chosen_organization_id: child.organizationId })
    .where('id', '=', browser.sessionId)
    .execute();
  return browser;
}

/** The access token of a program that somebody with a role in the parent let into the child. */
async function programInChild(server: TestServer, { parent, child, role }: Relative): Promise<string> {
  const person = await signedInPerson(server, { role, organization: parent });
  const consent = { organization: child.organizationId };
  const { tokens } = await connect(server, person, { resource: '', consent });
  return tokens.access_token;
}
