import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

interface Part {
  readonly packageId: string;
  readonly budget: number;
}

/** Each package gets its part of a period, and its seller that without the fee: several sums may stand for it. */
describe('a period that is given away whole, of which a fee is taken', () => {
  let server: TestServer;
  let sellers: readonly FarSeller[];
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    sellers = [
      await farSeller(server, 'Ada', [adcpProduct('ada-1'), adcpProduct('ada-2')]),
      await farSeller(server, 'Bea'),
    ];
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(sellers.map(({ agent }) => agent.stop()));
  });

  const periods = (...budgets: number[]) => ({
    pacingPeriods: {
      mode: 'budget',
      periods: budgets.map((budget, at) => {
        return { label: `${at}`, start: `2026-12-1${at}`, end: `2026-12-1${at}`, budget };
      }),
    },
  });
  const sum = (budgets: readonly number[]) =>
    budgets.reduce((all, one) => all + Math.round(one * 100), 0) / 100;

  /** What the packages of each period have together, by the order in which they were sent. */
  async function inPeriods(campaignId: string, orders: readonly (readonly number[])[]) {
    const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    const parts: Part[] = mediaBuys.flatMap(({ packages }: { packages: Part[] }) => packages);
    return orders.map((places) =>
      sum(
        parts.flatMap(({ packageId, budget }) =>
          places.includes(Number(packageId.split('_')[2])) ? budget : [],
        ),
      ),
    );
  }

  /** The packages that a seller was told of, in orders and changes. */
  const told = () =>
    sellers.flatMap(({ agent }) =>
      agent.calls.flatMap(({ args }) => [args['packages'] ?? [], args['new_packages'] ?? []].flat()),
    );

  test.each([1_250, 333, 5_000])(
    'has its budget to the cent, and others can follow it: %i',
    async (feeBps) => {
      await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps });
      for (const seller of sellers) takesChanges(seller);
      const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
      const { campaignId } = await draftCampaign(buyer, {
        advertiserId,
        storefrontIds,
        budget: 500,
        each: null,
        campaign: periods(100.01, 50),
      });
      const put = (fields: object) => buyer.put(`/buyer/campaigns/${campaignId}`, fields);
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      // Of Ada four packages, a product after the other; of Bea two; those that are added come behind.
      const ordered = [
        [1, 3],
        [2, 4],
      ];
      expect(await inPeriods(campaignId, ordered)).toEqual([100.01, 50]);

      expect(done(await put(periods(100.01, 50, 60.05)))).toMatchObject({ success: true });

      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      expect(campaign).toMatchObject({ allocatedBudget: 210.06 });
      const [{ mediaBuyId, packages }] = campaign.mediaBuys;
      const moved = [0.02, -1].map((by, at) => ({
        packageId: packages[at].packageId,
        budget: sum([packages[at].budget, by]),
      }));
      expectRefusal(await put({ mediaBuys: [{ mediaBuyId, packages: moved }] }), 409, {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'pacingPeriods.periods.0.budget':
            'Within the period 0 100.01 USD can be spent; with this the media buys take 100.03 USD of it.',
        },
      });
      for (const one of told()) expect(one).not.toHaveProperty('gross_minor');
      expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
    },
  );
});
