import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setSpendLimit } from '../../../tools/domain/approvals/limits.ts';
import { fundAccount, setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_get', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the organization one works in', async () => {
    const { organizationId } = await newPerson(server);
    const reader = await managerOf(server, organizationId, 'READ_ONLY');

    const reply = await reader.get('/buyer/accounts/current');

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ id: organizationId, role: 'READ_ONLY', isCurrent: true });
  });

  test('tells what the buyer account may spend, a currency each', async () => {
    const buyer = await newPerson(server, { funds: false });
    const { organizationId } = buyer;
    const credit = async () => (await buyer.get('/buyer/accounts/current')).body.data;

    expect(await credit()).toMatchObject({ credit: [] });
    await setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor: 250_050 });
    const dollars = { currency: 'USD', funded: 0, creditLimit: 2500.5, committed: 0, available: 2500.5 };
    expect(await credit()).toMatchObject({
      standing: { creditLimit: 250_050, currency: 'USD' },
      credit: [dollars],
    });
    await fundAccount(server.operator, { organizationId, currency: 'JPY', amountMinor: 900 });
    const both = await credit();
    expect(both.credit).toMatchObject([{ currency: 'JPY', funded: 900, available: 900 }, dollars]);
    expect(both).not.toHaveProperty('standing');
  });

  test('tells the limits above which a spend waits for another person', async () => {
    const buyer = await newPerson(server);
    const { organizationId } = buyer;
    const limits = async () => (await buyer.get('/buyer/accounts/current')).body.data.spendLimits;

    expect(await limits()).toEqual([]);
    await setSpendLimit(server.operator, { organizationId, currency: 'USD', limitMinor: 5_050 });
    expect(await limits()).toEqual([{ currency: 'USD', limit: 50.5 }]);
    await setSpendLimit(server.operator, { organizationId, currency: 'USD', limitMinor: undefined });
    expect(await limits()).toEqual([]);
  });

  test('says to whoever buys in the sandbox that nothing of it is held there', async () => {
    const buyer = await newPerson(server, { funds: false });
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    const { storefrontId } = await openStorefront(await newPerson(server));
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    const { data } = (await buyer.get('/buyer/accounts/current')).body;

    expect(data).toMatchObject({
      credit: [],
      sandboxNote:
        'Campaigns of sandbox advertisers hold and spend nothing of this: they need no credit, and no limit stops them.',
    });
  });

  test('tells nothing of money where nothing is bought', async () => {
    const seller = await newPerson(server, { roles: ['SELLER'] });

    const { data } = (await seller.get('/storefront/accounts/current')).body;

    expect(data).not.toHaveProperty('credit');
    expect(data).not.toHaveProperty('sandboxNote');
  });
});
