import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { bought, done, flightDates, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What only the stored state shows to be wrong is found by steps that know a field by its first name alone. */
describe('a complaint beyond the shape of the input names the field as it was given', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  /** A session in which a product that runs in the US is chosen. */
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    ({ storefrontId } = await openStorefront(await newPerson(server)));
    const found = done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        brief: 'Everybody in the morning',
        waitSeconds: 30,
        storefrontIds: [storefrontId],
      }),
    );
    discoveryId = found.discoveryId;
    const [{ products }] = found.productGroups;
    const [{ productId, salesAgentId }] = products;
    const chosen = { products: [{ productId, salesAgentId, budget: 50 }] };
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, chosen));
  });
  afterAll(() => server.stop());

  const UNKNOWN = 'No brand is known at nobody.example.';
  const ELSEWHERE = /^Morning display runs in US; the campaign stays in DE\.$/;
  const campaign = () => ({
    advertiserId,
    name: 'Winter',
    flightDates,
    budget: { total: 100 },
  });
  const create = (fields: object) =>
    buyer.post('/buyer/campaigns', { ...campaign(), discoveryId, ...fields });

  test.each([
    ['brand', { brand: 'nobody.example' }],
    ['brandDomain', { brandDomain: 'nobody.example' }],
  ])('of an advertiser, over REST and MCP: %s', async (name, fields) => {
    const input = { name: 'Acme', primaryCurrency: 'USD', ...fields };
    const wrong = { code: 'VALIDATION_ERROR', at: { [name]: UNKNOWN } } as const;
    expectRefusal(await buyer.post('/buyer/advertisers', input), 422, wrong);
    expectRefusal(await buyer.put(`/buyer/advertisers/${advertiserId}`, fields), 422, wrong);

    const { structuredContent } = await callTool(server, buyer, {
      name: 'advertiser_create',
      arguments: input,
    });
    expect(structuredContent).toMatchObject({ field: name, message: `${name}: ${UNKNOWN}` });
  });

  test.each(['geo_countries', 'countries'])('of what a campaign is made of: constraints.%s', async (name) => {
    expectRefusal(await create({ constraints: { [name]: ['DE'] } }), 422, {
      code: 'VALIDATION_ERROR',
      at: { [`constraints.${name}`]: ELSEWHERE },
    });
  });

  test.each(['total', 'amount'])('of what a campaign is changed to: budget.%s', async (name) => {
    const mediaBuyId = await bought(buyer, { advertiserId, storefrontIds: [storefrontId] });
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`));
    const { campaigns } = done(await buyer.get('/buyer/campaigns?status=ACTIVE'));
    const [{ packageId }] = mediaBuy.packages;
    const raise = { mediaBuyId, packages: [{ packageId, budget: 150 }] };

    const reply = await buyer.put(`/buyer/campaigns/${campaigns[0].campaignId}`, {
      budget: { [name]: 120 },
      mediaBuys: [raise],
    });

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { [`budget.${name}`]: /with this change the media buys take 150\.00 USD\.$/ },
    });
  });

  describe('of a campaign that a batch makes', () => {
    const batch = (fields: object) =>
      buyer.post('/buyer/media-buys/batch', {
        productQueryId: discoveryId,
        campaign: { create: { ...campaign(), ...fields } },
        mode: 'stage',
        selections: [{ kind: 'product', productId: 'sf1:1:none', budget: 50 }],
      });

    test.each([
      ['budget.total', { budget: { total: 100.001 } }, 'USD has 2 decimals at the most.'],
      ['budget.amount', { budget: { amount: 100.001 } }, 'USD has 2 decimals at the most.'],
      ['flightDates.end', { flightDates: { start: '2025-01-01', end: '2025-01-02' } }, /over already/],
      ['end_date', { flightDates: undefined, start_date: '2025-01-01', end_date: '2025-01-02' }, /over/],
    ])('at its place: %s', async (path, fields, words) => {
      expectRefusal(await batch(fields), 400, {
        code: 'VALIDATION_ERROR',
        at: { [`campaign.create.${path}`]: words },
      });
    });

    test('at its place where the refusal has a code of its own', async () => {
      expectRefusal(await batch({ budget: { total: 100, currency: 'EUR' } }), 400, {
        code: 'CURRENCY_MISMATCH',
        at: { 'campaign.create.budget.currency': 'The advertiser pays in USD, not in EUR.' },
      });
    });
  });
});
