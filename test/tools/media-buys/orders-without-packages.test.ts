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
