import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fundAccount } from '../../../tools/domain/ledger/operating.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** 1 KWD is 1,000 fils. */
const DINAR = { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'KWD', fixed_price: 1.234 };

describe('a campaign in a currency of three decimals', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far', [adcpProduct('far-1', { pricing_options: [DINAR] })]);
    takesChanges(far);
    buyer = await newPerson(server);
    const { organizationId } = buyer;
    await fundAccount(server.operator, { organizationId, currency: 'KWD', amountMinor: 1_000_000 });
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const totalsOf = (spend: number, packageId: string) => ({
    currency: 'KWD',
    media_buy_deliveries: [
      {
        media_buy_id: 'Far_1',
        totals: { impressions: 3_000, spend, clicks: 3 },
        by_package: [
          {
            package_id: packageId,
            by_placement: [{ placement_id: 'top', impressions: 3_000, spend, clicks: 3 }],
          },
        ],
      },
    ],
  });

  test('is bound, delivered and told with all three of them', async () => {
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer, { primaryCurrency: 'KWD' }),
      each: 100.125,
      budget: 200.377,
      storefrontIds: [far.storefrontId],
    });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const [{ packages }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
    far.agent.on('get_media_buy_delivery', () => totalsOf(3.70149, packages[0].packageId));

    const { delivery } = done(
      await buyer.get(`/buyer/campaigns/${campaignId}/delivery?placementBreakdown=true`),
    );

    expect(delivery).toMatchObject({
      currency: 'KWD',
      totals: { spend: 3.701, cpm: 1.234 },
      mediaBuys: [{ budget: 100.125, spend: 3.701, placements: [{ placementId: 'top', spend: 3.701 }] }],
    });
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    const [{ committed }] = credit.filter(({ currency }: { currency: string }) => currency === 'KWD');
    expect(committed).toBe(100.125);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });
});
