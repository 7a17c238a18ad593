import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantedOnly } from '../../support/buying/access.ts';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { putBuys } from '../../support/buying/running-campaign.ts';
import { waitingSpend } from '../../support/buying/spend-limits.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/buyer/all-advertisers-home';

describe('portfolio_get', () => {
  let server: TestServer;
  let storefrontIds: string[];
  beforeAll(async () => {
    server = await startTestServer();
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
  });
  afterAll(() => server.stop());

  const home = async (reader: Person, query = '') => done(await reader.get(`${PATH}${query}`));

  /** An executed campaign of 1,000 USD, whose one media buy stands so. */
  async function running(
    buyer: Person,
    advertiserId: string,
    status: 'ACTIVE' | 'INPUT_REQUIRED' | 'FAILED',
  ) {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    await putBuys(server, { campaignId, status });
    return campaignId;
  }

  describe('200', () => {
    test('shows of each advertiser what is live, what waits and what to do next', async () => {
      const buyer = await newPerson(server);
      const [busy, idle, play] = [
        await newAdvertiser(buyer, { name: 'Acme Fine Shoes' }),
        await newAdvertiser(buyer, { name: 'öl', primaryCurrency: 'EUR' }),
        await newAdvertiser(buyer, { name: 'Play', sandbox: true }),
      ];
      await running(buyer, busy, 'INPUT_REQUIRED');
      await running(buyer, play, 'FAILED');
      await waitingSpend(server, buyer, { advertiserId: busy, storefrontIds });

      const { status, body } = await buyer.get(PATH);

      expect(status).toBe(200);
      expect(body.meta).toEqual({ pagination: { skip: 0, take: 100, total: 3, hasMore: false } });
      const { portfolio, advertisers } = body.data;
      expect(portfolio).toEqual({ managed: '1000.00 USD', tracked: '0', waitingOnYou: 3 });
      expect(advertisers).toEqual([
        {
          advertiserId: busy,
          name: 'Acme Fine Shoes',
          initials: 'AF',
          sandbox: false,
          managed: '1000.00 USD',
          tracked: null,
          campaignCount: 2,
          resumableDraft: true,
          attention: {
            flags: [
              { label: '1 asked for input by a seller', tone: 'needsAction' },
              { label: '1 above the spend limit', tone: 'needsAction' },
            ],
          },
          nextAction: { label: 'Give the sellers what they ask for' },
        },
        {
          advertiserId: idle,
          name: 'öl',
          initials: 'Ö',
          sandbox: false,
          managed: null,
          tracked: null,
          campaignCount: 0,
          resumableDraft: false,
          nextAction: { label: 'Create a campaign' },
        },
        expect.objectContaining({ advertiserId: play, sandbox: true, managed: '1000.00 USD' }),
      ]);
    });

    test('never adds currencies up', async () => {
      const buyer = await newPerson(server);
      for (const primaryCurrency of ['USD', 'EUR', 'USD']) {
        const advertiserId = await newAdvertiser(buyer, { primaryCurrency });
        const { campaign } = done(
          await buyer.post('/buyer/campaigns', {
            advertiserId,
            name: 'Winter',
            budget: { total: 10.5 },
            flightDates: { startDate: '2026-12-10T00:00:00Z', endDate: '2026-12-31T00:00:00Z' },
          }),
        );
        await putStatus(server, buyer, { campaignId: campaign.campaignId, status: 'PAUSED' });
      }

      expect((await home(buyer)).portfolio.managed).toBe('10.50 EUR, 21.00 USD');
    });

    test('heeds campaigns that go on only: neither archived ones nor what failed in one that is over', async () => {
      const buyer = await newPerson(server);
      const advertiserId = await newAdvertiser(buyer);
      const over = await running(buyer, advertiserId, 'FAILED');
      await putStatus(server, buyer, { campaignId: over, status: 'COMPLETED' });
      const gone = await running(buyer, advertiserId, 'FAILED');
      await putStatus(server, buyer, { campaignId: gone, status: 'ARCHIVED' });

      const { portfolio, advertisers } = await home(buyer);

      expect(portfolio).toEqual({ managed: '0', tracked: '0', waitingOnYou: 0 });
      expect(advertisers[0]).toMatchObject({ campaignCount: 1, managed: null });
      expect(advertisers[0]).not.toHaveProperty('attention');
      expect(advertisers[0]).not.toHaveProperty('nextAction');
    });

    test('shows to a key that grants narrow its own advertisers, with what is theirs', async () => {
      const buyer = await newPerson(server);
      const own = await newAdvertiser(buyer);
      await running(buyer, await newAdvertiser(buyer), 'ACTIVE');

      const { portfolio, advertisers, total } = await home(await grantedOnly(server, buyer, own));

      expect(advertisers.map(({ advertiserId }: { advertiserId: string }) => advertiserId)).toEqual([own]);
      expect({ total, managed: portfolio.managed }).toEqual({ total: 1, managed: '0' });
    });

    test('leaves out archived advertisers, and counts the page that was asked for alone', async () => {
      const buyer = await newPerson(server);
      const [first, second] = [await newAdvertiser(buyer), await newAdvertiser(buyer)];
      const retired = await newAdvertiser(buyer);
      done(await buyer.put(`/buyer/advertisers/${retired}`, { status: 'ARCHIVED' }));
      await running(buyer, first, 'ACTIVE');

      const { portfolio, advertisers, total } = await home(buyer, '?take=1&skip=1');

      expect(advertisers.map(({ advertiserId }: { advertiserId: string }) => advertiserId)).toEqual([second]);
      expect({ total, managed: portfolio.managed }).toEqual({ total: 2, managed: '0' });
    });
  });
});
