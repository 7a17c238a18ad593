import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DomainPolicy } from '../../store/domains.ts';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { changeStanding } from '../../tools/domain/organizations/operator-decisions.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { hiddenIn } from '../support/callers/browser-client.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { newAccount } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PATH = '/start/organization';

describe('somebody whose colleagues are here already', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: { MAILS_PER_IP: '1000', SIGNUPS_PER_HOUR: '1000' },
    });
  });
  afterAll(() => server.stop());

  /** An organization with a domain of its own, an administrator, and a person of the domain who is no member. */
  async function colleagues(policy: DomainPolicy) {
    const { organizationId } = await newPerson(server);
    const domain = `colleagues-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    const admin = await managerOf(server, organizationId);
    expect((await admin.patch(`/domains/${domain}`, { policy })).status).toBe(200);
    const ada = await newAccount(server, { email: `ada@${domain}` });
    const { name } = await server.store.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return { admin, ada, name, organizationId };
  }

  const memberIn = async (admin: { get: Awaited<ReturnType<typeof managerOf>>['get'] }, email: string) => {
    const { members } = (await admin.get('/members')).body.data;
    return members.find((one: { email: string }) => one.email === email);
  };

  test('is shown the way to them first, and is in at once where the domain lets people in', async () => {
    const { admin, ada, name } = await colleagues('auto_approve');

    const start = await ada.get('/start');
    const joined = await ada.submit(PATH, {});

    expect(start.text).toContain(`I work at <bdi>${name}</bdi>`);
    expect(joined.location).toBe('/settings/organizations?done=chosen');
    expect((await ada.get('/settings/organizations')).text).toContain('you work here now');
    expect(await memberIn(admin, ada.email)).toMatchObject({ role: 'MEMBER' });
    expect((await ada.get('/start')).text).not.toContain(PATH);
  });

  test('asks where an administrator decides, is told that it waits, and is in once one said yes', async () => {
    const { admin, ada } = await colleagues('request_approval');

    const asked = await ada.submit(PATH, {});
    const waiting = await ada.get(PATH);
    const { joinRequests } = (await admin.get('/join-requests?status=pending')).body.data;
    await admin.patch(`/join-requests/${joinRequests[0].id}`, { status: 'approved' });

    expect(asked.location).toBe(PATH);
    expect(waiting.text).toContain('You have asked to come in.');
    expect(waiting.text).not.toContain('>Ask to come in</button>');
    expect((await ada.get(PATH)).text).toContain('You are in.');
  });

  test('is told to ask for an invitation where there is no other way', async () => {
    const { admin, ada } = await colleagues('invitation_only');

    const page = await ada.get(PATH);
    const tried = await ada.post(PATH, { csrf: /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '' });

    expect(page.text).toContain('by invitation alone');
    expect(tried.status).toBe(403);
    expect(await memberIn(admin, ada.email)).toBeUndefined();
  });

  test('is shown no organization where none has the domain', async () => {
    const ada = await newAccount(server);

    expect((await ada.get('/start')).text).not.toContain(PATH);
    expect((await ada.get(PATH)).text).toContain('No organization here has the domain');
  });

  test.each(['removed', 'declined'])(
    'comes in no more by the domain alone after being %s: an administrator decides',
    async (how) => {
      const { admin, ada } = await colleagues(how === 'removed' ? 'auto_approve' : 'request_approval');
      await ada.submit(PATH, {});
      if (how === 'removed') {
        const { userId } = await memberIn(admin, ada.email);
        expect((await admin.delete(`/members/${userId}`)).status).toBe(200);
      } else {
        const { joinRequests } = (await admin.get('/join-requests')).body.data;
        await admin.patch(`/join-requests/${joinRequests[0].id}`, { status: 'declined' });
        const { domains } = (await admin.get('/domains')).body.data;
        await admin.patch(`/domains/${domains[0].domain}`, { policy: 'auto_approve' });
      }

      const again = await ada.submit(PATH, {});

      expect(again.location).toBe(PATH);
      expect(await memberIn(admin, ada.email)).toBeUndefined();
      const { joinRequests } = (await admin.get('/join-requests?status=pending')).body.data;
      expect(joinRequests).toHaveLength(1);
      await admin.patch(`/join-requests/${joinRequests[0].id}`, { status: 'approved' });
      expect(await memberIn(admin, ada.email)).toMatchObject({ role: 'MEMBER' });
    },
  );

  test('comes in no more by the domain where it is verified only after they were taken out', async () => {
    const { organizationId } = await newPerson(server);
    const domain = `colleagues-${organizationId}.example`;
    const admin = await managerOf(server, organizationId);
    const ada = await newAccount(server, { email: `ada@${domain}` });
    const { email } = ada;
    await giveRole(server.operator, { email, name: 'Ada', organizationId, role: 'MEMBER' });
    const { userId } = await memberIn(admin, email);
    expect((await admin.delete(`/members/${userId}`)).status).toBe(200);
    await verifyDomain(server.operator, { organizationId, domain });
    expect((await admin.patch(`/domains/${domain}`, { policy: 'auto_approve' })).status).toBe(200);

    await ada.submit(PATH, {});

    expect(await memberIn(admin, email)).toBeUndefined();
    const { joinRequests } = (await admin.get('/join-requests?status=pending')).body.data;
    expect(joinRequests).toMatchObject([{ email }]);
  });

  test('comes in no more by the domain of an account below the organization that they were taken out of', async () => {
    const above = await newPerson(server);
    const { organizationId } = await newPerson(server, { parentId: above.organizationId });
    const domain = `colleagues-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    const admin = await managerOf(server, above.organizationId);
    const below = await managerOf(server, organizationId);
    expect((await below.patch(`/domains/${domain}`, { policy: 'auto_approve' })).status).toBe(200);
    const { email, ...ada } = await newAccount(server, { email: `ada@${domain}` });
    const given = { email, name: 'Ada', organizationId: above.organizationId, role: 'MEMBER' } as const;
    const userId = await giveRole(server.operator, given);
    expect((await admin.delete(`/members/${userId}`)).status).toBe(200);

    await ada.submit(PATH, {});

    expect(await memberIn(below, email)).toBeUndefined();
  });

  test('is in already where a role above the organization reaches it, and keeps that', async () => {
    const above = await newPerson(server);
    const { organizationId } = await newPerson(server, { parentId: above.organizationId });
    const domain = `colleagues-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    const below = await managerOf(server, organizationId);
    expect((await below.patch(`/domains/${domain}`, { policy: 'auto_approve' })).status).toBe(200);
    const { email, ...ada } = await newAccount(server, { email: `ada@${domain}` });
    const given = { email, name: 'Ada', organizationId: above.organizationId, role: 'ADMIN' } as const;
    await giveRole(server.operator, given);

    const [start, page] = [await ada.get('/start'), await ada.get(PATH)];
    const { csrf = '' } = hiddenIn((await ada.get('/settings/profile')).text);
    const tried = await ada.post(PATH, { csrf });

    expect(start.text).not.toContain(PATH);
    expect(page.text).toContain('You are in.');
    expect(tried.status).toBe(409);
    expect(await memberIn(below, email)).toBeUndefined();
  });

  test('waits on while nobody is let into the organization, whatever an administrator decides', async () => {
    const { admin, ada, organizationId } = await colleagues('request_approval');
    await ada.submit(PATH, {});
    const { joinRequests } = (await admin.get('/join-requests')).body.data;
    const at = `/join-requests/${joinRequests[0].id}`;
    await changeStanding(server.operator, organizationId, { admission: 'waitlisted' });

    const refused = await admin.patch(at, { status: 'approved' });

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      words: 'This organization is not admitted to the marketplace: nobody can join it for now.',
    });
    expect(await memberIn(admin, ada.email)).toBeUndefined();
    await changeStanding(server.operator, organizationId, { admission: 'admitted' });
    expect((await admin.patch(at, { status: 'approved' })).status).toBe(200);
  });
});
