import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managedAccount } from '../../support/callers/managers.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_domain_update', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the domain, which counts once the operator has verified it', async () => {
    const { admin, organizationId, at } = await managedAccount(server);
    const domain = `d${organizationId}.example`;

    const reply = await admin.patch(`${at}/domain`, { customerDomain: domain });

    expect(reply.body.data).toEqual({
      id: organizationId,
      customerDomain: domain,
      customerDomainApproved: false,
    });
    expect(done(await admin.get('/buyer/accounts/current'))).toMatchObject({ customerDomain: domain });
    await verifyDomain(server.operator, { organizationId, domain });
    const again = await admin.patch(`${at}/domain`, { customerDomain: domain });
    expect(again.body.data).toMatchObject({ customerDomainApproved: true });
  });

  test('refuses a domain where anybody can have a mailbox', async () => {
    const { admin, at } = await managedAccount(server);

    const reply = await admin.patch(`${at}/domain`, { customerDomain: 'gmail.com' });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { customerDomain: 'Anybody can have a mailbox at gmail.com: it is no organization’s own.' },
    });
  });

  test('answers CONFLICT for a domain that is verified for another organization', async () => {
    const [owner, other] = [await managedAccount(server), await managedAccount(server)];
    const domain = `owned${owner.organizationId}.example`;
    await verifyDomain(server.operator, { organizationId: owner.organizationId, domain });

    const reply = await other.admin.patch(`${other.at}/domain`, { customerDomain: domain });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: `The domain ${domain} is verified for another organization.`,
    });
  });

  test('answers 200 to two who give the same domain at once', async () => {
    const { admin, organizationId, at } = await managedAccount(server);
    const domain = `twice${organizationId}.example`;

    const replies = await Promise.all([
      admin.patch(`${at}/domain`, { customerDomain: domain }),
      admin.patch(`${at}/domain`, { customerDomain: domain }),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { domains } = done(await admin.get('/domains'));
    expect(domains).toMatchObject([{ domain, policy: 'invitation_only' }]);
  });

  test('answers NOT_FOUND for an account of others', async () => {
    const { admin } = await managedAccount(server);
    const { at } = await managedAccount(server);

    const reply = await admin.patch(`${at}/domain`, { customerDomain: 'taken.example' });

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such account.' });
  });
});
