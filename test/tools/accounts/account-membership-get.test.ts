import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managedAccount } from '../../support/callers/managers.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_membership_get', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers NOT_FOUND above the organization somebody works in', async () => {
    const { admin, organizationId } = await managedAccount(server);
    const child = { name: 'Below', customerRole: 'BUYER' };
    const { id } = done(await admin.post('/buyer/accounts/create-child', child));
    done(await admin.post(`/accounts/${id}/switch`, {}));

    const above = await admin.get(`/buyer/accounts/${organizationId}/membership`);

    expectRefusal(above, 404, { code: 'NOT_FOUND', words: 'No such account.' });
    expect((await admin.get(`/buyer/accounts/${id}/membership`)).status).toBe(200);
  });
});
