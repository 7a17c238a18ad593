import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managedAccount } from '../../support/callers/managers.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_membership_update', () => {
  let server: TestServer;
  const between = writesBeforeStoring('account_membership_update');
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
  });
  afterAll(() => server.stop());

  test('answers 200 and lets people of its domains in by themselves, and has them ask again', async () => {
    const { admin, organizationId, at } = await managedAccount(server);
    await admin.patch(`${at}/domain`, { customerDomain: `m${organizationId}.example` });
    const policies = async () =>
      done(await admin.get('/domains')).domains.map(({ policy }: { policy: string }) => policy);
    expect(done(await admin.get(`${at}/membership`))).toMatchObject({ allowDomainAutoJoin: false });

    done(await admin.patch(`${at}/membership`, { allowDomainAutoJoin: true }));

    expect(done(await admin.get(`${at}/membership`))).toMatchObject({ allowDomainAutoJoin: true });
    expect(await policies()).toEqual(['auto_approve']);
    done(await admin.patch(`${at}/membership`, { allowDomainAutoJoin: false }));
    expect(await policies()).toEqual(['request_approval']);
  });

  test('answers CONFLICT where there is no domain whose people could come in', async () => {
    const { admin, at } = await managedAccount(server);

    const reply = await admin.patch(`${at}/membership`, { allowDomainAutoJoin: true });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'This account has no domain whose people could come in.',
    });
    expect(done(await admin.get(`${at}/membership`))).toMatchObject({ allowDomainAutoJoin: false });
  });

  test.each([true, false])('answers 200 where somebody else said %s just before', async (isOpen) => {
    const { admin, organizationId, at } = await managedAccount(server);
    await admin.patch(`${at}/domain`, { customerDomain: `m${organizationId}.example` });
    const say = async (allowDomainAutoJoin: boolean) =>
      done(await admin.patch(`${at}/membership`, { allowDomainAutoJoin }));
    await say(!isOpen);
    between.next(() => say(isOpen));

    expect(await say(isOpen)).toMatchObject({ allowDomainAutoJoin: isOpen });
  });

  test('answers NOT_FOUND for an account of others', async () => {
    const { admin } = await managedAccount(server);
    const { at } = await managedAccount(server);

    const reply = await admin.patch(`${at}/membership`, { allowDomainAutoJoin: false });

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such account.' });
  });
});
