import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { marketId } from '../../../tools/domain/discovery/market-ids.ts';
import { dropPricingRule, setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { writesBeforeStoring } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Calls that buy, and somebody else who changes what they buy by before they store anything. */
describe('what is bought while somebody else changes it', () => {
  const between = writesBeforeStoring('campaign_execute', 'media_buy_create_batch');
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let campaignId: string;
  let discoveryId: string;
  /** How many calls the seller had before the one that is looked at. */
  let from: number;
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    server = await startTestServer({ families: between.families, settings });
    ada = await farSeller(server, 'Ada');
    bea = await farSeller(server, 'Bea');
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });
  beforeEach(async () => {
    takesChanges(ada);
    from = ada.agent.calls.length;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    const draft = { advertiserId, budget: 300, storefrontIds: [ada.storefrontId] };
    ({ campaignId, discoveryId } = await draftCampaign(buyer, draft));
  });

  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const choose = async (budget: number) => {
    const product = { productId: 'ada-1', salesAgentId: ada.agentId, budget };
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [product] }));
  };
  const drop = async () =>
    done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: ['ada-1'] }));
  const archive = async () =>
    done(await buyer.put(`/buyer/advertisers/${advertiserId}`, { status: 'ARCHIVED' }));
  const charge = (feeBps: number) =>
    setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps });
  const unprice = () => dropPricingRule(server.operator, { organizationId: buyer.organizationId });
  const ordered = () =>
    ada.agent.calls
      .slice(from)
      .filter(({ tool }) => tool === 'create_media_buy')
      .flatMap(({ args }) => (args['packages'] as { budget: number }[]).map(({ budget }) => budget));

  /** What has to hold of an execute that makes its orders, for the first time or in the place of a refused one. */
  function holdsOfOrders(): void {
    test('is what is chosen when it is stored', async () => {
      between.next(() => choose(200));

      expect(done(await execute()).mediaBuys).toMatchObject([{ budget: 200, status: 'ACTIVE' }]);

      expect(ordered()).toEqual([200]);
    });

    test('is refused where what is chosen by then is more than the budget', async () => {
      between.next(() => choose(301));

      expectRefusal(await execute(), 409, {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'budget.total': 'The campaign has 300.00 USD (budget.total); the chosen products take 301.00 USD.',
        },
      });

      expect(ordered()).toEqual([]);
    });

    test('is refused for an advertiser that was archived', async () => {
      between.next(archive);

      expectRefusal(await execute(), 409, { code: 'CONFLICT', words: 'The advertiser is archived.' });

      expect(ordered()).toEqual([]);
    });

    test('is priced by the rule that holds when it is stored', async () => {
      between.next(() => charge(2_500));

      done(await execute());

      expect(ordered()).toEqual([75]);
    });

    test('is refused where no rule holds any more', async () => {
      between.next(unprice);

      expectRefusal(await execute(), 409, {
        code: 'PRICING_NOT_CONFIGURED',
        words: 'The advertiser has no pricing rule for Agent.',
      });

      expect(ordered()).toEqual([]);
    });
  }

  describe('by the first execute of a campaign', () => {
    holdsOfOrders();

    test('is refused where nothing is chosen any more, with the session to choose of', async () => {
      between.next(drop);

      const reply = await execute();
      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { discoveryId: 'No product is chosen for this campaign.' },
      });
      expect(reply.body.error.details.suggestion).toMatch(
        /^Choose products of disc_\w+ with discovery_add_products, and repeat the call\.$/,
      );

      expect(ordered()).toEqual([]);
    });
  });

  describe('by an execute after one that was refused', () => {
    beforeEach(async () => {
      ada.agent.on('create_media_buy', () => ({ errors: [{ code: 'BUDGET_TOO_LOW', message: 'More.' }] }));
      await execute();
      takesChanges(ada);
      from = ada.agent.calls.length;
    });

    holdsOfOrders();
  });

  describe('by a batch', () => {
    beforeEach(async () => {
      takesChanges(bea);
      const storefrontIds = [ada.storefrontId, bea.storefrontId];
      ({ campaignId, discoveryId } = await draftCampaign(buyer, {
        advertiserId,
        budget: 300,
        storefrontIds,
      }));
    });

    const buy = () => {
      const { storefrontId, agentId } = bea;
      const found = { storefrontId, agentId, sessionId: discoveryId, sourceId: 'bea-1' };
      return buyer.post('/buyer/media-buys/batch', {
        productQueryId: discoveryId,
        campaign: { campaignId },
        mode: 'execute',
        selections: [{ kind: 'product', productId: marketId('product', found), budget: 50 }],
      });
    };

    test('is refused for an advertiser that was archived', async () => {
      between.next(archive);

      expectRefusal(await buy(), 409, { code: 'CONFLICT', words: 'The advertiser is archived.' });

      expect(ordered()).toEqual([]);
    });

    test('is what is chosen of its query when it is stored', async () => {
      between.next(() => choose(200));

      done(await buy());

      expect(ordered()).toEqual([200]);
    });
  });
});
