import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a person who chooses another organization to work in stands in its audit log', async () => {
  const [one, two] = [await newPerson(server), await newPerson(server)];
  const { organizationId } = two;
  const ada = await newAccount(server, { organizationId: one.organizationId });
  await giveRole(server.operator, { email: ada.email, name: '', organizationId, role: 'MEMBER' });

  const chosen = await ada.submit('/settings/organizations', { organization: String(organizationId) });

  expect(chosen.status).toBe(303);
  const entries = await server.store.db
    .selectFrom('audit_logs')
    .select(['outcome', 'actor_origin', 'resource_id'])
    .where('organization_id', '=', organizationId)
    .where('tool', '=', 'account_switch')
    .execute();
  expect(entries).toMatchObject([
    { outcome: 'succeeded', actor_origin: 'human', resource_id: String(organizationId) },
  ]);
});
