import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAY_MS = 86_400_000;

/** Three sellers, of each a product for 200. */
describe('a media buy that its seller had taken, once its buyer has put it away', () => {
  const clock = skippingClock();
  let server: TestServer;
  let buyer: Person;
  let one: KeepingSeller;
  let other: KeepingSeller;
  let third: KeepingSeller;
  let path: string;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    buyer = await newPerson(server);
    one = await keepingSeller(server, 'One');
    other = await keepingSeller(server, 'Other');
    third = await keepingSeller(server, 'Third');
    return () => Promise.all([one, other, third].map(({ agent }) => agent.stop()));
  });
  afterAll(() => server.stop());

  /** A campaign that runs since yesterday, of whose first media buy so much was spent. */
  async function running(spent: number, sellers = [one, other, third], budget = 1_000): Promise<void> {
    const at = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();
    const { campaignId } = await draftCampaign(buyer, {
      ...{ advertiserId: await newAdvertiser(buyer), each: 200, budget },
      storefrontIds: sellers.map(({ storefrontId }) => storefrontId),
      flight: { startDate: at(1), endDate: at(10) },
    });
    path = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${path}/execute`));
    clock.skip(spent === 0 ? 60_000 : 2 * DAY_MS);
    one.agent.on('get_media_buy_delivery', ({ media_buy_ids: ids }) => ({
      currency: 'USD',
      notification_type: 'final',
      media_buy_deliveries: [ids]
        .flat()
        .map((id) => ({ media_buy_id: id, totals: { impressions: spent, spend: spent, clicks: 0 } })),
    }));
    await status();
  }

  async function status(): Promise<void> {
    clock.skip(60_000);
    done(await buyer.get(`${path}/media-buy-status`));
  }

  const campaign = async () => done(await buyer.get(path)).campaign;
  const buyOf = async ({ agentId }: KeepingSeller) =>
    (await campaign()).mediaBuys.find(
      ({ salesAgentId }: { salesAgentId: string }) => salesAgentId === agentId,
    );
  const ordersOf = ({ agent }: KeepingSeller) =>
    agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;

  async function putAway(): Promise<void> {
    const { mediaBuyId } = await buyOf(one);
    done(await buyer.put(path, { mediaBuys: [{ mediaBuyId, action: 'delete' }] }));
    await status();
    expect(await buyOf(one)).toMatchObject({ status: 'ARCHIVED' });
  }

  async function bound(): Promise<number> {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  }

  const isSound = async () => expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

  test('is not ordered again by an execute, and keeps what was delivered of it', async () => {
    await running(50);
    await putAway();
    const before = await bound();

    const { mediaBuysExecuted } = done(await buyer.post(`${path}/execute`));

    expect([mediaBuysExecuted, ordersOf(one), ordersOf(other)]).toEqual([0, 1, 1]);
    expect(await buyOf(one)).toMatchObject({ status: 'ARCHIVED', performance: { spend: 50 } });
    expect(await bound()).toBe(before);
    done(await buyer.post(`${path}/cancel`));
    await status();
    expect(await bound()).toBe(50);
    await isSound();
  });

  test('leaves its seller out while another one that failed is ordered again', async () => {
    other.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUSY', message: 'Not now.' }] }));
    await running(50);
    await putAway();
    other.agent.on('create_media_buy', () => ({ media_buy_id: 'again', status: 'active', packages: [] }));

    done(await buyer.post(`${path}/execute`));

    expect([ordersOf(one), (await buyOf(one)).status]).toEqual([1, 'ARCHIVED']);
    expect(await buyOf(other)).toMatchObject({ status: 'ACTIVE' });
    await isSound();
  });

  test('takes what it spent of the budget that further orders may have', async () => {
    other.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUSY', message: 'Not now.' }] }));
    await running(195, [one, other, third], 600);
    await putAway();
    done(await buyer.put(path, { budget: { total: 590 } }));

    expectRefusal(await buyer.post(`${path}/execute`), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total': 'The campaign has 590.00 USD (budget.total); the chosen products take 595.00 USD.',
      },
    });

    expect(ordersOf(one)).toBe(1);
    await isSound();
  });

  test('leaves a campaign of which nothing ran to order again what failed, and nothing else', async () => {
    other.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUSY', message: 'Not now.' }] }));
    await running(0, [one, other]);
    await putAway();
    expect(await campaign()).toMatchObject({ status: 'DRAFT' });
    other.agent.on('create_media_buy', () => ({ media_buy_id: 'again', status: 'active', packages: [] }));

    const { newStatus, warnings } = done(await buyer.post(`${path}/execute`));

    expect([newStatus, ordersOf(one)]).toEqual(['ACTIVE', 1]);
    const { mediaBuyId, name } = await buyOf(one);
    const hint = expect.stringMatching(
      `^${name} is ARCHIVED: .* nothing more is ordered there by this campaign`,
    );
    expect(warnings).toContainEqual({ type: 'ended_at_seller', hint, mediaBuyIds: [mediaBuyId] });
    expect(await buyOf(one)).toMatchObject({ status: 'ARCHIVED' });
    expect(await buyOf(other)).toMatchObject({ status: 'ACTIVE', budget: 200 });
    await isSound();
  });

  test('leaves its campaign a draft where that became one in earlier times, and says why nothing is ordered', async () => {
    await running(0, [one]);
    await putAway();
    const { campaignId } = await campaign();
    await putStatus(server, buyer, { campaignId, status: 'DRAFT' });
    const { revision } = await campaign();

    const { newStatus, reason, warnings } = done(await buyer.post(`${path}/execute`));

    expect([newStatus, reason, ordersOf(one)]).toEqual(['DRAFT', 'no_media_buys_to_execute', 1]);
    expect(warnings.map(({ type }: { type: string }) => type)).toEqual(['ended_at_seller']);
    expect(await campaign()).toMatchObject({ status: 'DRAFT', revision });
  });

  test('calls its campaign off where it was the only one, and nothing of it ran', async () => {
    await running(0, [one]);
    await putAway();

    expect(await campaign()).toMatchObject({ status: 'CANCELED' });
    expectRefusal(await buyer.post(`${path}/execute`), 409, {
      code: 'CONFLICT',
      words: 'A campaign that is CANCELED cannot be executed.',
    });

    expect([ordersOf(one), (await buyOf(one)).status, await bound()]).toEqual([1, 'ARCHIVED', 0]);
    await isSound();
  });

  test('and one of a seller that refused and is chosen no more are nothing that an execute changes', async () => {
    other.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUSY', message: 'Not now.' }] }));
    await running(50);
    await putAway();
    const { discoveryId } = await campaign();
    const chosen = done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).products;
    const gone = chosen.find(({ salesAgentId }: { salesAgentId: string }) => salesAgentId === other.agentId);
    done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: [gone.productId] }));
    done(await buyer.post(`${path}/execute`));
    expect(await buyOf(other)).toMatchObject({ status: 'ARCHIVED' });
    const { revision } = await campaign();

    const { reason } = done(await buyer.post(`${path}/execute`));

    expect([reason, (await campaign()).revision]).toEqual(['no_media_buys_to_execute', revision]);
    await isSound();
  });
});
