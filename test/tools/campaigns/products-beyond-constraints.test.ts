import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { callTool } from '../../support/mcp/any-lane.ts';
import { draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

type Fields = Readonly<Record<string, unknown>>;

const OUTSIDE = { channels: ['ctv'] };
const INSIDE = { channels: ['display'] };
const flightDates = { startDate: '2026-12-10T00:00:00Z', endDate: '2026-12-31T00:00:00Z' };

/** Two products are chosen, and the campaign wants neither. */
describe('a refusal of products that miss the constraints of their campaign', () => {
  let server: TestServer;
  let buyer: Person;
  let seller: Person;
  let storefrontId: string;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newPerson(server, { roles: ['SELLER'] });
    buyer = await newPerson(server, { roles: ['BUYER'] });
    ({ storefrontId } = await openStorefront(seller));
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const call = (name: string, args: Fields) =>
    callTool({ url: server.url, key: buyer.key, at: 'buyer' }, name, args);
  const chosen = () => draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
  const named = (text: unknown) =>
    [...String(text).matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name);

  async function refusedToCreate() {
    const { discoveryId, products } = await chosen();
    const fields = { advertiserId, name: 'Winter', budget: { total: 1_000 }, flightDates, discoveryId };
    const { content } = await call('campaign_create', { ...fields, constraints: OUTSIDE });
    return { content, fields, discoveryId, productIds: products.map(({ productId }: Fields) => productId) };
  }

  async function refusedToExecute() {
    const { campaignId, discoveryId, products } = await chosen();
    await call('campaign_update', { campaignId, constraints: OUTSIDE });
    const { content } = await call('campaign_execute', { campaignId });
    return {
      content,
      campaignId,
      discoveryId,
      productIds: products.map(({ productId }: Fields) => productId),
    };
  }

  test('tells who creates it both ways, and each of them helps', async () => {
    const { content, fields, discoveryId, productIds } = await refusedToCreate();

    expect(content).toMatchObject({ code: 'VALIDATION_ERROR', field: 'constraints.channels' });
    expect(content['suggestion']).toMatch(/^Give other constraints, or .* repeat the call\.$/);
    expect(named(content['suggestion'])).toEqual(['discovery_remove_products']);
    const corrected = await call('campaign_create', { ...fields, constraints: INSIDE });
    await call('discovery_remove_products', { discoveryId, productIds });
    const without = await call('campaign_create', { ...fields, constraints: OUTSIDE });
    for (const { failed, content: made } of [corrected, without])
      expect(failed, JSON.stringify(made)).toBe(false);
  });

  test('tells who executes a draft both ways, and each of them helps', async () => {
    const ways: Readonly<Record<string, (facts: Awaited<ReturnType<typeof refusedToExecute>>) => Fields>> = {
      campaign_update: ({ campaignId }) => ({ campaignId, constraints: INSIDE }),
      discovery_remove_products: ({ discoveryId, productIds }) => ({ discoveryId, productIds }),
    };
    const { content } = await refusedToExecute();

    expect(content).toMatchObject({ code: 'VALIDATION_ERROR', field: 'constraints.channels' });
    expect(named(content['suggestion'])).toEqual(Object.keys(ways));
    for (const [tool, args] of Object.entries(ways)) {
      const facts = await refusedToExecute();
      const helped = await call(tool, args(facts));
      const again = await call('campaign_execute', { campaignId: facts.campaignId });

      expect(helped.failed, JSON.stringify(helped.content)).toBe(false);
      expect(JSON.stringify(again.content)).not.toContain('stays on ctv');
    }
  });

  test('tells who chooses for a draft that it can be changed, and that helps', async () => {
    const { discoveryId, campaignId, products } = await chosen();
    const choice = { discoveryId, campaignId, products };
    await call('campaign_update', { campaignId, constraints: OUTSIDE });
    const refused = await call('discovery_add_products', choice);

    expect(JSON.stringify(refused.content)).toContain(
      'change constraints of the campaign with campaign_update',
    );
    await call('campaign_update', { campaignId, constraints: INSIDE });
    const helped = await call('discovery_add_products', choice);
    expect(helped.failed, JSON.stringify(helped.content)).toBe(false);
    expect(helped.content['productsSkipped'] ?? []).toEqual([]);
  });
});
