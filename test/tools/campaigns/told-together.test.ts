import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import {
  done,
  draftCampaign,
  flightDates,
  newAdvertiser,
  openStorefront,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DECIMALS = 'USD has 2 decimals at the most.';
const OVER = 'The flight is over already.';
const OUTSIDE = 'Must be inside the flight.';
const NO_STOREFRONT = 'No such storefront.';
const OTHER_CURRENCY = 'The advertiser pays in USD, not in KWD.';

const past = { startDate: '2026-11-01T00:00:00Z', endDate: '2026-11-20T00:00:00Z' };
const periods = (start: string) => ({
  mode: 'weight',
  periods: [{ label: 'One', start, end: start, weight: 1 }],
});

/** Whoever corrects a field is not refused for the next one: all that can be told of them is told at once. */
describe('everything that is wrong with the fields of a campaign is told at once', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontIds: readonly string[];
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
  });
  afterAll(() => server.stop());

  const wrong = {
    budget: { total: 100.001, dailyCap: 5.005 },
    flightDates: past,
    mode: 'performance',
    pacingPeriods: periods('2026-12-10'),
  };
  const wrongAt = {
    'budget.total': DECIMALS,
    'budget.dailyCap': DECIMALS,
    'flightDates.endDate': OVER,
    performanceConfig: 'Required: a performance campaign has goals.',
    'pacingPeriods.periods.0.start': OUTSIDE,
    'pacingPeriods.periods.0.end': OUTSIDE,
  };
  const made = (fields: object) => ({
    advertiserId,
    name: 'Winter',
    budget: { total: 100 },
    flightDates,
    ...fields,
  });
  const create = (fields: object) => buyer.post('/buyer/campaigns', made(fields));
  const draft = (campaign: object = {}) =>
    draftCampaign(buyer, { advertiserId, budget: 500, storefrontIds, campaign });
  const put = (campaignId: string, fields: object) => buyer.put(`/buyer/campaigns/${campaignId}`, fields);

  test('where it is made, over REST and MCP', async () => {
    const fields = { ...wrong, productIds: ['sf1:1:one'] };
    expectRefusal(await create(fields), 400, {
      code: 'VALIDATION_ERROR',
      at: {
        ...wrongAt,
        productIds: 'They are products of a discovery session: give its discoveryId as well.',
      },
    });
    const { structuredContent } = await callTool(server, buyer, {
      name: 'campaign_create',
      arguments: made(fields),
    });
    expect(structuredContent.details.issues).toHaveLength(7);
  });

  test('where it is made for sellers that are not there', async () => {
    expectRefusal(await create({ ...wrong, storefrontIds: [999_999] }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'storefrontIds.0': NO_STOREFRONT, ...wrongAt },
    });
  });

  test('with the currency, in which its amounts have the decimals that it has', async () => {
    expectRefusal(await create({ budget: { total: 100.005, currency: 'KWD' }, flightDates: past }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'budget.currency': OTHER_CURRENCY, 'flightDates.endDate': OVER },
    });
    expectRefusal(await create({ budget: { total: 100.005, currency: 'KWD' } }), 400, {
      code: 'CURRENCY_MISMATCH',
      at: { 'budget.currency': OTHER_CURRENCY },
    });
  });

  test('where a batch makes it', async () => {
    const { discoveryId } = await draft();
    const { mode: _, ...fields } = { ...wrong, storefrontIds: [999_999] };
    const { performanceConfig: __, ...at } = { 'storefrontIds.0': NO_STOREFRONT, ...wrongAt };

    const reply = await buyer.post('/buyer/media-buys/batch', {
      productQueryId: discoveryId,
      campaign: { create: made(fields) },
      mode: 'stage',
      selections: [{ kind: 'product', productId: 'sf1:1:none', budget: 50 }],
    });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: Object.fromEntries(Object.entries(at).map(([path, words]) => [`campaign.create.${path}`, words])),
    });
  });

  test('where a draft is changed', async () => {
    const { campaignId } = await draft({ pacingPeriods: periods('2026-12-12') });
    const before = done(await buyer.get(`/buyer/campaigns/${campaignId}`));

    const beyond = await put(campaignId, {
      budget: { total: 10, dailyCap: 20 },
      flightDates: { startDate: '2026-12-13T00:00:00Z' },
      mode: 'performance',
    });
    const unread = await put(campaignId, {
      budget: { total: 0.001, dailyCap: 5.005, currency: 'USD' },
      flightDates: past,
      storefrontIds: [999_999],
    });

    expectRefusal(beyond, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        mode: 'It is a discovery campaign, and stays one.',
        'budget.dailyCap': 'Must not be more than the total.',
        'pacingPeriods.periods.0.start': OUTSIDE,
      },
    });
    expectRefusal(unread, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'storefrontIds.0': NO_STOREFRONT,
        'budget.total': DECIMALS,
        'budget.dailyCap': DECIMALS,
        'flightDates.endDate': OVER,
      },
    });
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`))).toEqual(before);
  });

  test('where one that runs is changed, with every field that its orders were made with', async () => {
    const { campaignId } = await draft();
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const ORDERED = 'The orders of this campaign were made with what is there, and it is ACTIVE.';
    const ordered = { constraints: { geo_countries: ['US'] }, budget: { pacing: 'ASAP' } };
    const at = { constraints: ORDERED, 'budget.pacing': ORDERED };

    expectRefusal(await put(campaignId, ordered), 409, { code: 'CONFLICT', at });
    expectRefusal(await put(campaignId, { ...ordered, flightDates: past }), 422, {
      code: 'VALIDATION_ERROR',
      at: { ...at, 'flightDates.endDate': OVER },
    });
  });

  test('where its media buys are changed beside it, each by its own place', async () => {
    const { campaignId } = await draft();
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
    const packages = [{ packageId: 'none', budget: 10 }];
    const none = { mediaBuyId: 'mb_none', name: 'Other' };

    const reply = await put(campaignId, {
      budget: { total: 500.001 },
      mediaBuys: [{ mediaBuyId, packages }, none],
    });

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'budget.total': DECIMALS,
        'mediaBuys.0.packages.0.packageId': /^The media buy has no such package\./,
        'mediaBuys.1.mediaBuyId': 'The campaign has no such media buy.',
      },
    });
  });
});
