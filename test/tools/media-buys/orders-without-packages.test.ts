import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShownBuy } from '../../support/buying/shown-buy.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Nobody can change what has no name yet: every way says so, and none leads in a circle. */
describe('an order whose seller asks for something, and has named no package', () => {
  let server: TestServer;
  let it: ShownBuy;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    it = await ShownBuy.at(server);
    const asks = { status: 'input-required', task_id: 'task_1', message: 'Which landing page?' };
    it.far.agent.on('create_media_buy', () => asks);
    it.far.agent.on('tasks_get', () => asks);
    await it.bought({ budget: 100, each: 100 });
    return () => it.far.agent.stop();
  });
  afterAll(() => server.stop());

  const ofCampaign = (entry: object) =>
    it.buyer.put(`/buyer/campaigns/${it.campaignId}`, {
      mediaBuys: [{ mediaBuyId: it.mediaBuyId, ...entry }],
    });
  const calledOff = (packages: readonly object[]) => ({
    action: 'cancel',
    packageIds: packages.map((one) => Reflect.get(one, 'packageId')),
  });

  test('is told to be given or canceled, and not to be changed', async () => {
    const { status, explanation } = await it.read();

    expect(status).toBe('INPUT_REQUIRED');
    expect(explanation).toMatch(/You: give it to the seller, naming \S+, or cancel the buy\.$/);
  });

  test.each([
    ['products', { products: [{ productId: 'far-1', budget: 50 }] }, 409],
    ['packages', { packages: [{ packageId: 'pkg_1', budget: 50 }] }, 422],
  ])('is refused other %s with the way out', async (_what, changes, status) => {
    const { body, status: given } = await it.buyer.patch(it.path, changes);

    expect(given).toBe(status);
    expect(JSON.stringify(body)).toMatch(
      /seller has named no package yet: wait until it does, or cancel (?:it|the media buy) and choose anew\./,
    );
  });

  test.each([
    ['at its own address', (packages: object[]) => it.buyer.patch(it.path, { packages })],
    ['in its campaign', (packages: object[]) => ofCampaign({ packages })],
    ['that are to be called off', (packages: object[]) => ofCampaign(calledOff(packages))],
  ])('is refused packages %s with advice that does not lead back to reading it', async (_where, change) => {
    const reply = await change([{ packageId: 'pkg_1', budget: 50 }]);

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        [reply.body.error.field]: /^The media buy has no such package\. The seller has named no package yet/,
      },
    });
    expect(reply.body.error.details.suggestion).toBe(
      'Wait until campaign_get_media_buy_status shows packages of the media buy, or call the media buy off with action cancel of mediaBuys in campaign_update, and choose anew.',
    );
  });

  test('is read again by whoever names another media buy as well', async () => {
    const mediaBuys = [
      { mediaBuyId: it.mediaBuyId, packages: [{ packageId: 'pkg_1', budget: 50 }] },
      { mediaBuyId: 'mb_nothing', action: 'cancel' },
    ];

    const reply = await it.buyer.put(`/buyer/campaigns/${it.campaignId}`, { mediaBuys });

    expect(reply.status).toBe(422);
    expect(reply.body.error.details.suggestion).toMatch(
      /^Read the campaign with campaign_get: .+\. Wait until campaign_get_media_buy_status /,
    );
  });

  test('is no part that a lower total can be made of', async () => {
    const reply = await it.buyer.put(`/buyer/campaigns/${it.campaignId}`, { budget: { total: 50 } });

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.total': 'A total of 50.00 USD is less than the 100.00 USD that its media buys take.' },
    });
    expect(reply.body.error.details.suggestion).toContain(
      'whose seller has named none yet can only be canceled.',
    );
  });
});

describe('a media buy of which its seller ended every package', () => {
  test.each([
    ['packages', { packages: [{ packageId: 'pkg_1', budget: 50 }] }, 422],
    ['one that it never had', { packages: [{ packageId: 'pkg_7', budget: 50 }] }, 422],
    ['products', { products: [{ productId: 'far-1', budget: 50 }] }, 409],
  ])('is refused other %s with the advice to choose anew', async (_what, changes, status) => {
    const server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    const it = await ShownBuy.at(server);
    await it.bought({ budget: 100, each: 100 });
    it.listed = [it.entry({ packages: [it.part({ canceled: true })] })];
    await it.refresh();

    const reply = await it.buyer.patch(it.path, changes);
    await it.far.agent.stop();
    await server.stop();

    expect(reply.status).toBe(status);
    expect(JSON.stringify(reply.body)).not.toContain('has named no package yet');
    expect(reply.body.error.details.suggestion).toBe(
      'None of its packages goes on: call the media buy off with action cancel of mediaBuys in campaign_update, and choose anew.',
    );
  });
});
