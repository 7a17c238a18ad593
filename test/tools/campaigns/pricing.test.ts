import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeScope } from '../../../store/engine/scope.ts';
import { insertPricingRule } from '../../../store/pricing-rules.ts';
import { accountOf } from '../../../tools/domain/ledger/account.ts';
import {
  dropPricingRule,
  pricingRulesOf,
  setPricingRule,
} from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresSandbox, type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { setNamesFree } from '../../support/sellers/names-set-free.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';
import { allUnderWay } from '../../support/server/under-way.ts';

describe('the pricing rules of an account', () => {
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

  async function draftBy(person: Person, { each = 100, sandbox = false } = {}): Promise<string> {
    const advertiserId = await newAdvertiser(person, { sandbox });
    const draft = { advertiserId, each, budget: each, storefrontIds: [ada.storefrontId] };
    return (await draftCampaign(person, draft)).campaignId;
  }
  const execute = async (person: Person, campaignId: string) => {
    await setNamesFree(server);
    return person.post(`/buyer/campaigns/${campaignId}/execute`);
  };
  const committedBy = async ({ organizationId, accounts }: Person) => {
    const scope = makeScope({ organizationId, customerId: accounts.BUYER ?? 0 });
    return (await accountOf(server.store.db, scope, 'USD')).committedMinor;
  };
  const answerWith = (answer: object) =>
    ada.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', packages: [], ...answer }));
  const budgetsOrdered = () =>
    ada.agent.calls
      .filter(({ tool }) => tool === 'create_media_buy')
      .flatMap(({ args }) => (args['packages'] as { budget: number }[]).map(({ budget }) => budget));

  test('take the fee out of the budget: the seller gets the rest, and the account commits the whole', async () => {
    const buyer = await newPerson(server);
    const { organizationId } = buyer;
    await setPricingRule(server.operator, { organizationId, feeBps: 1_250 });
    answerWith({ status: 'active' });
    const campaignId = await draftBy(buyer);

    expect((await execute(buyer, campaignId)).status).toBe(200);

    expect(budgetsOrdered().at(-1)).toBe(87.5);
    expect(await committedBy(buyer)).toBe(10_000);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.mediaBuys).toMatchObject([
      {
        budget: 100,
        budget_denomination: 'gross',
        budget_breakdown: {
          media_budget: 87.5,
          fee_amount: 12.5,
          fee_rate_percent: 12.5,
          effective_gross_cpm: null,
        },
      },
    ]);
  });

  test('give back what was not delivered when the buy is over, the fee with it', async () => {
    const buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 2_000 });
    answerWith({ status: 'active' });
    const campaignId = await draftBy(buyer);
    await execute(buyer, campaignId);
    ada.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status: 'completed', packages: [] }],
    }));
    ada.agent.on('get_media_buy_delivery', () => ({
      notification_type: 'final',
      media_buy_deliveries: [
        { media_buy_id: 'far_1', totals: { impressions: 4_000, spend: 40, clicks: 1 }, by_package: [] },
      ],
    }));

    const status = await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`);

    expect(status.status).toBe(200);
    // 40 of 80 went to the seller: half of the budget, fee and all.
    expect(await committedBy(buyer)).toBe(5_000);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.mediaBuys[0]).toMatchObject({
      status: 'COMPLETED',
      budget_breakdown: { effective_gross_cpm: 12.5 },
    });
  });

  test('are needed: without one for the sales agent, execute is 409 before anything is done', async () => {
    const buyer = await newPerson(server);
    const { organizationId } = buyer;
    await dropPricingRule(server.operator, { organizationId });
    const campaignId = await draftBy(buyer);

    const refused = await execute(buyer, campaignId);

    expectRefusal(refused, 409, {
      code: 'PRICING_NOT_CONFIGURED',
      words: 'The advertiser has no pricing rule for Agent.',
    });
    expect(refused.body.error.details).toMatchObject({ salesAgentIds: [ada.agentId] });
    expect(await committedBy(buyer)).toBe(0);
    await setPricingRule(server.operator, { organizationId, agentId: ada.agentId, feeBps: 0 });
    answerWith({ status: 'active' });
    expect((await execute(buyer, campaignId)).status).toBe(200);
  });

  test('are needed for what is sent again as well, which names the buys', async () => {
    const buyer = await newPerson(server);
    const { organizationId } = buyer;
    const campaignId = await draftBy(buyer);
    ada.agent.on('create_media_buy', () => {
      throw new Error('out of order');
    });
    await execute(buyer, campaignId);
    await dropPricingRule(server.operator, { organizationId });

    const refused = await execute(buyer, campaignId);

    expectRefusal(refused, 409, {
      code: 'PRICING_NOT_CONFIGURED',
      words: 'The advertiser has no pricing rule for Agent.',
    });
    expect(refused.body.error.details.unpricedBuyIds).toEqual([expect.stringMatching(/^mb_/)]);
  });

  test('are no matter in the sandbox', async () => {
    const buyer = await newPerson(server, { funds: false });
    await dropPricingRule(server.operator, { organizationId: buyer.organizationId });
    answerWith({ status: 'active' });

    expect((await execute(buyer, await draftBy(buyer, { sandbox: true }))).status).toBe(200);
  });

  test('leave a seller its least: what is left of a budget without the fee has to reach it', async () => {
    const buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 9_999 });

    const refused = await execute(buyer, await draftBy(buyer, { each: 0.01 }));

    expectRefusal(refused, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.total': 'Nothing of its budget is left for Product ada-1 once its fee is taken.' },
    });
  });

  test('are one of each subject, where two of it are set at once', async () => {
    const { organizationId } = await newPerson(server);
    const wanted = { organizationId, agentId: ada.agentId };
    const set = (feeBps: number) => setPricingRule(server.operator, { ...wanted, feeBps });

    await allUnderWay(server, [() => set(1_000), () => set(2_000)]);

    const rules = await pricingRulesOf(server.operator, { organizationId });
    const held = rules.filter(({ agent_id }) => agent_id === ada.agentId);
    expect(held).toHaveLength(1);
    expect([1_000, 2_000]).toContain(held[0]?.fee_bps);
  });

  test('are one of each subject by the database, whoever writes them', async () => {
    const { organizationId, accounts } = await newPerson(server);
    const scope = makeScope({ organizationId, customerId: accounts.BUYER ?? 0 });
    const rule = { advertiser_id: null, fee_bps: 0, created_at: server.operator.now };
    const { db } = server.store;
    await insertPricingRule(db, scope, { ...rule, agent_id: 'agent_1' });
    await insertPricingRule(db, scope, { ...rule, agent_id: 'agent_2' });

    await expect(insertPricingRule(db, scope, { ...rule, agent_id: 'agent_1' })).rejects.toThrow(/unique/i);
    await expect(insertPricingRule(db, scope, { ...rule, agent_id: null })).rejects.toThrow(/unique/i);
  });
});
