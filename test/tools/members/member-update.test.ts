import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('member_update', () => {
  let server: TestServer;
  const between = writesBeforeStoring('member_update', 'member_delete');
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
  });
  afterAll(() => server.stop());

  test('answers 200, and the role counts from the next call on', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const member = await managerOf(server, organizationId, 'MEMBER');

    const reply = await admin.patch(`/members/${member.userId}`, { role: 'ADMIN' });

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ userId: member.userId, role: 'ADMIN' });
    expect((await member.get('/members')).status).toBe(200);
  });

  test('answers CONFLICT where the last SUPER_ADMIN would be none', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);

    const reply = await admin.patch(`/members/${admin.userId}`, { role: 'MEMBER' });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'This is the last SUPER_ADMIN of the organization.',
    });
  });

  test('keeps one SUPER_ADMIN when two step down at once', async () => {
    const { organizationId } = await newPerson(server);
    const two = [await managerOf(server, organizationId), await managerOf(server, organizationId)];

    const replies = await Promise.all(
      two.map((one) => one.patch(`/members/${one.userId}`, { role: 'ADMIN' })),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('lets an ADMIN make nobody a SUPER_ADMIN', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId, 'ADMIN');

    const reply = await admin.patch(`/members/${admin.userId}`, { role: 'SUPER_ADMIN' });

    expectRefusal(reply, 403, {
      code: 'FORBIDDEN',
      words: 'Only a SUPER_ADMIN of the organization decides who is one.',
    });
  });

  test.each(['member_update', 'member_delete'])(
    'is refused to an ADMIN, as %s is, where a SUPER_ADMIN made the person one meanwhile',
    async (name) => {
      const { organizationId } = await newPerson(server);
      const first = await managerOf(server, organizationId);
      const admin = await managerOf(server, organizationId, 'ADMIN');
      const member = await managerOf(server, organizationId, 'MEMBER');
      const at = `/members/${member.userId}`;
      between.next(async () => {
        expect((await first.patch(at, { role: 'SUPER_ADMIN' })).status).toBe(200);
      });

      const reply =
        name === 'member_delete' ? await admin.delete(at) : await admin.patch(at, { role: 'READ_ONLY' });

      expectRefusal(reply, 403, {
        code: 'FORBIDDEN',
        words: 'Only a SUPER_ADMIN of the organization decides who is one.',
      });
      const { members } = (await first.get('/members')).body.data;
      expect(members).toContainEqual(expect.objectContaining({ userId: member.userId, role: 'SUPER_ADMIN' }));
    },
  );
});
