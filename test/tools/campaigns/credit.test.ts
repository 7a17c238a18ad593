import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeScope } from '../../../store/engine/scope.ts';
import { accountOf } from '../../../tools/domain/ledger/account.ts';
import { fundAccount, setCreditLimit } from '../../../tools/domain/ledger/operating.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import type { Reply } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresSandbox, type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('the credit of an account', () => {
  let server: TestServer;
  let ada: FarSeller;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    declaresSandbox(ada, true);
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  /** A buyer with nothing but what a test gives it, in USD. */
  async function newBuyer(gifts: { funds?: number; credit?: number } = {}) {
    const person = await newPerson(server, { funds: false });
    const wanted = { organizationId: person.organizationId, currency: 'USD' };
    if (gifts.funds !== undefined)
      await fundAccount(server.operator, { ...wanted, amountMinor: gifts.funds * 100 });
    if (gifts.credit !== undefined)
      await setCreditLimit(server.operator, { ...wanted, limitMinor: gifts.credit * 100 });
    return person;
  }
  async function draftBy(person: Person, { each = 100, sandbox = false } = {}): Promise<string> {
    const advertiserId = await newAdvertiser(person, { sandbox });
    const draft = { advertiserId, each, budget: each, storefrontIds: [ada.storefrontId] };
    return (await draftCampaign(person, draft)).campaignId;
  }
  const execute = (person: Person, campaignId: string) =>
    person.post(`/buyer/campaigns/${campaignId}/execute`);
  const accountIn = ({ organizationId, accounts }: Person, currency = 'USD') =>
    accountOf(server.store.db, makeScope({ organizationId, customerId: accounts.BUYER ?? 0 }), currency);
  const answerWith = (status: string) =>
    ada.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status, packages: [] }));

  test('is nothing for a new customer: execute is 402 with all seven details, and nothing is done', async () => {
    const buyer = await newBuyer();
    const campaignId = await draftBy(buyer);
    const before = ada.agent.calls.length;

    const refused = await execute(buyer, campaignId);

    expectRefusal(refused, 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 100.00 USD; the account has 0.00 USD available, 100.00 USD too little. Nothing was done.',
    });
    expect(refused.body.error.details).toMatchObject({
      availableMinor: '0',
      committedMinor: '0',
      fundedMinor: '0',
      creditLimitMinor: '0',
      newCommitmentMinor: '10000',
      exceededByMinor: '10000',
      currency: 'USD',
      suggestion: expect.stringContaining('npm run rialto -- credit set'),
    });
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign).toMatchObject({ status: 'DRAFT', mediaBuys: [] });
    expect(ada.agent.calls.slice(before).filter(({ tool }) => tool === 'create_media_buy')).toEqual([]);
  });

  test('is not asked for in the sandbox', async () => {
    const buyer = await newBuyer();
    answerWith('active');

    const { status } = await execute(buyer, await draftBy(buyer, { sandbox: true }));

    expect(status).toBe(200);
    expect(await accountIn(buyer)).toMatchObject({ committedMinor: 0 });
  });

  test('is funds and credit together, and what executes commits it', async () => {
    const buyer = await newBuyer({ funds: 60, credit: 40 });
    answerWith('active');

    expect((await execute(buyer, await draftBy(buyer))).status).toBe(200);

    expect(await accountIn(buyer)).toEqual({
      currency: 'USD',
      fundedMinor: 6_000,
      creditLimitMinor: 4_000,
      committedMinor: 10_000,
      availableMinor: 0,
    });
    const refused = await execute(buyer, await draftBy(buyer, { each: 1 }));
    expectRefusal(refused, 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 1.00 USD; the account has 0.00 USD available, 1.00 USD too little. Nothing was done.',
    });
    expect(refused.body.error.details).toMatchObject({ availableMinor: '0', exceededByMinor: '100' });
  });

  test('is exceeded by the smallest unit of the currency', async () => {
    const buyer = await newBuyer();
    const { organizationId } = buyer;
    const campaignId = await draftBy(buyer);
    answerWith('active');
    const limitTo = (limitMinor: number) =>
      setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor });

    await limitTo(9_999);
    const refused = await execute(buyer, campaignId);
    await limitTo(10_000);

    expectRefusal(refused, 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 100.00 USD; the account has 99.99 USD available, 0.01 USD too little. Nothing was done.',
      details: { availableMinor: '9999', exceededByMinor: '1' },
    });
    expect((await execute(buyer, campaignId)).status).toBe(200);
  });

  test('of one currency pays for nothing in another', async () => {
    const buyer = await newBuyer();
    const { organizationId } = buyer;
    await fundAccount(server.operator, { organizationId, currency: 'EUR', amountMinor: 1_000_000 });

    expect((await execute(buyer, await draftBy(buyer))).status).toBe(402);
  });

  test('comes back when the seller refuses, and is asked for again when the order is sent again', async () => {
    const buyer = await newBuyer({ credit: 100 });
    const campaignId = await draftBy(buyer);
    ada.agent.on('create_media_buy', () => ({ errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] }));

    await execute(buyer, campaignId);

    expect(await accountIn(buyer)).toMatchObject({ committedMinor: 0, availableMinor: 10_000 });
    answerWith('active');
    expect((await execute(buyer, campaignId)).status).toBe(200);
    expect(await accountIn(buyer)).toMatchObject({ committedMinor: 10_000 });
  });

  test('of twenty campaigns executed at once pays for as many as it covers, and for no more', async () => {
    const buyer = await newBuyer({ credit: 700 });
    answerWith('active');
    const campaigns: string[] = [];
    for (let count = 0; count < 20; count += 1) campaigns.push(await draftBy(buyer));

    const replies = await Promise.all(campaigns.map((campaignId) => execute(buyer, campaignId)));

    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 402)).toHaveLength(13);
    expect(await accountIn(buyer)).toMatchObject({ committedMinor: 70_000, availableMinor: 0 });
  });

  describe('is looked at before another person is asked to allow a spend, and nobody is asked beyond it', () => {
    const BEYOND =
      'This would commit 100.00 USD; the account has 50.00 USD available, 50.00 USD too little. Nothing was done.';
    const beyond = (reply: Reply) =>
      expectRefusal(reply, 402, { code: 'CREDIT_LIMIT_EXCEEDED', words: BEYOND });
    const asked = async (person: Person) => done(await person.get('/buyer/spend-approvals')).total;

    test('for orders of a draft, which is executed once there is enough', async () => {
      const buyer = await newBuyer({ credit: 50 });
      await limitSpend(server, buyer, 60);
      const campaignId = await draftBy(buyer);

      beyond(await execute(buyer, campaignId));

      expect(await asked(buyer)).toBe(0);
      const { organizationId } = buyer;
      await setCreditLimit(server.operator, { organizationId, currency: 'USD', limitMinor: 10_000 });
      expect(done(await execute(buyer, campaignId))).toMatchObject({ reason: 'approval_needed' });
      expect(await asked(buyer)).toBe(1);
    });

    test('for a batch, which keeps no campaign then', async () => {
      const buyer = await newBuyer({ credit: 50 });
      await limitSpend(server, buyer, 60);
      const advertiserId = await newAdvertiser(buyer);
      const query = { advertiser_id: advertiserId, storefront_ids: [ada.storefrontId], wait_seconds: 30 };
      const found = done(
        await buyer.post('/buyer/products/query', {
          buying_mode: 'wholesale',
          ext: { interchange: query },
        }),
      );

      const reply = await buyer.post('/buyer/media-buys/batch', {
        productQueryId: found.ext.interchange.execution_id,
        campaign: { create: { advertiserId, name: 'Spring', budget: { total: 100 }, flightDates } },
        mode: 'execute',
        selections: [{ kind: 'product', productId: found.products[0].product_id, budget: 100 }],
      });

      beyond(reply);
      expect(done(await buyer.get('/buyer/campaigns')).total).toBe(0);
    });
  });
});
