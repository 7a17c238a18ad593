import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

interface Buy {
  readonly mediaBuyId: string;
  readonly status: string;
  readonly budget: number;
  readonly salesAgentId: string;
  readonly packages: readonly { readonly packageId: string; readonly budget: number }[];
}

/** A campaign of 600 with a buy of 300 at each of two sellers, of which half is a fee. */
describe('budgets of which a part is a fee', () => {
  let server: TestServer;
  let buyer: Person;
  let ada: FarSeller;
  let bea: FarSeller;
  let campaignId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    [ada, bea] = [await farSeller(server, 'Ada'), await farSeller(server, 'Bea')];
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada.agent.stop(), bea.agent.stop()]);
  });
  beforeEach(async () => {
    for (const seller of [ada, bea]) takesChanges(seller);
    ada.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 5_000 });
  });

  async function run(): Promise<void> {
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [ada.storefrontId, bea.storefrontId];
    const draft = { advertiserId, budget: 600, each: 300, storefrontIds };
    ({ campaignId, discoveryId } = await draftCampaign(buyer, draft));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  }

  const path = () => `/buyer/campaigns/${campaignId}`;
  const read = async () => done(await buyer.get(path())).campaign;
  const buyAt = async ({ agentId }: FarSeller): Promise<Buy> =>
    (await read()).mediaBuys.find(({ salesAgentId }: Buy) => salesAgentId === agentId);
  const refresh = async () => done(await buyer.get(`${path()}/media-buy-status`));
  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  const choose = async (seller: FarSeller, budget: number) => {
    const product = { productId: `${seller.name.toLowerCase()}-1`, salesAgentId: seller.agentId, budget };
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [product] }));
  };
  const ask = async (seller: FarSeller, budget: number) => {
    const { mediaBuyId, packages } = await buyAt(seller);
    const changes = [{ packageId: packages[0]?.packageId, budget }];
    return buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: changes });
  };

  /** Ada reports that so much was spent, as sellers do: without the fee. */
  async function delivers(spend: number): Promise<void> {
    ada.agent.on('get_media_buy_delivery', ({ media_buy_ids: ids }) => ({
      notification_type: 'final',
      media_buy_deliveries: [
        { media_buy_id: [ids].flat()[0], totals: { impressions: 4_000, spend, clicks: 1 }, by_package: [] },
      ],
    }));
    await refresh();
  }

  /** As where Bea had refused the order, and the campaign runs all the same. */
  async function refusedByBea(): Promise<void> {
    await server.store.db
      .withoutPlugins()
      .updateTable('media_buys')
      .set({ status: 'REJECTED', adcp_media_buy_id: null })
      .where('campaign_id', '=', campaignId)
      .where('agent_id', '=', bea.agentId)
      .execute();
  }

  /** Ada says that its time is over. */
  async function completes(): Promise<void> {
    ada.agent.on('get_media_buys', ({ media_buy_ids: ids }) => ({
      media_buys: [ids].flat().map((media_buy_id) => ({ media_buy_id, status: 'completed', packages: [] })),
    }));
    await refresh();
  }

  test('are used up by what a completed buy spent: what is left is what can be raised', async () => {
    await run();
    await delivers(100);
    await completes();
    expect(await buyAt(ada)).toMatchObject({ status: 'COMPLETED', budget: 300 });

    const { allocatedBudget, unallocatedBudget } = await read();

    expect({ allocatedBudget, unallocatedBudget }).toEqual({ allocatedBudget: 500, unallocatedBudget: 100 });
    expectRefusal(await ask(bea, 300 + unallocatedBudget + 1), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 600.00 USD (budget.total); with this change the media buys take 601.00 USD.',
      },
    });
    done(await ask(bea, 300 + unallocatedBudget));
    expect(await read()).toMatchObject({ allocatedBudget: 600, unallocatedBudget: 0 });
    expect(await committed()).toBe(600);
  });

  test('are used up by what a completed buy spent: what is left is what can be ordered', async () => {
    await run();
    await delivers(100);
    await completes();
    await refusedByBea();
    await choose(bea, 400);

    done(await buyer.post(`${path()}/execute`));

    expect(await buyAt(bea)).toMatchObject({ status: 'ACTIVE', budget: 400 });
    expect(await read()).toMatchObject({ allocatedBudget: 600, unallocatedBudget: 0 });
  });

  test('are used up by what a buy spent before it was called off, fee and all', async () => {
    bea.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUDGET_TOO_LOW', message: 'More.' }] }));
    await run();
    await delivers(150);
    const { mediaBuyId } = await buyAt(ada);

    done(await buyer.put(path(), { mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));

    expect(await buyAt(ada)).toMatchObject({ status: 'CANCELED' });
    expect(await read()).toMatchObject({ allocatedBudget: 300, unallocatedBudget: 300 });
  });

  test('leave no more to the next order than what was called off did not spend, fee and all', async () => {
    await run();
    await delivers(150);
    bea.agent.on('update_media_buy', () => ({ media_buy_id: 'Bea_1', status: 'rejected' }));
    const { mediaBuyId } = await buyAt(ada);
    done(await buyer.put(path(), { mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));
    await refusedByBea();
    await choose(bea, 450);

    const reply = await buyer.post(`${path()}/execute`);

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total': 'The campaign has 600.00 USD (budget.total); the chosen products take 750.00 USD.',
      },
    });
  });

  test('cannot fall below what was spent of them, fee and all', async () => {
    await run();
    await delivers(140);

    const reply = await ask(ada, 200);

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: { packages: 'The budgets are 200 together, and 280.00 USD is spent, the fee with it.' },
    });
    expect(reply.body.error.message).toContain('280.00 USD is spent, the fee with it');
    expect((await ask(ada, 280)).status).toBe(200);
    expect(await committed()).toBe(580);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('of a campaign cannot fall below what its media buys spent, in the call that ends them', async () => {
    await run();
    await delivers(150);
    const mediaBuys = [await buyAt(ada), await buyAt(bea)].map(({ mediaBuyId }) => ({
      mediaBuyId,
      action: 'cancel',
    }));

    const reply = await buyer.put(path(), { budget: { total: 200 }, mediaBuys });

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.total': 'A total of 200.00 USD is less than the 300.00 USD that its media buys take.' },
    });
    expect(reply.body.error.details).toMatchObject({ minimumAllowedBudget: 300 });
  });

  test('are used up by a raise that waits, for what is ordered meanwhile as well', async () => {
    bea.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUDGET_TOO_LOW', message: 'More.' }] }));
    await run();
    decidesLater(ada);
    done(await ask(ada, 400));
    expect(await read()).toMatchObject({ allocatedBudget: 400, unallocatedBudget: 200 });
    takesChanges(bea);
    await choose(bea, 250);

    const reply = await buyer.post(`${path()}/execute`);

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total': 'The campaign has 600.00 USD (budget.total); the chosen products take 650.00 USD.',
      },
    });
  });

  test('of packages are shown as they are given: what is read can be added to', async () => {
    await run();
    const { mediaBuyId, packages } = await buyAt(ada);
    const listed = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`)).packages;
    const shown = [packages, listed].map(([part]) => part.budget);
    expect(shown).toEqual([300, 300]);

    done(await buyer.put(path(), { budget: { total: 610 } }));
    done(await ask(ada, (packages[0]?.budget ?? 0) + 10));

    const told = ada.agent.calls.findLast(({ tool }) => tool === 'update_media_buy');
    expect(told?.args).toMatchObject({ packages: [{ budget: 155 }] });
    expect(await buyAt(ada)).toMatchObject({ budget: 310, packages: [{ budget: 310 }] });
  });

  test('of packages are as good as unchanged where what is read is given back', async () => {
    await run();
    const { packages } = await buyAt(ada);
    const updates = () => ada.agent.calls.filter(({ tool }) => tool === 'update_media_buy').length;
    const before = updates();

    done(await ask(ada, packages[0]?.budget ?? 0));

    expect(updates()).toBe(before);
    expect(await buyAt(ada)).toMatchObject({ budget: 300 });
  });

  test('of packages can be another by a cent of the fee: it is bound here, and their seller is not asked', async () => {
    await run();
    const updates = () => ada.agent.calls.filter(({ tool }) => tool === 'update_media_buy').length;
    const before = updates();
    expectRefusal(await ask(ada, 300.01), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 600.00 USD (budget.total); with this change the media buys take 600.01 USD.',
      },
    });
    done(await buyer.put(path(), { budget: { total: 600.01 } }));

    done(await ask(ada, 300.01));

    expect(await buyAt(ada)).toMatchObject({ budget: 300.01, packages: [{ budget: 300.01 }] });
    expect(await committed()).toBe(600.01);
    const { mediaBuyId, packages } = await buyAt(ada);
    const back = { mediaBuyId, packages: [{ packageId: packages[0]?.packageId, budget: 300 }] };
    done(await buyer.put(path(), { budget: { total: 600 }, mediaBuys: [back] }));
    expect(await buyAt(ada)).toMatchObject({ budget: 300, packages: [{ budget: 300 }] });
    expect((await read()).budget.total).toBe(600);
    expect(await committed()).toBe(600);
    expect(updates()).toBe(before);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('of packages are told to their seller, a cent of the fee too, where something else waits there', async () => {
    await run();
    done(await buyer.put(path(), { budget: { total: 610 } }));
    ada.agent.on('update_media_buy', () => {
      throw new Error('out of order');
    });
    const { mediaBuyId, packages } = await buyAt(ada);
    const paced = { packages: [{ packageId: packages[0]?.packageId, pacing: 'asap' }] };
    await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, paced);
    ada.agent.on('update_media_buy', () => ({ media_buy_id: 'Ada_1', status: 'active' }));

    done(await ask(ada, 300.01));

    const told = ada.agent.calls.findLast(({ tool }) => tool === 'update_media_buy');
    expect(told?.args).toMatchObject({ packages: [{ budget: 150, pacing: 'asap' }] });
    await refresh();
    expect(await buyAt(ada)).toMatchObject({ budget: 300.01, packages: [{ budget: 300.01 }] });
    expect(await committed()).toBe(600.01);
  });

  test('of packages are told and logged with the fee, as that of their media buy is', async () => {
    await run();
    const { mediaBuyId, packages } = await buyAt(ada);

    done(await ask(ada, 250));

    const budgets = {
      budget: { from: 300, to: 250 },
      [`packages.${packages[0]?.packageId}.budget`]: { from: 300, to: 250 },
    };
    const [entry] = await auditOf(server, buyer, 'media_buy_update');
    expect(JSON.parse(entry?.changes ?? 'null')).toMatchObject(budgets);
    const events = await server.store.db
      .selectFrom('account_events')
      .select('payload')
      .where('organization_id', '=', buyer.organizationId)
      .where('event_type', '=', 'media_buy.updated')
      .execute();
    const told = events.map(({ payload }) => JSON.parse(payload)).filter(({ changes }) => changes?.budget);
    expect(told).toMatchObject([{ mediaBuyId, changes: budgets }]);
  });

  test('of packages that a seller does not show yet are told with the fee', async () => {
    await run();
    const { mediaBuyId, packages } = await buyAt(ada);
    ada.agent.on('update_media_buy', () => ({ media_buy_id: 'Ada_1', status: 'active' }));

    done(await ask(ada, 250));

    const shown = await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`);
    expect(shown.text).toContain(`package ${packages[0]?.packageId} has a budget of 300.`);
  });
});
