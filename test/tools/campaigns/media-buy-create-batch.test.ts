import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dropPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { declaresTargeting, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  type OpenStorefront,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const plan = {
  proposal_id: 'balanced',
  name: 'Balanced',
  allocations: [
    { product_id: 'news', allocation_percentage: 75 },
    { product_id: 'tv', allocation_percentage: 25 },
  ],
};
const products = [productAt('news.example', 'news'), productAt('tv.example', 'tv')];

interface Found {
  readonly products: { readonly product_id: string; readonly ext: { interchange: Record<string, string> } }[];
  readonly proposals: { readonly proposal_id: string }[];
  readonly ext: { readonly interchange: { readonly execution_id: string } };
}

describe('media_buy_create_batch', () => {
  let server: TestServer;
  let far: FarSeller;
  let near: OpenStorefront;
  let buyer: Person;
  let advertiserId: string;
  let found: Found;
  beforeAll(async () => {
    server = await startTestServer({
      clock: skippingClock(),
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    far = await farSeller(server, 'Far Media', products);
    near = await openStorefront(await newPerson(server), { products: [productFields()] });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    far.agent.on('get_products', () => ({ products, proposals: [plan] }));
  });
  beforeEach(async () => {
    found = await query();
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const query = async (
    by = buyer,
    of = advertiserId,
    storefronts = [far.storefrontId, near.storefrontId],
  ): Promise<Found> =>
    done(
      await by.post('/buyer/products/query', {
        buying_mode: 'brief',
        brief: 'Mornings',
        ext: {
          interchange: {
            advertiser_id: of,
            storefront_ids: storefronts,
            wait_seconds: 30,
          },
        },
      }),
    );
  const idOf = (storefrontId: string, source?: string) =>
    found.products.find(
      ({ ext: { interchange } }) =>
        interchange['storefront_id'] === storefrontId &&
        (source === undefined || interchange['source_product_id'] === source),
    )?.product_id ?? '';
  const create = (changes: object = {}) => ({
    create: { advertiserId, name: 'Together', budget: { total: 1_000 }, flightDates, ...changes },
  });
  const product = (productId: string, fields: object = { budget: 100 }) => ({
    kind: 'product',
    productId,
    ...fields,
  });
  const batch = (fields: object) =>
    buyer.post('/buyer/media-buys/batch', {
      productQueryId: found.ext.interchange.execution_id,
      campaign: create(),
      mode: 'execute',
      ...fields,
    });
  const campaigns = async () => done(await buyer.get('/buyer/campaigns?take=100')).total as number;

  test('answers 200, and places a media buy with each seller of a campaign that it makes', async () => {
    const before = far.agent.buys.size;

    const reply = await batch({
      selections: [product(idOf(near.storefrontId)), product(idOf(far.storefrontId, 'news'))],
    });

    expect(reply.status).toBe(200);
    const made = done(reply);
    expect(made).toMatchObject({
      campaignCreated: true,
      mode: 'execute',
      campaignStatus: 'ACTIVE',
      queryProductsSelected: 2,
      proposalsApplied: 0,
      mediaBuysExecuted: 2,
      mediaBuyRefsTruncated: false,
      success: true,
      noOp: false,
    });
    expect(made.mediaBuyRefs).toHaveLength(2);
    expect(far.agent.buys.size).toBe(before + 1);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${made.campaignId}`));
    expect(campaign.mediaBuys).toHaveLength(2);
  });

  test('takes the other names that fields of a campaign have, in one that it makes too', async () => {
    const names = { constraints: { countries: ['US'] }, budget: { amount: 900 } };

    const { campaignId } = done(
      await batch({
        campaign: create(names),
        mode: 'stage',
        selections: [product(idOf(near.storefrontId))],
      }),
    );

    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign).toMatchObject({
      constraints: { geo_countries: ['US'] },
      budget: { total: 900 },
    });
  });

  test('stages a choice that campaign_execute buys as it is', async () => {
    const before = far.agent.buys.size;
    const made = done(await batch({ mode: 'stage', selections: [product(idOf(far.storefrontId, 'news'))] }));

    expect(made).toMatchObject({
      campaignStatus: 'DRAFT',
      mediaBuysStaged: 1,
      mediaBuysExecuted: 0,
      mediaBuyRefs: [],
      success: true,
    });
    expect(far.agent.buys.size).toBe(before);
    const executed = done(await buyer.post(`/buyer/campaigns/${made.campaignId}/execute`, {}));
    expect(executed).toMatchObject({ success: true, mediaBuysExecuted: 1 });
  });

  test('takes a draft that is there, and says when nothing is new', async () => {
    const selections = [product(idOf(near.storefrontId))];
    const { campaign } = done(await buyer.post('/buyer/campaigns', create().create));
    const draft = { campaign: { campaignId: campaign.campaignId }, mode: 'stage', selections };

    const first = done(await batch(draft));
    const again = done(await batch(draft));

    expect(first).toMatchObject({ campaignId: campaign.campaignId, campaignCreated: false, noOp: false });
    expect(again.noOp).toBe(true);
    const executed = done(await batch({ ...draft, mode: 'execute' }));
    expect(executed).toMatchObject({ campaignStatus: 'ACTIVE', mediaBuysExecuted: 1 });
    const refused = await batch(draft);
    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      words: 'The campaign is ACTIVE; a session is attached while it is DRAFT.',
    });
    // The way out that is named is one.
    expect(refused.body.error.details.suggestion).toMatch(/give campaign\.create in its place/);
    const instead = { ...create().create, name: 'Instead' };
    expect((await batch({ ...draft, campaign: { create: instead } })).status).toBe(200);
  });

  test('shares out the budget of a proposal between its products', async () => {
    const [{ proposal_id: proposalId } = { proposal_id: '' }] = found.proposals;
    const made = done(
      await batch({ mode: 'stage', selections: [{ kind: 'proposal', proposalId, totalBudget: 400 }] }),
    );

    expect(made).toMatchObject({ proposalsApplied: 1, queryProductsSelected: 2 });
    const path = `/buyer/discovery/${found.ext.interchange.execution_id}/products`;
    const { products: chosen } = done(await buyer.get(path));
    const budgets = chosen.map((one: { budget: number }) => one.budget);
    expect(budgets.sort()).toEqual([100, 300]);
  });

  test('knows no proposal by the id of another storefront', async () => {
    const [{ proposal_id: own } = { proposal_id: '' }] = found.proposals;
    const proposalId = own.replace(`sfp1:${far.storefrontId}:`, `sfp1:${near.storefrontId}:`);

    const reply = await batch({ mode: 'stage', selections: [{ kind: 'proposal', proposalId }] });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'selections.0.proposalId': 'The storefront of this id has no such proposal here.' },
    });
  });

  test('joins what was chosen of the query, and drops it where replace is true', async () => {
    const news = product(idOf(far.storefrontId, 'news'));
    const tv = product(idOf(far.storefrontId, 'tv'));
    done(await batch({ mode: 'stage', selections: [news] }));

    const joined = done(await batch({ mode: 'stage', selections: [tv] }));
    const replaced = done(await batch({ mode: 'stage', selections: [tv], replace: true }));

    expect(joined.queryProductsSelected).toBe(2);
    expect(replaced.queryProductsSelected).toBe(1);
  });

  test('names every problem at once by its place, and keeps and sends nothing', async () => {
    const [before, sent] = [await campaigns(), far.agent.buys.size];
    const other = await query();

    const reply = await batch({
      selections: [
        product(other.products[0]?.product_id ?? ''),
        product(`sf1:${near.storefrontId}:bWFkZQ`),
        product(idOf(near.storefrontId), { bidPrice: 5 }),
        product(idOf(far.storefrontId, 'news')),
        product(idOf(far.storefrontId, 'news')),
      ],
    });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'selections.0.productId': /^Another query gave it: productQueryId names disc_\w+\.$/,
        'selections.1.productId': 'No query gave such an id of a product.',
        'selections.2.bidPrice': 'This option has a fixed price; leave the bid out.',
        'selections.4.productId': 'Product news of Agent is in selections.3 already.',
      },
    });
    expect([await campaigns(), far.agent.buys.size]).toEqual([before, sent]);
  });

  test('names products of a proposal as a person reads them, with who sells them', async () => {
    const pricing_options = [
      { pricing_option_id: 'tv-cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 },
    ].map((option) => ({ ...option, min_spend_per_package: 900 }));
    const dear = [products[0], productAt('tv.example', 'tv', { pricing_options })];
    far.agent.on('get_products', () => ({ products: dear, proposals: [plan] }));
    const [{ proposal_id: proposalId } = { proposal_id: '' }] = found.proposals;
    const proposal = (id: string) => ({ kind: 'proposal', proposalId: id, totalBudget: 400 });
    const twice = await batch({ selections: [product(idOf(far.storefrontId, 'tv')), proposal(proposalId)] });
    found = await query();
    const short = await batch({ selections: [proposal(found.proposals[0]?.proposal_id ?? '')] });
    far.agent.on('get_products', () => ({ products, proposals: [plan] }));

    expectRefusal(twice, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'selections.1.proposalId': 'Product tv of Agent is in selections.0 already.' },
    });
    expectRefusal(short, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'selections.0.proposalId': 'Product tv of Agent: This option starts at 900 USD.' },
    });
  });

  test('keeps no campaign whose budget does not cover what is chosen', async () => {
    const before = await campaigns();

    const reply = await batch({
      campaign: create({ budget: { total: 50 } }),
      selections: [product(idOf(near.storefrontId))],
    });

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'campaign.create.budget.total':
          'The campaign has 50.00 USD (budget.total); the chosen products take 100.00 USD.',
      },
    });
    expect(await campaigns()).toBe(before);
    const path = `/buyer/discovery/${found.ext.interchange.execution_id}/products`;
    expect(done(await buyer.get(path)).totalProducts).toBe(0);
  });

  test('is CONFLICT for what another campaign has bought of the same query', async () => {
    const selections = [product(idOf(near.storefrontId))];
    done(await batch({ selections }));

    expectRefusal(await batch({ selections }), 409, {
      code: 'CONFLICT',
      at: {
        rebuy: /^Another campaign has bought from the same session: Morning display \(by cmp_\w+\)\.$/,
      },
      details: {
        suggestion:
          'Call media_buy_create_batch with rebuy true to buy it once more, or leave the product out (replace true leaves out what was chosen before).',
      },
    });
    expect(done(await batch({ selections, rebuy: true }))).toMatchObject({ mediaBuysExecuted: 1 });
  });

  const logged = async (resourceId: string) => {
    const { logs } = done(
      await buyer.get(`/buyer/audit-logs?resourceTypes=CAMPAIGN&resourceId=${resourceId}`),
    );
    return logs.map(({ action }: { action: string }) => action).reverse();
  };

  test('is in the audit log as what it does to the campaign: made, changed, executed, or nothing', async () => {
    const selections = [product(idOf(near.storefrontId))];
    const { campaign } = done(await buyer.post('/buyer/campaigns', create().create));
    const draft = { campaign: { campaignId: campaign.campaignId }, selections };
    for (const mode of ['stage', 'stage', 'execute']) done(await batch({ ...draft, mode }));

    expect(await logged(campaign.campaignId)).toEqual(['CREATE', 'UPDATE', 'EXECUTE']);

    found = await query();
    const [staged, executed] = [
      done(await batch({ mode: 'stage', selections: [product(idOf(near.storefrontId))] })),
      done(await batch({ selections: [product(idOf(far.storefrontId, 'news'))] })),
    ];
    expect(await logged(staged.campaignId)).toEqual(['CREATE']);
    expect(await logged(executed.campaignId)).toEqual(['CREATE', 'EXECUTE']);
  });

  test('hides no success behind the failure of another seller', async () => {
    far.agent.on('create_media_buy', () => {
      throw new Error('broken');
    });
    const made = done(
      await batch({ selections: [product(idOf(near.storefrontId)), product(idOf(far.storefrontId, 'tv'))] }),
    );

    expect(made).toMatchObject({ campaignStatus: 'ACTIVE', mediaBuysExecuted: 1, success: false });
    expect(made.errors).toMatchObject([{ salesAgentId: far.agentId }]);
  });

  test('keeps nothing for whom it would take beyond the credit, or without a price', async () => {
    const poor = await newPerson(server, { funds: false });
    const poorId = await newAdvertiser(poor);
    found = await query(poor, poorId);
    const broke = {
      productQueryId: found.ext.interchange.execution_id,
      campaign: create({ advertiserId: poorId }),
      mode: 'execute',
      selections: [product(idOf(near.storefrontId))],
    };

    const unpaid = await poor.post('/buyer/media-buys/batch', broke);
    await dropPricingRule(server.operator, { organizationId: poor.organizationId });
    const unpriced = await poor.post('/buyer/media-buys/batch', broke);

    expectRefusal(unpaid, 402, {
      code: 'CREDIT_LIMIT_EXCEEDED',
      words:
        'This would commit 100.00 USD; the account has 0.00 USD available, 100.00 USD too little. Nothing was done.',
    });
    expectRefusal(unpriced, 409, {
      code: 'PRICING_NOT_CONFIGURED',
      words: 'The advertiser has no pricing rule for Shelf.',
    });
    expect(done(await poor.get('/buyer/campaigns')).total).toBe(0);
  });

  test('is CURRENCY_MISMATCH for a budget in another currency, and CAPABILITY_NOT_SUPPORTED for a targeting that a seller lacks', async () => {
    const bea = await farSeller(server, 'Bea', [productAt('two.example', 'plain')]);
    declaresTargeting(bea, { geo_countries: true, geo_regions: false });
    found = await query(buyer, advertiserId, [bea.storefrontId]);
    const plain = idOf(bea.storefrontId);

    const euros = await batch({
      campaign: create({ budget: { total: 100, currency: 'EUR' } }),
      selections: [product(plain)],
    });
    const targetingOverlay = { geo_regions: ['US-CA'] };
    const regions = await batch({ selections: [product(plain, { budget: 10, targetingOverlay })] });
    await bea.agent.stop();

    expectRefusal(euros, 400, {
      code: 'CURRENCY_MISMATCH',
      at: { 'campaign.create.budget.currency': 'The advertiser pays in USD, not in EUR.' },
    });
    expectRefusal(regions, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { 'selections.0.targetingOverlay.geo_regions': 'The seller declares no targeting by geo_regions.' },
    });
  });

  test('is VERSION_UNSUPPORTED for a seller that speaks another major version alone, and makes no campaign', async () => {
    const old = await farSeller(server, 'Old', [productAt('three.example', 'plain')]);
    old.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
    found = await query(buyer, advertiserId, [old.storefrontId]);
    const before = await campaigns();

    const refused = await batch({ selections: [product(idOf(old.storefrontId))] });
    await old.agent.stop();

    expectRefusal(refused, 422, { code: 'VERSION_UNSUPPORTED', words: /speaks another major version/ });
    expect(refused.body.error.details.suggestion).toContain('eave what they sell out');
    expect(old.agent.buys.size).toBe(0);
    expect(await campaigns()).toBe(before);
  });

  test('is NOT_FOUND for the query of somebody else, and NOT_IMPLEMENTED for what is not built', async () => {
    const stranger = await newPerson(server);
    const selections = [product(idOf(near.storefrontId))];
    const own = await newAdvertiser(stranger);
    const theirs = await stranger.post('/buyer/media-buys/batch', {
      productQueryId: found.ext.interchange.execution_id,
      campaign: create({ advertiserId: own }),
      mode: 'stage',
      selections,
    });

    expectRefusal(theirs, 404, { code: 'NOT_FOUND', words: 'No such discovery session.' });
    const pixel = product(idOf(near.storefrontId), { pixelId: 'x' });
    expectRefusal(await batch({ selections: [pixel] }), 501, {
      code: 'NOT_IMPLEMENTED',
      at: { 'selections.0.pixelId': 'Documented, and not built yet.' },
    });
  });
});
