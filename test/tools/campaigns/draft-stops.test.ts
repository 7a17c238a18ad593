import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { marketId } from '../../../tools/domain/discovery/market-ids.ts';
import { DAY_MS, unpricedIn } from '../../support/buying/money-world.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('what would keep the orders of a draft back', () => {
  const clock = skippingClock();
  let server: TestServer;
  let seller: Person;
  let storefrontId: string;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ clock });
    seller = await newPerson(server);
    storefrontId = (await openStorefront(seller)).storefrontId;
  });
  beforeEach(async () => {
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const flightDates = () => {
    const at = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();
    return { startDate: at(1), endDate: at(2) };
  };
  /** A draft that gives all that it has to the one product there is. */
  const draft = (by = buyer, of = advertiserId, fields: object = {}) =>
    draftCampaign(by, {
      advertiserId: of,
      budget: 100,
      each: 100,
      storefrontIds: [storefrontId],
      campaign: { flightDates: flightDates(), ...fields },
    });
  const campaignOf = async (id: string, by = buyer) => done(await by.get(`/buyer/campaigns/${id}`)).campaign;
  const execute = (id: string) => buyer.post(`/buyer/campaigns/${id}/execute`);

  const STOPS: readonly [
    string,
    object,
    (made: { campaignId: string; discoveryId: string }) => Promise<void>,
  ][] = [
    [
      'no rule says the fee',
      { code: 'PRICING_NOT_CONFIGURED', words: 'The advertiser has no pricing rule for Shelf.' },
      () => unpricedIn({ server, buyer }),
    ],
    [
      'the advertiser is archived',
      { code: 'CONFLICT', words: 'The advertiser is archived.' },
      async () => {
        expect((await buyer.delete(`/buyer/advertisers/${advertiserId}`)).status).toBeLessThan(300);
      },
    ],
    [
      'another campaign of the session has bought the product',
      {
        code: 'CONFLICT',
        at: { rebuy: /^Another campaign has bought from the same session: Morning display \(by cmp_/ },
      },
      async ({ discoveryId }) => {
        const fields = { name: 'Other', budget: { total: 100 }, flightDates: flightDates() };
        const made = await buyer.post('/buyer/campaigns', { ...fields, advertiserId, discoveryId });
        done(await execute(done(made).campaign.campaignId));
      },
    ],
    [
      'the flight is over meanwhile',
      { code: 'CONFLICT', words: 'The flight of this campaign is over.' },
      async () => clock.skip(3 * DAY_MS),
    ],
  ];
  test.each(STOPS)('is told of the draft as execute refuses it: %s', async (_, refusal, act) => {
    const made = await draft();
    expect(await campaignOf(made.campaignId)).not.toHaveProperty('warnings');

    await act(made);

    const refused = await execute(made.campaignId);
    expectRefusal(refused, 409, refusal as Parameters<typeof expectRefusal>[2]);
    const { message, details } = refused.body.error;
    const { warnings, status } = await campaignOf(made.campaignId);
    expect([status, warnings]).toEqual(['DRAFT', [`${message} ${details.suggestion}`]]);
  });

  test('is that the account has too little, said of a draft that is made, read and staged, and not of the sandbox', async () => {
    const poor = await newPerson(server, { funds: false });
    const of = await newAdvertiser(poor);
    const { campaignId, discoveryId, products } = await draft(poor, of);
    const told = [
      expect.stringMatching(
        /^Executing it would commit 100\.00 USD; the account has 0\.00 USD available, 100\.00 USD too little\. Spend less, /,
      ),
    ];
    expect((await campaignOf(campaignId, poor)).warnings).toEqual(told);
    expectRefusal(await poor.post(`/buyer/campaigns/${campaignId}/execute`), 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 100.00 USD; the account has 0.00 USD available, 100.00 USD too little. Nothing was done.',
    });
    const { productId: sourceId, salesAgentId: agentId } = products[0];
    const product = marketId('product', { storefrontId, sessionId: discoveryId, agentId, sourceId });
    const staged = await poor.post('/buyer/media-buys/batch', {
      productQueryId: discoveryId,
      campaign: { campaignId },
      mode: 'stage',
      selections: [{ kind: 'product', productId: product, budget: 100 }],
    });
    expect(done(staged).warnings).toEqual(told);

    const play = await newAdvertiser(poor, { sandbox: true, name: 'Play' });
    const { campaignId: played } = await draft(poor, play);
    expect(await campaignOf(played, poor)).not.toHaveProperty('warnings');
  });

  test('is that no product is chosen, with the call to make next, until one is', async () => {
    const NOTHING = 'No product is chosen for this campaign.';
    const fields = { advertiserId, name: 'Winter', budget: { total: 100 }, flightDates: flightDates() };
    const make = async (more: object = {}) =>
      done(await buyer.post('/buyer/campaigns', { ...fields, ...more })).campaign;
    const { campaignId, warnings } = await make();
    expect(warnings).toEqual([
      `${NOTHING} Choose products with discovery_add_products, give the campaign their discoveryId with campaign_update, and call campaign_execute.`,
    ]);
    expect((await campaignOf(campaignId)).warnings).toEqual(warnings);

    const wanted = { advertiserId, waitSeconds: 30, storefrontIds: [storefrontId] };
    const { discoveryId, productGroups } = done(
      await buyer.post('/buyer/discovery/discover-products', wanted),
    );
    const ofSession = [
      `${NOTHING} Choose products of ${discoveryId} with discovery_add_products, and call campaign_execute.`,
    ];
    expect((await make({ discoveryId })).warnings).toEqual(ofSession);
    const updated = done(await buyer.put(`/buyer/campaigns/${campaignId}`, { discoveryId })).campaign;
    expect(updated.warnings).toEqual(ofSession);
    expectRefusal(await execute(campaignId), 422, { code: 'VALIDATION_ERROR', at: { discoveryId: NOTHING } });
    const [{ productId, salesAgentId }] = productGroups[0].products;
    const products = [{ productId, salesAgentId, budget: 100 }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));

    expect(await campaignOf(campaignId)).not.toHaveProperty('warnings');
    const over = await make({ flightDates: flightDates() });
    clock.skip(3 * DAY_MS);
    expect((await campaignOf(over.campaignId)).warnings).toEqual([
      expect.stringMatching(/^The flight of this campaign is over\./),
      expect.stringContaining(NOTHING),
    ]);
  });

  test('is a storefront that takes no orders: execute binds nothing and has nobody asked until it is open', async () => {
    const { campaignId } = await draft();
    await limitSpend(server, buyer, 50);
    done(await seller.put('/storefront', { transacting: false }));

    const refused = await execute(campaignId);

    expectRefusal(refused, 409, { code: 'CONFLICT', words: 'Shelf takes no orders at present.' });
    const { message, details } = refused.body.error;
    expect((await campaignOf(campaignId)).warnings).toEqual([`${message} ${details.suggestion}`]);
    expect((await campaignOf(campaignId)).mediaBuys).toEqual([]);
    expect(done(await buyer.get('/buyer/spend-approvals')).items).toEqual([]);
    done(await seller.put('/storefront', { transacting: true }));
    expect(await campaignOf(campaignId)).not.toHaveProperty('warnings');
    expect(done(await execute(campaignId))).toMatchObject({ reason: 'approval_needed' });
  });
});
