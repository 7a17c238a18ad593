import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** What is ordered at such a seller could not be changed or stopped afterwards. */
describe('a seller that declares another major version of AdCP alone', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let old: FarSeller;
  let current: FarSeller;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([old, current].map(({ agent }) => agent.stop()));
  });
  beforeEach(async () => {
    await Promise.all([old, current].map((one) => one?.agent.stop()));
    old = await farSeller(server, 'Old', [productAt('old.example', 'old')]);
    current = await farSeller(server, 'Current', [productAt('current.example', 'current')]);
    declares([2]);
    current.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2, 3] } }));
  });

  const declares = (versions: readonly number[]) =>
    old.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: versions } }));

  const refusesToSay = () =>
    old.agent.on('get_adcp_capabilities', () => ({
      errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Later.', recovery: 'transient' }],
    }));

  /** A draft that has chosen what these sellers sell. */
  async function drafted(sellers: readonly FarSeller[], total = 100) {
    const { discoveryId } = await discover(
      buyer,
      advertiserId,
      sellers.map(({ storefrontId }) => storefrontId),
    );
    const products = sellers.map(({ name }) => ({ productId: name.toLowerCase() }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    const { campaign } = done(
      await buyer.post('/buyer/campaigns', {
        ...{ advertiserId, name: 'Winter', discoveryId, flightDates, budget: { total } },
      }),
    );
    return { discoveryId, campaignId: campaign.campaignId };
  }
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const ordersAt = ({ agent }: FarSeller) =>
    agent.calls.filter(({ tool }) => tool === 'create_media_buy').length;

  const OLD_ALONE =
    'Agent speaks another major version of the protocol: what is ordered there could not be changed or stopped.';

  test('is told from another of its name by its storefront', async () => {
    const older = await farSeller(server, 'Older', [productAt('older.example', 'older')]);
    older.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
    const { campaignId } = await drafted([old, older]);

    const refused = await execute(campaignId);

    await older.agent.stop();
    const words = /^Agent \([^)]*\), Agent \([^)]*\) speak another major version of the protocol/;
    expectRefusal(refused, 422, { code: 'VERSION_UNSUPPORTED', words });
    expect(refused.body.error.details.unsupported).toHaveLength(2);
  });

  test('is ordered from by no execute, nor is whoever is chosen beside it', async () => {
    const { campaignId, discoveryId } = await drafted([old, current]);

    const refused = await execute(campaignId);

    expectRefusal(refused, 422, { code: 'VERSION_UNSUPPORTED', words: `${OLD_ALONE} Nothing was changed.` });
    expect(refused.body.error.details).toMatchObject({
      unsupported: [{ salesAgentId: old.agentId }],
      suggestion: expect.stringContaining('discovery_remove_products'),
    });
    expect([ordersAt(old), ordersAt(current)]).toEqual([0, 0]);
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign).toMatchObject({
      ...{ status: 'DRAFT', mediaBuys: [] },
    });

    done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: ['old'] }));
    expect(done(await execute(campaignId))).toMatchObject({ success: true, mediaBuysExecuted: 1 });
  });

  test('is told of beside whatever else stands against the order', async () => {
    const { campaignId } = await drafted([old]);
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: { channels: ['print'] } }));

    const refused = await execute(campaignId);

    expectRefusal(refused, 422, {
      code: 'VERSION_UNSUPPORTED',
      at: {
        '': OLD_ALONE,
        'constraints.channels': 'Product old runs on display; the campaign stays on print.',
      },
    });
  });

  test('is not sent again what failed there before it moved on', async () => {
    refusesToSay();
    old.agent.on('create_media_buy', () => ({
      errors: [{ code: 'INVALID_REQUEST', message: 'Not so.', recovery: 'correctable' }],
    }));
    const { campaignId } = await drafted([old]);
    const { errors } = done(await execute(campaignId));
    declares([4]);

    const refused = await execute(campaignId);

    expectRefusal(refused, 422, { code: 'VERSION_UNSUPPORTED', words: `${OLD_ALONE} Nothing was changed.` });
    expect(refused.body.error.details.unsupported).toEqual([
      { mediaBuyId: errors[0].mediaBuyId, salesAgentId: old.agentId },
    ]);
    expect(ordersAt(old)).toBe(1);
  });

  test('is ordered nothing from by a failed order that is made anew there, which its draft warns of', async () => {
    const warnings = async (id: string) => done(await buyer.get(`/buyer/campaigns/${id}`)).campaign.warnings;
    refusesToSay();
    old.agent.on('create_media_buy', () => ({
      errors: [{ code: 'INVALID_REQUEST', message: 'Not so.', recovery: 'correctable' }],
    }));
    const { campaignId, discoveryId } = await drafted([old]);
    const { errors } = done(await execute(campaignId));
    expect((await warnings(campaignId)) ?? []).not.toContain(OLD_ALONE);
    declares([4]);
    const { mediaBuyId } = errors[0];

    const change = { products: [{ productId: 'old', budget: 50 }] };
    const refused = await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, change);

    expectRefusal(refused, 422, { code: 'VERSION_UNSUPPORTED', words: `${OLD_ALONE} Nothing was changed.` });
    expect(refused.body.error.details).toMatchObject({
      unsupported: [{ mediaBuyId, salesAgentId: old.agentId }],
      suggestion: 'Delete the media buy, or ask them to serve AdCP 3, and repeat the call.',
    });
    expect(await warnings(campaignId)).toContain(OLD_ALONE);
    expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).warnings).toContain(OLD_ALONE);
    expect(ordersAt(old)).toBe(1);
  });

  test('is ordered from once it serves this one too', async () => {
    declares([2, 3]);
    const { campaignId } = await drafted([old]);
    expect(done(await execute(campaignId))).toMatchObject({ success: true, mediaBuysExecuted: 1 });
  });

  test('is tried where it does not say which it speaks', async () => {
    old.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: 'three' } }));
    const { campaignId } = await drafted([old]);
    expect(done(await execute(campaignId))).toMatchObject({ success: true, mediaBuysExecuted: 1 });
  });
});
