import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { wordsOf } from '../support/callers/refusal-words.ts';
import { takesChanges } from '../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, draftCampaign, executed, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const { startDate } = flightDates;
const period = { label: 'Early', start: '2026-12-12', end: '2026-11-30', weight: 1 };

/** How many complaints there are of each place that is wrong. */
function complaintsIn(reply: Reply): Readonly<Record<string, number>> {
  const { field, issues } = wordsOf(reply);
  if (issues.length === 0) return { [field ?? '']: 1 };
  return Object.fromEntries(
    issues.map(({ path }) => [path, issues.filter((other) => other.path === path).length]),
  );
}

/** Whoever gives an end that is past, be it by a slip of the pen, made one mistake and is told of one. */
describe('an end that is past', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let draftId: string;
  let campaignId: string;
  let mediaBuyId: string;
  let productQueryId: string;
  let productId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    takesChanges(far);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    ({ campaignId: draftId } = await draftCampaign(buyer, { advertiserId }));
    ({ campaignId } = await draftCampaign(buyer, { advertiserId }));
    mediaBuyId = await executed(buyer, campaignId);
    const ext = { interchange: { advertiser_id: advertiserId, wait_seconds: 30 } };
    const asked = { buying_mode: 'brief', brief: 'Mornings', ext };
    const found = done(await buyer.post('/buyer/products/query', asked));
    productQueryId = found.ext.interchange.execution_id;
    productId = found.products[0].product_id;
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const campaign = (endDate: string, fields: object = {}) => ({
    ...{ advertiserId, name: 'Winter', budget: { total: 100 }, flightDates: { startDate, endDate } },
    ...fields,
  });
  /** Everything that takes an end, with what it calls it. */
  const ways: readonly (readonly [name: string, field: string, call: (end: string) => Promise<Reply>])[] = [
    ['campaign_create', 'flightDates.endDate', (end) => buyer.post('/buyer/campaigns', campaign(end))],
    [
      'campaign_update of a draft',
      'flightDates.endDate',
      (endDate) => buyer.put(`/buyer/campaigns/${draftId}`, { flightDates: { endDate } }),
    ],
    [
      'campaign_update of one that runs',
      'flightDates.endDate',
      (endDate) => buyer.put(`/buyer/campaigns/${campaignId}`, { flightDates: { endDate } }),
    ],
    [
      'mediaBuys of campaign_update',
      'mediaBuys.0.end_time',
      (end_time) => buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, end_time }] }),
    ],
    [
      'media_buy_update',
      'end_time',
      (end_time) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { end_time }),
    ],
    [
      'discover_products',
      'flightDates.endDate',
      (endDate) =>
        buyer.post('/buyer/discovery/discover-products', {
          advertiserId,
          flightDates: { startDate, endDate },
        }),
    ],
    [
      'media_buy_create_batch',
      'campaign.create.flightDates.endDate',
      (end) =>
        buyer.post('/buyer/media-buys/batch', {
          productQueryId,
          mode: 'stage',
          campaign: { create: campaign(end) },
          selections: [{ kind: 'product', productId, budget: 100 }],
        }),
    ],
  ];
  const ends = ['2026-11-30T00:00:00Z', '1999-12-31T00:00:00Z', '0206-12-31T00:00:00Z'];

  test.each(ways.flatMap(([name, field, call]) => ends.map((end) => ({ name, field, call, end }))))(
    'is one complaint of $name ($end)',
    async ({ field, call, end }) => {
      expect(complaintsIn(await call(end))).toEqual({ [field]: 1 });
    },
  );

  test('is one complaint of the pacing periods of a campaign', async () => {
    const pacingPeriods = { mode: 'weight', periods: [period] };

    const reply = await buyer.post('/buyer/campaigns', campaign(flightDates.endDate, { pacingPeriods }));

    expect(complaintsIn(reply)).toEqual({ 'pacingPeriods.periods.0.end': 1 });
  });
});
