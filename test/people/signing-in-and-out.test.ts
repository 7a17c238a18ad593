import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../adapters/people/passwords.ts';
import { unscoped } from '../../store/engine/unscoped.ts';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { submitAtOnce } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount, PASSWORD } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const COST = 15;

describe('who signs in', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PASSWORD_COST: String(COST), MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  test('with the right password at several browsers at once is let in at each, also while it is kept in another form', async () => {
    const { email } = await newAccount(server);
    const before = createPasswords({ cost: COST - 1, atOnce: 1, waiting: 20 });
    const old = await before.hash(PASSWORD);
    await server.store.db
      .updateTable('users')
      .set({ password_hash: old })
      .where('email', '=', email)
      .execute();
    const form = { path: '/sign-in', fields: { email, password: PASSWORD } };

    const answers = await submitAtOnce(server.url, [form, form, form]);

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    for (const { browser } of answers) expect((await browser.get('/settings/profile')).status).toBe(200);
    const kept = (await findUserByEmail(server.store.db, email))?.password_hash ?? null;
    expect(kept).not.toBe(old);
    expect(await before.verify(PASSWORD, kept)).toBe(true);
  });
});

describe('who signs out', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  const signedOutOf = async (email: string) =>
    (
      await unscoped(server.store.db)
        .selectFrom('audit_logs')
        .select('organization_id')
        .where('tool', '=', 'sign_out')
        .where('user_email', '=', email)
        .execute()
    ).map(({ organization_id }) => organization_id);
  const takeOut = async (email: string, organizationId: number) => {
    const user = await findUserByEmail(server.store.db, email);
    await server.store.db
      .deleteFrom('memberships')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', user?.id ?? 0)
      .execute();
  };

  test('is told to the organization they work in, to another of theirs once they were taken out, and else to none', async () => {
    const [one, other] = [await newPerson(server), await newPerson(server)];
    const [working, moved, gone] = await Promise.all(
      [1, 2, 3].map(() => newAccount(server, { organizationId: one.organizationId })),
    );
    if (working === undefined || moved === undefined || gone === undefined) throw new Error('Nobody came.');
    const { organizationId } = other;
    await giveRole(server.operator, { email: moved.email, name: '', organizationId, role: 'MEMBER' });
    for (const { email } of [moved, gone]) await takeOut(email, one.organizationId);

    for (const ada of [working, moved, gone]) {
      expect((await ada.submit('/settings/profile', {}, '/sign-out')).status).toBe(303);
    }

    expect(await signedOutOf(working.email)).toEqual([one.organizationId]);
    expect(await signedOutOf(moved.email)).toEqual([organizationId]);
    expect(await signedOutOf(gone.email)).toEqual([]);
  });
});
