import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const auction = {
  pricing_options: [{ pricing_option_id: 'bid', pricing_model: 'cpm', currency: 'USD', floor_price: 2 }],
};
const costly = {
  pricing_options: [
    {
      pricing_option_id: 'big',
      pricing_model: 'cpm',
      currency: 'USD',
      fixed_price: 5,
      min_spend_per_package: 900,
    },
  ],
};
const products = [
  productAt('news.example', 'news'),
  productAt('sport.example', 'sport', auction),
  productAt('tv.example', 'tv', costly),
];

const part = (product_id: string, allocation_percentage: number) => ({ product_id, allocation_percentage });
const plan = (changes: object = {}) => ({
  proposal_id: 'balanced',
  name: 'Balanced',
  description: 'A bit of both.',
  brief_alignment: 'Reads and plays.',
  allocations: [{ ...part('news', 66.7), rationale: 'Readers.' }, part('sport', 33.3)],
  total_budget_guidance: { min: 50, recommended: 500, currency: 'USD' },
  ...changes,
});

describe('discovery_apply_proposal', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', products);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const discover = async (proposals: unknown, fields: object = {}) => {
    far.agent.on('get_products', () => ({ products, proposals }));
    const found = done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        brief: 'News and sport',
        waitSeconds: 30,
        storefrontIds: [far.storefrontId],
        debug: true,
        ...fields,
      }),
    );
    discoveryId = found.discoveryId;
    return found;
  };
  const apply = (fields: object) => buyer.post(`/buyer/discovery/${discoveryId}/apply-proposal`, fields);
  const refine = async (items: readonly object[]) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', { discoveryId, waitSeconds: 30, refine: items }),
    );

  describe('what discovery shows', () => {
    test('has what a seller proposes, with whose it is', async () => {
      const { proposals } = await discover([plan()]);

      expect(proposals).toEqual([
        {
          proposalId: 'balanced',
          name: 'Balanced',
          description: 'A bit of both.',
          briefAlignment: 'Reads and plays.',
          salesAgentId: far.agentId,
          salesAgentName: 'Agent',
          storefrontId: far.storefrontId,
          storefrontName: 'Far Media',
          allocations: [
            { productId: 'news', allocationPercentage: 66.7, rationale: 'Readers.' },
            { productId: 'sport', allocationPercentage: 33.3 },
          ],
          totalBudgetGuidance: { min: 50, recommended: 500, currency: 'USD' },
        },
      ]);
      expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`)).proposals).toEqual(
        proposals,
      );
    });

    test.each([
      ['percentages that do not come to 100', { allocations: [part('news', 60)] }],
      ['a product that the seller did not send', { allocations: [part('elsewhere', 100)] }],
      [
        'an option that the product does not have',
        { allocations: [{ ...part('news', 100), pricing_option_id: 'gold' }] },
      ],
      ['no part at all', { allocations: [] }],
      ['an id with something hidden', { proposal_id: 'plan\u202e' }],
      ['an end that is no moment', { expires_at: 'soon' }],
    ])('has none with %s, and counts it', async (_, changes) => {
      const found = await discover([plan(changes), 'words']);

      expect(found).not.toHaveProperty('proposals');
      expect(found.agentResults).toMatchObject([{ success: true, productCount: 3, invalidProposals: 2 }]);
    });

    test('has what can be taken up for ever, as sellers west of Greenwich write it', async () => {
      const expires_at = '9999-12-31T23:59:59-05:00';

      const { proposals } = await discover([plan({ expires_at })]);

      expect(proposals).toMatchObject([{ expiresAt: '9999-12-31T23:59:59.999Z' }]);
      expect((await apply({ proposalId: 'balanced' })).status).toBe(200);
    });

    test('cuts texts of sellers, and takes ten proposals at the most', async () => {
      const many = Array.from({ length: 30 }, (_, index) =>
        plan({ proposal_id: `plan-${index}`, name: 'x'.repeat(5_000) }),
      );

      const { proposals, agentResults } = await discover(many);

      expect(proposals).toHaveLength(10);
      expect(proposals[0].name).toHaveLength(255);
      expect(agentResults[0].invalidProposals).toBe(20);
    });

    test('goes on with what the seller makes of a proposal when it is refined', async () => {
      await discover([plan({ proposal_status: 'draft' })]);
      far.agent.on('get_products', ({ refine: items }) => ({
        products,
        proposals: [plan({ proposal_status: 'committed', expires_at: '2026-12-05T00:00:00Z' })],
        refinement_applied: (items as object[]).map(() => ({
          scope: 'proposal',
          proposal_id: 'balanced',
          status: 'applied',
        })),
      }));

      const data = await refine([{ scope: 'proposal', id: 'balanced', action: 'finalize' }]);

      expect(far.agent.calls.at(-1)?.args['refine']).toEqual([
        { scope: 'proposal', proposal_id: 'balanced', action: 'finalize' },
      ]);
      expect(data.proposals).toMatchObject([
        { proposalStatus: 'committed', expiresAt: '2026-12-05T00:00:00.000Z' },
      ]);
      expect(data.refinementApplied).toEqual([{ scope: 'proposal', id: 'balanced', status: 'applied' }]);
    });

    test('says where a proposal did not come back', async () => {
      await discover([plan()]);
      far.agent.on('get_products', () => ({ products }));

      const data = await refine([{ scope: 'proposal', id: 'balanced', action: 'include', ask: 'Cheaper' }]);

      expect(data).not.toHaveProperty('proposals');
      expect(data.refinementApplied).toMatchObject([{ status: 'unable' }]);
    });

    test('leaves out a proposal that is omitted, and one whose product is', async () => {
      await discover([
        plan(),
        plan({ proposal_id: 'tv', allocations: [part('tv', 100)] }),
        plan({ proposal_id: 'sport', allocations: [part('sport', 100)] }),
      ]);
      const asked = far.agent.calls.length;

      const data = await refine([
        { scope: 'proposal', id: 'sport', action: 'omit' },
        { scope: 'product', id: 'tv', action: 'omit' },
      ]);

      expect(far.agent.calls).toHaveLength(asked);
      expect(data.proposals.map(({ proposalId }: { proposalId: string }) => proposalId)).toEqual([
        'balanced',
      ]);
    });
  });

  describe('200', () => {
    beforeEach(() => discover([plan()]));

    test('chooses the products, shares the budget out to the cent and bids the floor in an auction', async () => {
      const data = done(await apply({ proposalId: 'balanced', totalBudget: 100.01 }));

      expect(data).toMatchObject({
        discoveryId,
        proposal: { proposalId: 'balanced', name: 'Balanced', salesAgentName: 'Agent' },
        totalBudgetUsed: 100.01,
        productsApplied: 2,
        productsSkipped: [],
        totalProducts: 2,
        products: [
          { productId: 'news', budget: 66.71 },
          { productId: 'sport', budget: 33.3, bidPrice: 2, pricingOptionId: 'bid' },
        ],
      });
    });

    test('takes what the seller advises where no budget is named', async () => {
      expect(done(await apply({ proposalId: 'balanced' })).totalBudgetUsed).toBe(500);
    });

    test('takes the budget of the session before that', async () => {
      await discover([plan()], { budget: 300 });

      expect(done(await apply({ proposalId: 'balanced' }))).toMatchObject({
        totalBudgetUsed: 300,
        budgetContext: { sessionBudget: 300, allocatedBudget: 300, remainingBudget: 0 },
      });
    });

    test('skips what cannot be chosen with its part, and says why', async () => {
      await discover([plan({ allocations: [part('news', 50), part('tv', 50)] })]);

      const data = done(await apply({ proposalId: 'balanced', totalBudget: 1_000 }));

      expect(data).toMatchObject({ totalBudgetUsed: 500, productsApplied: 1, productsSkipped: ['tv'] });
      expect(data.warnings).toEqual(['Product tv of Agent is left out: This option starts at 900 USD.']);
    });

    test.each([
      ['of which the proposal gives it no part', [part('news', 100), part('sport', 0)], 100],
      ['that is too small to be shared', [part('news', 60), part('sport', 40)], 0.01],
    ])('skips what gets nothing of a budget %s, and says so', async (_, allocations, totalBudget) => {
      await discover([plan({ allocations, total_budget_guidance: undefined })]);

      const data = done(await apply({ proposalId: 'balanced', totalBudget }));

      expect(data).toMatchObject({ productsApplied: 1, productsSkipped: ['sport'] });
      expect(data.warnings).toEqual([
        'Product sport of Agent is left out: Nothing of the budget falls to it.',
      ]);
    });

    test('skips an auction without a floor: what to bid there is for the buyer to say', async () => {
      const open = { pricing_options: [{ ...auction.pricing_options[0], floor_price: undefined }] };
      far.agent.on('get_products', () => ({
        products: [productAt('news.example', 'news'), productAt('sport.example', 'sport', open)],
        proposals: [plan()],
      }));
      const asked = { advertiserId, storefrontIds: [far.storefrontId], waitSeconds: 30 };
      ({ discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', asked)));

      const data = done(await apply({ proposalId: 'balanced', totalBudget: 100 }));

      expect(data).toMatchObject({ totalBudgetUsed: 66.7, productsApplied: 1, productsSkipped: ['sport'] });
      const missing = 'Required in an auction without a floor: give a bidPrice in USD.';
      expect(data.warnings).toEqual([`Product sport of Agent is left out: ${missing}`]);
      const products = [{ productId: 'sport' }];
      expectRefusal(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }), 400, {
        code: 'VALIDATION_ERROR',
        at: { 'products.0.bidPrice': missing },
      });
    });

    test('takes the proposal of the seller that is named, where several use its id', async () => {
      const other = await farSeller(server, 'Other Media', products);
      other.agent.on('get_products', () => ({ products, proposals: [plan({ name: 'Otherwise' })] }));
      try {
        await discover([plan()], { storefrontIds: [far.storefrontId, other.storefrontId] });

        expectRefusal(await apply({ proposalId: 'balanced' }), 400, {
          code: 'VALIDATION_ERROR',
          at: { salesAgentId: /^Several sellers use this id\. Give one of: / },
        });
        for (const [{ agentId }, name] of [
          [far, 'Balanced'],
          [other, 'Otherwise'],
        ] as const) {
          const data = done(await apply({ proposalId: 'balanced', salesAgentId: agentId, replace: true }));
          expect(data.proposal).toMatchObject({ name });
          expect(data.products).toMatchObject([{ salesAgentId: agentId }, { salesAgentId: agentId }]);
        }
      } finally {
        await other.agent.stop();
      }
    });

    test('adds to the choice, or takes its place with replace', async () => {
      const products = [{ productId: 'tv', budget: 900 }];
      done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));

      expect(done(await apply({ proposalId: 'balanced' })).totalProducts).toBe(3);
      expect(done(await apply({ proposalId: 'balanced', replace: true })).totalProducts).toBe(2);
    });
  });

  describe('refused', () => {
    test('with 400 where the session has no such proposal', async () => {
      await discover([plan()]);

      expectRefusal(await apply({ proposalId: 'none' }), 400, {
        code: 'VALIDATION_ERROR',
        at: { proposalId: 'This session has no such proposal: find ids with browse_products.' },
      });
    });

    test('with 400 where nobody names a budget, or it is less than the seller takes', async () => {
      await discover([plan({ total_budget_guidance: undefined })]);
      expectRefusal(await apply({ proposalId: 'balanced' }), 400, {
        code: 'VALIDATION_ERROR',
        at: { totalBudget: 'Required: neither the session nor the seller names a budget.' },
      });

      await discover([plan()]);
      expectRefusal(await apply({ proposalId: 'balanced', totalBudget: 49 }), 400, {
        code: 'VALIDATION_ERROR',
        at: { totalBudget: 'The seller’s least is 50 USD.' },
      });
      expectRefusal(await apply({ proposalId: 'balanced', totalBudget: 60.001 }), 400, {
        code: 'VALIDATION_ERROR',
        at: { totalBudget: 'USD has 2 decimals at the most.' },
      });
    });

    test('with 400 CURRENCY_MISMATCH once the advertiser pays in another currency than its session', async () => {
      const moving = await newAdvertiser(buyer);
      await discover([plan()], { advertiserId: moving });
      done(await buyer.put(`/buyer/advertisers/${moving}`, { primaryCurrency: 'JPY' }));

      expectRefusal(await apply({ proposalId: 'balanced', totalBudget: 300 }), 400, {
        code: 'CURRENCY_MISMATCH',
        at: { discoveryId: 'The session was opened in USD; the advertiser pays in JPY by now.' },
      });
      expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).products).toEqual([]);
    });

    test('with 422 where nothing of it can be chosen, and then nothing is', async () => {
      await discover([plan({ allocations: [part('tv', 100)] })]);

      expectRefusal(await apply({ proposalId: 'balanced', totalBudget: 100 }), 422, {
        code: 'VALIDATION_ERROR',
        at: {
          proposalId:
            'None of its products can be chosen. Product tv of Agent is left out: This option starts at 900 USD.',
        },
      });
      expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).totalProducts).toBe(0);
    });

    test('with 409 once it has ended, and then it is shown no more', async () => {
      const expires_at = new Date(clock.now() + 60_000).toISOString();
      await discover([plan({ expires_at })]);
      clock.skip(61_000);

      expectRefusal(await apply({ proposalId: 'balanced' }), 409, {
        code: 'CONFLICT',
        words: `The proposal could be taken up until ${expires_at}.`,
      });
      expect(done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`))).not.toHaveProperty(
        'proposals',
      );
    });
  });
});
