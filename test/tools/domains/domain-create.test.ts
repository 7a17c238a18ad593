import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('domain_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 201 with a domain that does nothing until it is verified', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const domain = `new-${organizationId}.example`;
    const person = await newNewcomer(server, { email: `ada@${domain}` });

    const reply = await admin.post('/domains', { domain, policy: 'auto_approve' });

    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({ domain, policy: 'auto_approve', isVerified: false });
    expectRefusal(await person.post('/signup/join-requests', {}), 403, {
      code: 'FORBIDDEN',
      words: 'No organization takes in people of your e-mail domain by themselves.',
    });
    await verifyDomain(server.operator, { organizationId, domain });
    expect((await person.post('/signup/join-requests', {})).body.data.status).toBe('joined');
    expect((await person.get('/buyer/accounts/current')).body.data.role).toBe('MEMBER');
  });

  test('answers CONFLICT the second time, and VALIDATION_ERROR for private mailboxes', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const domain = `twice-${organizationId}.example`;
    await admin.post('/domains', { domain });

    expectRefusal(await admin.post('/domains', { domain }), 409, {
      code: 'CONFLICT',
      words: `Your organization has named ${domain} before.`,
    });
    expectRefusal(await admin.post('/domains', { domain: 'mail.com' }), 400, {
      code: 'VALIDATION_ERROR',
      at: { domain: 'Anybody can have a mailbox at mail.com: it is no organization’s own.' },
    });
  });

  test('gives a verified domain to one organization alone', async () => {
    const [one, other] = [await newPerson(server), await newPerson(server)];
    const domain = `one-${one.organizationId}.example`;
    await verifyDomain(server.operator, { organizationId: one.organizationId, domain });

    const second = verifyDomain(server.operator, { organizationId: other.organizationId, domain });

    await expect(second).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
