import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../tools/domain/organizations/domains.ts';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor, type Reply } from '../support/callers/client.ts';
import { newNewcomer } from '../support/callers/newcomers.ts';
import { newPerson } from '../support/callers/people.ts';
import { linkIn } from '../support/server/mail.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the page of members', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  /** A browser at the page, and what its forms send. */
  function pageOf({ credential }: { readonly credential: string }) {
    const [, csrf = ''] = credential.slice('browser '.length).split(' ');
    const client = clientFor(server.url, credential);
    const url = `${server.url}/settings/members`;
    return {
      read: () => client.get(url),
      send: (fields: Readonly<Record<string, string>>, token = csrf) =>
        client.send(url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
          body: new URLSearchParams({ csrf: token, ...fields }).toString(),
        }),
    };
  }

  async function organizationWith(role: 'SUPER_ADMIN' | 'ADMIN' = 'ADMIN') {
    const { organizationId } = await newPerson(server);
    const admin = await newBrowser(server, organizationId, role);
    const member = await newBrowser(server, organizationId, 'MEMBER');
    return { organizationId, admin, member, page: pageOf(admin) };
  }

  const roleOf = async (userId: number, organizationId: number) =>
    (
      await server.store.db
        .selectFrom('memberships')
        .select('role')
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
    )?.role;
  const doneBy = (reply: Reply) => reply.headers.get('location');

  test('lists the people with their roles, and is there for administrators alone', async () => {
    const { page, admin, member } = await organizationWith();

    const shown = await page.read();

    expect(shown.status).toBe(200);
    for (const { email } of [admin, member]) expect(shown.text).toContain(email);
    expect(shown.text).toContain('>you</span>');
    expect((await pageOf(member).read()).status).toBe(404);
    expect((await pageOf(member).send({ do: 'remove', userId: String(admin.userId) })).status).toBe(404);
  });

  test('changes a role, at once, and the log says by whom', async () => {
    const { page, admin, member, organizationId } = await organizationWith();

    const done = await page.send({ do: 'role', userId: String(member.userId), role: 'READ_ONLY' });

    expect([done.status, doneBy(done)]).toEqual([303, '/settings/members?done=role']);
    expect(await roleOf(member.userId, organizationId)).toBe('READ_ONLY');
    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select(['tool', 'user_email'])
      .where('organization_id', '=', organizationId)
      .where('tool', '=', 'member_update')
      .execute();
    expect(entries).toEqual([{ tool: 'member_update', user_email: admin.email }]);
  });

  test('takes somebody out: their browser is refused from the next call on', async () => {
    const { page, member, organizationId } = await organizationWith();
    const theirs = clientFor(server.url, member.credential);
    expect((await theirs.get('/buyer/advertisers')).status).toBe(200);

    const done = await page.send({ do: 'remove', userId: String(member.userId) });

    expect(doneBy(done)).toBe('/settings/members?done=removed');
    expect(await roleOf(member.userId, organizationId)).toBeUndefined();
    expect((await theirs.get('/buyer/advertisers')).status).not.toBe(200);
  });

  test('invites by mail, shows who is invited and no value of the link, and takes it back', async () => {
    const { page } = await organizationWith();
    const email = `guest-${process.pid}@people.example`;

    const done = await page.send({ do: 'invite', email: ` ${email} `, role: 'MEMBER' });
    const path = new URL(linkIn(await server.mail.next(email))).pathname;
    const shown = await page.read();
    const [, id = ''] = /name="id" value="(inv_\w+)"/.exec(shown.text) ?? [];

    expect(doneBy(done)).toBe('/settings/members?done=invited');
    expect(shown.text).toContain(email);
    expect(shown.text).not.toContain(path.split('/').pop());
    expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    expect(doneBy(await page.send({ do: 'withdraw', id }))).toBe('/settings/members?done=withdrawn');
    expect((await fetch(`${server.url}${path}`)).status).not.toBe(200);
    expect((await page.read()).text).not.toContain(email);
  });

  test('shows who asks to come in, and lets one in and declines another', async () => {
    const { page, organizationId } = await organizationWith();
    const domain = `asking-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    await server.store.db
      .updateTable('organization_domains')
      .set({ policy: 'request_approval' })
      .where('organization_id', '=', organizationId)
      .execute();
    const [ada, bob] = [
      await newNewcomer(server, { email: `ada@${domain}` }),
      await newNewcomer(server, { email: `bob@${domain}` }),
    ];
    for (const { post } of [ada, bob]) expect((await post('/signup/join-requests', {})).status).toBe(201);

    const shown = await page.read();
    const idOf = (deed: string, email: string) =>
      new RegExp(
        `value="${deed}"><input type="hidden" name="id" value="(\\d+)"[^>]*><button[^>]*${email}`,
      ).exec(shown.text)?.[1] ?? '';
    const letIn = await page.send({ do: 'approve', id: idOf('approve', ada.email) });
    const declined = await page.send({ do: 'decline', id: idOf('decline', bob.email) });
    const again = await page.send({ do: 'approve', id: idOf('approve', bob.email) });

    expect([doneBy(letIn), doneBy(declined)]).toEqual([
      '/settings/members?done=approved',
      '/settings/members?done=declined',
    ]);
    expect([again.status, again.text.includes('decided before')]).toEqual([422, true]);
    expect(await roleOf(ada.userId, organizationId)).toBe('MEMBER');
    expect(await roleOf(bob.userId, organizationId)).toBeUndefined();
    const after = await page.read();
    expect(after.text).not.toContain('Asking to come in');
    expect(after.text).not.toContain(bob.email);
  });

  test('shows everybody, also where they are more than a list gives at once', async () => {
    const { page, organizationId } = await organizationWith();
    const now = '2026-01-01T00:00:00.000Z';
    const emails = Array.from({ length: 120 }, (_, index) => `m${index}@many-${organizationId}.example`);
    const made = await server.store.db
      .insertInto('users')
      .values(emails.map((email) => ({ email, name: '', created_at: now, updated_at: now })))
      .returning('id')
      .execute();
    await server.store.db
      .insertInto('memberships')
      .values(
        made.map(({ id: user_id }) => ({
          ...{ user_id, organization_id: organizationId, role: 'MEMBER' as const },
          ...{ created_via: 'operator' as const, created_at: now },
        })),
      )
      .execute();

    const shown = await page.read();

    expect(emails.filter((email) => !shown.text.includes(email))).toEqual([]);
  });

  test('says what is refused, keeps what was typed, and changes nothing', async () => {
    const { page, admin, organizationId } = await organizationWith();

    const wrong = await page.send({ do: 'invite', email: 'nobody at home', role: 'MEMBER' });
    const above = await page.send({ do: 'role', userId: String(admin.userId), role: 'SUPER_ADMIN' });
    const nobody = await page.send({ do: 'remove', userId: '999999' });

    expect([wrong.status, above.status, nobody.status]).toEqual([422, 422, 422]);
    expect(wrong.text).toContain('value="nobody at home"');
    expect(above.text).toContain('Only a SUPER_ADMIN');
    expect(await roleOf(admin.userId, organizationId)).toBe('ADMIN');
  });

  test('offers to make a SUPER_ADMIN to who is one, and keeps the last', async () => {
    const top = await organizationWith('SUPER_ADMIN');
    const admin = await organizationWith('ADMIN');

    const refused = await top.page.send({ do: 'remove', userId: String(top.admin.userId) });

    expect((await admin.page.read()).text).not.toContain('value="SUPER_ADMIN"');
    expect((await top.page.read()).text).toContain('value="SUPER_ADMIN"');
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('last SUPER_ADMIN');
  });

  test('leads who takes the administration from themselves to a page that is there for them', async () => {
    const { page, admin } = await organizationWith();

    const done = await page.send({ do: 'role', userId: String(admin.userId), role: 'MEMBER' });

    expect(doneBy(done)).toBe('/settings/organizations');
    expect((await page.read()).status).toBe(404);
  });

  test('takes no form without what this session’s forms carry', async () => {
    const { page, member, organizationId } = await organizationWith();

    const forged = await page.send({ do: 'remove', userId: String(member.userId) }, 'x'.repeat(43));

    expect(forged.status).toBe(403);
    expect(await roleOf(member.userId, organizationId)).toBe('MEMBER');
  });
});
