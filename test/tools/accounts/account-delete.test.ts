import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function withChild(customerRole: 'BUYER' | 'SELLER' = 'BUYER') {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const fields = { name: 'Nordics', customerRole, customerDomain: 'nordics.example' };
    const { id } = done(await admin.post('/buyer/accounts/create-child', fields));
    return { admin, organizationId, childId: Number(id) };
  }

  test('closes the account and those below it to everybody who works there', async () => {
    const { admin, organizationId, childId } = await withChild();
    const member = await managerOf(server, childId, 'MEMBER');
    done(await admin.post(`/accounts/${childId}/switch`, {}));
    const below = { name: 'Fjords', customerRole: 'BUYER' };
    const { id: belowId } = done(await admin.post('/buyer/accounts/create-child', below));
    done(await admin.post(`/accounts/${organizationId}/switch`, {}));

    const reply = await admin.delete(`/buyer/accounts/${childId}`);

    expect(reply.status).toBe(204);
    expect((await member.get('/buyer/accounts/current')).status).toBe(401);
    const { accounts } = done(await admin.get('/buyer/accounts'));
    expect(accounts).toMatchObject([{ id: organizationId }]);
    expectRefusal(await admin.post(`/accounts/${belowId}/switch`, {}), 404, {
      code: 'NOT_FOUND',
      words: 'No such account.',
    });
  });

  test('takes its storefront out of the market', async () => {
    const { admin, organizationId, childId } = await withChild('SELLER');
    const buyer = await newPerson(server);
    done(await admin.post(`/accounts/${childId}/switch`, {}));
    const { storefrontId } = await openStorefront(admin);
    done(await admin.post(`/accounts/${organizationId}/switch`, {}));
    const look = () => buyer.get(`/buyer/storefronts/${storefrontId}`);
    expect((await look()).status).toBe(200);

    expect((await admin.delete(`/buyer/accounts/${childId}`)).status).toBe(204);

    expectRefusal(await look(), 404, { code: 'NOT_FOUND', words: 'No such storefront.' });
  });

  test('answers CONFLICT while what its storefront sold runs', async () => {
    const { admin, organizationId, childId } = await withChild('SELLER');
    const buyer = await newPerson(server);
    done(await admin.post(`/accounts/${childId}/switch`, {}));
    const { storefrontId } = await openStorefront(admin);
    done(await admin.post(`/accounts/${organizationId}/switch`, {}));
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`, {}));

    const reply = await admin.delete(`/buyer/accounts/${childId}`);

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'Media buys are open: 0 that the account bought, 1 that its storefront sold.',
    });
    expect((await buyer.get(`/buyer/storefronts/${storefrontId}`)).status).toBe(200);
  });

  test('answers CONFLICT for the account somebody works in', async () => {
    const { admin, organizationId } = await withChild();

    const reply = await admin.delete(`/buyer/accounts/${organizationId}`);

    expectRefusal(reply, 409, { code: 'CONFLICT', words: 'This is the account you work in.' });
  });

  test('answers FORBIDDEN where the nearer role of the person is no administrator’s', async () => {
    const { admin, childId } = await withChild();
    const role = { user_id: admin.userId, organization_id: childId, role: 'READ_ONLY' as const };
    const made = { ...role, created_at: server.operator.now };
    await server.store.db.insertInto('memberships').values(made).execute();

    const reply = await admin.delete(`/buyer/accounts/${childId}`);

    expectRefusal(reply, 403, {
      code: 'FORBIDDEN',
      words: 'Your role in this account is READ_ONLY: an ADMIN manages it.',
    });
  });
});
