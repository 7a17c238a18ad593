import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { createOrganization } from '../../tools/domain/organizations/organizations.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the page of the terms', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  const acceptedBy = async (organizationId: number) =>
    (
      await server.store.db
        .selectFrom('terms_acceptances')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .execute()
    ).map(({ user_id }) => user_id);
  const narrow = (organizationId: number, userId: number, customerId: number) =>
    giveGrant(server.operator, { organizationId, holder: `user:${userId}`, customerId });

  test('lets no administrator accept whom grants narrow, in the words of accept_tos', async () => {
    const { organizationId, accounts } = await newPerson(server, { terms: false });
    const ada = await newAccount(server, { organizationId, role: 'ADMIN' });
    const known = await findUserByEmail(server.store.db, ada.email);
    const account = accounts.BUYER ?? 0;
    await narrow(organizationId, known?.id ?? 0, account);
    const other = await managerOf(server, organizationId, 'ADMIN');
    await narrow(organizationId, other.userId, account);

    const refused = await ada.submit('/terms', {});

    const { status, body } = await other.post('/accept-tos', {});
    expect([refused.status, status]).toEqual([403, 403]);
    expect(refused.text).toContain(body.error.message);
    expect(await acceptedBy(organizationId)).toEqual([]);
  });

  test('accepts as accept_tos does, with the same entry in the log of the account', async () => {
    const { organizationId } = await newPerson(server, { terms: false });
    const ada = await newAccount(server, { organizationId, role: 'ADMIN' });

    expect((await ada.submit('/terms', {})).location).toBe('/terms?done=1');
    await (await managerOf(server, organizationId)).post('/accept-tos', {});

    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['customer_id', 'surface', 'resource_type', 'resource_id'])
      .where('organization_id', '=', organizationId)
      .where('tool', '=', 'accept_tos')
      .orderBy('id')
      .execute();
    expect(entries).toHaveLength(2);
    expect(entries[0]).toEqual(entries[1]);
    expect(await acceptedBy(organizationId)).toEqual([
      (await findUserByEmail(server.store.db, ada.email))?.id,
    ]);
  });

  test('accepts for all from an account below, by who administers what stands above', async () => {
    const { organizationId } = await newPerson(server, { terms: false });
    const { organization: below } = await createOrganization(server.operator, {
      name: 'Below',
      parentId: organizationId,
      roles: ['BUYER'],
    });
    const ada = await newAccount(server, { organizationId, role: 'ADMIN' });
    const bob = await newAccount(server, { organizationId: below.id, role: 'ADMIN' });
    await ada.submit('/settings/organizations', { organization: String(below.id) });

    const shown = await bob.get('/terms');
    // There is no form, and whoever sends one all the same is refused.
    const refused = await bob.submit('/settings/profile', {}, '/terms');
    const accepted = await ada.submit('/terms', {});

    expect(shown.text).toMatch(/Only an administrator of <bdi>[^<]+<\/bdi> can accept them/);
    expect(shown.text).not.toContain('Accept for my organization');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('a role in one of its accounts is not enough');
    expect(accepted.location).toBe('/terms?done=1');
    expect(await acceptedBy(organizationId)).toHaveLength(1);
  });

  test('leads who has lost the role where they work to their organizations', async () => {
    const { organizationId } = await newPerson(server, { terms: false });
    const ada = await newAccount(server, { organizationId, role: 'ADMIN' });
    const user = await findUserByEmail(server.store.db, ada.email);
    const page = await ada.get('/terms');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    await server.store.db
      .deleteFrom('memberships')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', user?.id ?? 0)
      .execute();

    const answer = await ada.post('/terms', { csrf, version: '1' });

    expect([answer.status, answer.location]).toEqual([303, '/settings/organizations']);
    expect(await acceptedBy(organizationId)).toEqual([]);
  });
});
