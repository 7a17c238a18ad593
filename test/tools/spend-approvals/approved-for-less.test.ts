import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAY_MS = 86_400_000;

/** Of two media buys one was called off, and its seller reports late what it spent: the other is to have more. */
describe('a raise that waits for another person', () => {
  const clock = skippingClock();
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    [ada, bea] = [await farSeller(server, 'Ada'), await farSeller(server, 'Bea')];
    takesChanges(ada);
    takesChanges(bea);
    for (const { agent } of [ada, bea]) reports(agent, { spend: 10 });
    buyer = await newPerson(server);
    return () => Promise.all([ada.agent.stop(), bea.agent.stop()]);
  });

  const reports = (
    agent: FarSeller['agent'],
    { spend, ...said }: { spend: number; [word: string]: unknown },
  ) =>
    agent.on('get_media_buy_delivery', ({ media_buy_ids: ids }) => ({
      ...said,
      media_buy_deliveries: [ids].flat().map((media_buy_id) => {
        return { media_buy_id, totals: { impressions: 1_000, spend, clicks: 1 } };
      }),
    }));
  const path = (campaignId: string) => `/buyer/campaigns/${campaignId}`;
  const heard = async (campaignId: string) => done(await buyer.get(`${path(campaignId)}/media-buy-status`));
  const approve = async (approvalId: string) =>
    clientFor(server.url, await buyer.browser()).post(`/buyer/spend-approvals/${approvalId}/approve`);

  /** Ada's is called off, of which 60 of 100 was spent as far as it told; Bea's is to have 140 in place of 100. */
  async function raised() {
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [ada.storefrontId, bea.storefrontId];
    const flightDates = {
      startDate: new Date(clock.now()).toISOString(),
      endDate: new Date(clock.now() + 20 * DAY_MS).toISOString(),
    };
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds,
      campaign: { flightDates },
    });
    done(await buyer.post(`${path(campaignId)}/execute`));
    clock.skip(DAY_MS);
    await heard(campaignId);
    const { mediaBuys } = done(await buyer.get(path(campaignId))).campaign;
    const of = ({ agentId }: FarSeller) =>
      mediaBuys.find(({ salesAgentId }: { salesAgentId: string }) => salesAgentId === agentId);
    done(
      await buyer.put(path(campaignId), {
        mediaBuys: [{ mediaBuyId: of(ada).mediaBuyId, action: 'cancel' }],
      }),
    );
    clock.skip(60_000);
    reports(ada.agent, { spend: 60, notification_type: 'final' });
    await heard(campaignId);
    await limitSpend(server, buyer, 150);
    const [{ packageId }] = of(bea).packages;
    const { approval } = done(
      await buyer.patch(`/buyer/media-buys/${of(bea).mediaBuyId}`, {
        packages: [{ packageId, budget: 140 }],
      }),
    );
    return { campaignId, approvalId: approval.approvalId as string };
  }

  test('is allowed where its campaign holds less by then, as another one had spent less', async () => {
    const { campaignId, approvalId } = await raised();
    clock.skip(60_000);
    reports(ada.agent, { spend: 50, notification_type: 'final' });
    await heard(campaignId);

    expect(done(await approve(approvalId))).toMatchObject({ amount: 200, outcome: { success: true } });

    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is not allowed where its campaign would hold more by then', async () => {
    const { campaignId, approvalId } = await raised();
    clock.skip(60_000);
    reports(ada.agent, { spend: 70, notification_type: 'final' });
    await heard(campaignId);

    expectRefusal(await approve(approvalId), 409, {
      code: 'CONFLICT',
      words: 'What it would spend, or buy, is not what was asked for any more: nothing was done.',
    });
  });
});
