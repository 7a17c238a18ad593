import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  beginDiscovery,
  browse,
  discover,
  productIdsIn,
  type Snapshot,
} from '../../support/sellers/discovery.ts';
import { declaresSandbox, type FarSeller, farSeller, NO_SANDBOX } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NOT_ASKED =
  'The seller declares no sandbox accounts (account.sandbox): it is not asked for a sandbox advertiser.';

/** What is asked for a sandbox advertiser may be taken for real where no sandbox accounts are kept. */
describe('a seller without sandbox accounts', () => {
  let server: TestServer;
  let buyer: Person;
  let play: string;
  let live: string;
  const sellers: FarSeller[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    play = await newAdvertiser(buyer, { sandbox: true });
    live = await newAdvertiser(buyer);
  });
  afterEach(() => Promise.all(sellers.splice(0).map(({ agent }) => agent.stop())));
  afterAll(() => server.stop());

  const seller = async (productId = 'far-1', sandbox?: boolean): Promise<FarSeller> => {
    const far = await farSeller(server, 'Far', [adcpProduct(productId)]);
    if (sandbox !== undefined) declaresSandbox(far, sandbox);
    sellers.push(far);
    return far;
  };
  const askedFor = ({ agent }: FarSeller) =>
    agent.calls.filter(({ tool }) => tool === 'get_products').map(({ args }) => args['account']);
  const found = (advertiserId: string, ...at: readonly FarSeller[]) =>
    discover(
      buyer,
      advertiserId,
      at.map(({ storefrontId }) => storefrontId),
    );
  const notesOf = (shown: Snapshot) => (shown as { sellerNotes?: readonly object[] }).sellerNotes ?? [];

  const choose = (discoveryId: string, fields: object = {}) =>
    buyer.post(`/buyer/discovery/${discoveryId}/products`, {
      products: [{ productId: 'far-1' }],
      ...fields,
    });
  const create = (fields: object) =>
    buyer.post('/buyer/campaigns', {
      ...{ advertiserId: play, name: 'Winter', flightDates, budget: { total: 100 } },
      ...fields,
    });
  const refused = { code: 'CAPABILITY_NOT_SUPPORTED', at: { 'account.sandbox': NO_SANDBOX } } as const;

  describe('where products are found,', () => {
    test.each([
      ['declares none', false],
      ['declares nothing at all', undefined],
    ])('is not asked for the sandbox where it %s, and its note says so', async (_how, declared) => {
      const [far, other] = [await seller('far-1', declared), await seller('other-1', true)];

      const shown = await found(play, far, other);

      expect(askedFor(far)).toEqual([]);
      expect(productIdsIn(shown)).toEqual(['other-1']);
      expect(notesOf(shown)).toEqual([
        expect.objectContaining({ agentId: far.agentId, reason: 'no_sandbox', message: NOT_ASKED }),
      ]);
      expect(shown.agentResults).toContainEqual(
        expect.objectContaining({ agentId: far.agentId, success: false, skipReason: NOT_ASKED }),
      );
      expect(shown.incompleteAgents).toEqual([]);
    });

    test('is asked for an advertiser that is no sandbox', async () => {
      const far = await seller();

      expect(productIdsIn(await found(live, far))).toEqual(['far-1']);
    });

    test('is asked in the account of the sandbox as soon as it declares some', async () => {
      const far = await seller('far-1', false);
      expect(productIdsIn(await found(play, far))).toEqual([]);
      declaresSandbox(far, true);

      expect(productIdsIn(await found(play, far))).toEqual(['far-1']);

      expect(askedFor(far)).toEqual([expect.objectContaining({ sandbox: true })]);
    });

    test('is not asked where it refuses to say, which is no answer', async () => {
      const far = await seller();
      far.agent.on('get_adcp_capabilities', () => ({
        errors: [{ code: 'INTERNAL_ERROR', message: 'Not now.' }],
      }));

      const shown = await found(play, far);

      expect(askedFor(far)).toEqual([]);
      expect(shown.incompleteAgents).toEqual([
        expect.objectContaining({
          agentId: far.agentId,
          reason: 'error',
          message: expect.stringContaining('refuses to say whether it keeps sandbox accounts'),
        }),
      ]);
    });

    test('shows nothing more once it withdrew them, and says why to what it was to change', async () => {
      const far = await seller('far-1', true);
      const { discoveryId } = await found(play, far);
      declaresSandbox(far, false);
      expectRefusal(await choose(discoveryId), 422, refused);
      const refine = [{ scope: 'request', ask: 'Cheaper.' }];

      const shown: Snapshot = done(
        await buyer.post('/buyer/discovery/discover-products', { discoveryId, waitSeconds: 30, refine }),
      );

      expect(askedFor(far)).toHaveLength(1);
      expect(productIdsIn(shown)).toEqual([]);
      expect(notesOf(shown)).toEqual([expect.objectContaining({ reason: 'no_sandbox' })]);
      expect(shown).toMatchObject({ refinementApplied: [{ status: 'unable' }] });
      expect(JSON.stringify(shown)).toContain(NOT_ASKED);
    });

    test('leaves the embedded seller as it is, which simulates', async () => {
      const { storefrontId } = await openStorefront(await newPerson(server));
      const { discoveryId } = await beginDiscovery(buyer, play, [storefrontId]);

      expect(productIdsIn(await browse(buyer, discoveryId))).toHaveLength(1);
    });
  });

  describe('that had them when its products were found,', () => {
    /** Found while it declared some, which it does no more. */
    async function withdrawn(): Promise<{ far: FarSeller; discoveryId: string }> {
      const far = await seller('far-1', true);
      const { discoveryId } = await found(play, far);
      declaresSandbox(far, false);
      return { far, discoveryId };
    }
    const chosenIn = async (discoveryId: string) =>
      done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).totalProducts;

    test('is refused to the choice, whether or not a campaign is to buy it', async () => {
      const { far, discoveryId } = await withdrawn();
      const { campaignId } = done(await create({})).campaign;

      const [alone, bought] = [await choose(discoveryId), await choose(discoveryId, { campaignId })];

      const unsupported = [{ productId: 'far-1', salesAgentId: far.agentId, field: 'account.sandbox' }];
      for (const reply of [alone, bought])
        expectRefusal(reply, 422, { ...refused, details: { unsupported } });
      expect(alone.body.error.details.suggestion).toContain('Choose products of another seller');
      expect(alone.body.error.details.suggestion).toContain('An advertiser that is no sandbox can buy there');
      expect(await chosenIn(discoveryId)).toBe(0);
    });

    test('is refused to a campaign that is made with its products, or with what was chosen before', async () => {
      const { discoveryId } = await withdrawn();
      const earlier = await seller('far-1', true);
      const { discoveryId: chosen } = await found(play, earlier);
      done(await choose(chosen));
      declaresSandbox(earlier, false);

      expectRefusal(await create({ discoveryId, productIds: ['far-1'] }), 422, refused);
      expectRefusal(await create({ discoveryId: chosen }), 422, refused);
    });

    test('is left out of what is selected automatically, with a warning, and the others are chosen', async () => {
      const [far, other] = [await seller('far-1', true), await seller('other-1', true)];
      const { discoveryId } = await found(play, far, other);
      const { campaignId } = done(await create({ discoveryId })).campaign;
      declaresSandbox(far, false);
      const select = () => buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, {});

      const { selectedProducts, warnings } = done(await select());
      declaresSandbox(other, false);
      const none = await select();

      expect(selectedProducts.map(({ productId }: { productId: string }) => productId)).toEqual(['other-1']);
      expect(warnings).toContainEqual(
        expect.stringMatching(
          /^Agent \(\S+\) declares no sandbox accounts \(account\.sandbox\)\. Its products are left out\.$/,
        ),
      );
      expectRefusal(none, 422, {
        code: 'VALIDATION_ERROR',
        at: {
          campaignId:
            /Agent \(\S+\), Agent \(\S+\) declare no sandbox accounts .* Their products are left out/,
        },
      });
    });

    test('is left out of a proposal that is taken up, with the reason', async () => {
      const far = await seller('far-1', true);
      far.agent.on('get_products', () => ({
        products: [adcpProduct('far-1')],
        proposals: [
          {
            ...{ proposal_id: 'plan', name: 'Plan', description: 'All of it.', brief_alignment: 'Fits.' },
            allocations: [{ product_id: 'far-1', allocation_percentage: 100 }],
          },
        ],
      }));
      const { discoveryId } = await found(play, far);
      declaresSandbox(far, false);

      const reply = await buyer.post(`/buyer/discovery/${discoveryId}/apply-proposal`, {
        ...{ proposalId: 'plan', totalBudget: 100 },
      });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: {
          proposalId: `None of its products can be chosen. Product far-1 of Agent is left out: account.sandbox: ${NO_SANDBOX}`,
        },
      });
    });

    test('is refused to a batch that buys its products', async () => {
      const far = await seller('far-1', true);
      const interchange = { advertiser_id: play, storefront_ids: [far.storefrontId], wait_seconds: 30 };
      const query = done(
        await buyer.post('/buyer/products/query', { buying_mode: 'wholesale', ext: { interchange } }),
      );
      declaresSandbox(far, false);
      const [{ product_id: productId }] = query.products;

      const reply = await buyer.post('/buyer/media-buys/batch', {
        productQueryId: query.ext.interchange.execution_id,
        selections: [{ kind: 'product', productId, budget: 100 }],
        campaign: { create: { advertiserId: play, name: 'Winter', flightDates, budget: { total: 100 } } },
        mode: 'execute',
      });

      expectRefusal(reply, 422, refused);
      expect(far.agent.calls.filter(({ tool }) => tool === 'create_media_buy')).toEqual([]);
    });

    test('says so in the notes of a product query', async () => {
      const far = await seller();
      const interchange = { advertiser_id: play, storefront_ids: [far.storefrontId], wait_seconds: 30 };

      const query = done(
        await buyer.post('/buyer/products/query', { buying_mode: 'wholesale', ext: { interchange } }),
      );

      expect(query.products).toEqual([]);
      expect(JSON.stringify(query)).toContain(NOT_ASKED);
    });
  });
});
