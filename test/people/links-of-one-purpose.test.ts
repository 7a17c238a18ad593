import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLink } from '../../adapters/people/links.ts';
import type { LinkPurpose } from '../../store/unscoped/one-use-links.ts';
import { findUserByEmail } from '../../store/unscoped/users.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount, newAddress } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PAGES: Readonly<Record<LinkPurpose, string>> = {
  sign_up: '/sign-up/finish',
  reset: '/reset',
  verify: '/verify',
  admin: '/first-administrator',
  new_email: '/change-email',
  old_email: '/keep-email',
};
const purposes = Object.entries(PAGES);
const isPurpose = (name: string): name is LinkPurpose => name in PAGES;

/** What a mailbox is sent for one thing must not do another: who confirms an address is given no password. */
describe('a link that is mailed', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  test.each(purposes)('to %s opens at its own page, and at no other', async (purpose, own) => {
    if (!isPurpose(purpose)) throw new Error('No purpose.');
    const { organizationId } = await newPerson(server);
    const ada = await newAccount(server);
    const { db } = server.store;
    const before = await findUserByEmail(db, ada.email);
    const email = purpose === 'new_email' ? newAddress() : ada.email;
    const wanted = { purpose, email, userId: before?.id ?? null, administers: organizationId };
    const now = Date.parse(server.operator.now);
    const { search } = new URL(await makeLink(db, { ...wanted, now, publicUrl: server.url }));
    const fields = { name: 'Eve', email, password: 'seven quiet owls in a row' };

    for (const [other, page] of purposes) {
      if (other === purpose) continue;
      const got = await ada.get(`${page}${search}`);
      const sent = await ada.submit(`${own}${search}`, fields, page);
      expect([page, got.status, sent.status]).toEqual([page, 410, 410]);
    }

    expect(await findUserByEmail(db, ada.email)).toEqual(before);
    expect((await ada.get(`${own}${search}`)).status).toBe(200);
  });
});
