import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A buy of 100 and 100 with a fee of 12.34 %, at a seller that takes every change in its own way. */
describe('a budget that its seller took and shows otherwise', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  /** What the seller shows of its packages, and makes of a budget that is asked for. */
  let shown: [number, number];
  let takes: (asked: number, before: number) => number;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    shown = [87.66, 87.66];
    far = await farSeller(server, 'Far', [adcpProduct('far-1'), adcpProduct('far-2')]);
    const { agent } = far;
    const packages = () =>
      shown.map((budget, at) => ({ package_id: `p_${at}`, product_id: `far-${at + 1}`, budget }));
    const list = () => ({ media_buy_id: 'far_buy', status: 'active', packages: packages() });
    agent.on('create_media_buy', list);
    agent.on('get_media_buys', () => ({ media_buys: [list()] }));
    agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    agent.on('update_media_buy', ({ packages: asked = [] }) => {
      for (const part of asked as { package_id: string; budget?: number }[]) took(part);
      return list();
    });
    buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 1_234 });
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [far.storefrontId];
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, budget: 500 }));
    mediaBuyId = await executed(buyer, campaignId);
    return () => agent.stop();
  });

  function took({ package_id, budget }: { package_id: string; budget?: number }): void {
    const at = package_id === 'p_0' ? 0 : 1;
    if (budget !== undefined) shown[at] = takes(budget, shown[at]);
  }
  const path = () => `/buyer/media-buys/${mediaBuyId}`;
  const change = (fields: object) => buyer.patch(path(), fields);
  const budgets = (...all: [string, number][]) =>
    change({ packages: all.map(([packageId, budget]) => ({ packageId, budget })) });
  const read = async () => done(await buyer.get(`${path()}?detail=full`)).mediaBuy;
  const refresh = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  const takesAsAsked = () => {
    takes = (asked) => asked;
  };
  const takesHalf = () => {
    takes = (asked, before) => Math.round((asked + before) * 50) / 100;
  };
  const takesNothing = () => {
    takes = (_, before) => before;
  };
  async function holds(budget: number, parts: readonly number[]): Promise<void> {
    const buy = await read();
    expect(buy).toMatchObject({ budget, packages: parts.map((part) => ({ budget: part })) });
    expect(buy.changes[0].state).toBe('confirmed');
    expect(await committed()).toBe(budget);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  }

  test('holds as it was asked for where it is a minor unit apart, and is as good as unchanged then', async () => {
    takes = (asked) => Math.round((asked + 0.01) * 100) / 100;

    const { warnings = [] } = done(await budgets(['p_0', 150]));

    expect(warnings).toEqual([]);
    await holds(250, [150, 100]);
    await refresh();
    await holds(250, [150, 100]);
    const sent = far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').length;
    done(await budgets(['p_0', 150]));
    expect(far.agent.calls.filter(({ tool }) => tool === 'update_media_buy')).toHaveLength(sent);
  });

  test('binds what was asked for, and says what its seller shows and who has to do what', async () => {
    takesHalf();

    done(await budgets(['p_0', 200]));

    expect(await committed()).toBe(300);
    expect((await read()).explanation).toMatch(
      /^It runs\. The change asked for at \S+Z: The seller took the change, and does not show it yet: package p_0 has a budget of 150\. Ask the seller, naming \S+, to show it so; or ask for what it shows, or for something else, with media_buy_update, which takes its place\.$/,
    );
    shown = [131.5, 87.66];
    await refresh();
    expect((await read()).explanation).toContain('package p_0 has a budget of 150.02.');
  });

  test.each([
    { what: 'another budget', ask: () => budgets(['p_0', 180]), budget: 280, parts: [180, 100] },
    { what: 'the budget of before', ask: () => budgets(['p_0', 100]), budget: 200, parts: [100, 100] },
    { what: 'the same once more', ask: () => budgets(['p_0', 200]), budget: 300, parts: [200, 100] },
    { what: 'what is shown', ask: () => budgets(['p_0', 150]), budget: 250, parts: [150, 100] },
    { what: 'a budget of another package', ask: () => budgets(['p_1', 120]), budget: 270, parts: [150, 120] },
    {
      what: 'another end',
      ask: () => change({ end_time: '2026-12-30T00:00:00.000Z' }),
      budget: 250,
      parts: [150, 100],
    },
  ])('gives way to $what, which starts from what is shown', async ({ ask, budget, parts }) => {
    takesHalf();
    done(await budgets(['p_0', 200]));
    takesAsAsked();

    done(await ask());

    await holds(budget, parts);
  });

  test('is taken back where its seller never shows it and the budget of before is asked for', async () => {
    takesNothing();
    done(await budgets(['p_0', 200]));
    expect(await committed()).toBe(300);

    done(await budgets(['p_0', 100]));

    const told = far.agent.calls.findLast(({ tool }) => tool === 'update_media_buy')?.args;
    expect(told).toMatchObject({ packages: [{ package_id: 'p_0', budget: 87.66 }] });
    await holds(200, [100, 100]);
  });

  test('stays bound, and stands again, where the change that took its place is refused', async () => {
    takesHalf();
    done(await budgets(['p_0', 200]));
    far.agent.on('update_media_buy', () => ({
      errors: [{ code: 'BUDGET_TOO_LOW', message: 'Not with us.', recovery: 'correctable' }],
    }));

    await budgets(['p_0', 120]);

    expect((await read()).changes.map(({ state }: { state: string }) => state)).toEqual([
      'refused',
      'waiting',
    ]);
    expect(await committed()).toBe(300);
    shown = [175.32, 87.66];
    await refresh();
    expect(await read()).toMatchObject({ budget: 300 });
  });

  test('gives way too where it was kept before it was marked as taken, once its seller was asked', async () => {
    takesHalf();
    done(await budgets(['p_0', 200]));
    await server.store.db
      .withoutPlugins()
      .updateTable('media_buy_changes')
      .set({ error_owner: null })
      .where('media_buy_id', '=', mediaBuyId)
      .execute();
    takesAsAsked();
    expectRefusal(await budgets(['p_0', 120]), 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /a change was asked for at \S+Z, and its seller has not confirmed it\.$/ },
    });
    await refresh();

    done(await budgets(['p_0', 120]));

    await holds(220, [120, 100]);
  });

  test('gives way too where a task of its seller was completed', async () => {
    const { decides } = decidesLater(far);
    done(await budgets(['p_0', 200]));
    expectRefusal(await budgets(['p_0', 120]), 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /a change was asked for at \S+Z, and its seller has not confirmed it\.$/ },
    });
    shown = [131.49, 87.66];
    decides({ status: 'completed', result: {} });
    await refresh();
    expect((await read()).explanation).toContain('package p_0 has a budget of 150.');
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_buy', status: 'active' }));

    done(await budgets(['p_0', 150]));

    await holds(250, [150, 100]);
  });

  test('lets its media buy have another name, also before its seller has decided', async () => {
    decidesLater(far);
    done(await budgets(['p_0', 200]));

    done(await change({ name: 'Other name' }));

    expect(await read()).toMatchObject({ name: 'Other name' });
    expect(await committed()).toBe(300);
  });
});
