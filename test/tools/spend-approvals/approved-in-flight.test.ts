import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = DAY_MS / 24;

const OTHERWISE = {
  code: 'CONFLICT',
  words: 'What it would spend, or buy, is not what was asked for any more: nothing was done.',
} as const;

/** What begins by now does so at another moment each time it is asked, which is no other spend. */
describe('a spend that is asked for while the flight of its campaign goes on', () => {
  const clock = skippingClock();
  let server: TestServer;
  let storefrontIds: string[];
  let buyer: Person;
  let advertiserId: string;
  let today: number;
  beforeAll(async () => {
    server = await startTestServer({ clock });
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    await limitSpend(server, buyer, 50);
    today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
    // Whatever the hour it begins at, the day is the same two hours later.
    clock.skip(today + DAY_MS + HOUR_MS - clock.now());
    today += DAY_MS;
  });

  const at = (days: number) => new Date(today + days * DAY_MS).toISOString();
  const dayAt = (days: number) => at(days).slice(0, 'yyyy-mm-dd'.length);
  const halves = (first: number) => [
    { label: 'First', start: dayAt(first), end: dayAt(3), budget: 500 },
    { label: 'Second', start: dayAt(5), end: dayAt(8), budget: 500 },
  ];
  const drafted = async (campaign: object, each: number | null = 100) => {
    const flightDates = { startDate: at(-1), endDate: at(9) };
    const fields = { advertiserId, each, storefrontIds, campaign: { flightDates, ...campaign } };
    return (await draftCampaign(buyer, fields)).campaignId;
  };
  const byPeriods = (first = 0) => drafted({ pacingPeriods: { mode: 'budget', periods: halves(first) } });
  const execute = async (campaignId: string) =>
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).approval.approvalId as string;
  const approve = async (approvalId: string) =>
    clientFor(server.url, await buyer.browser()).post(`/buyer/spend-approvals/${approvalId}/approve`);
  const standing = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.status;

  test('is the same question an hour later, where a pacing period has begun', async () => {
    const campaignId = await byPeriods();
    const asked = await execute(campaignId);

    clock.skip(HOUR_MS);

    expect(await execute(campaignId)).toBe(asked);
  });

  test('is allowed an hour later, where a pacing period has begun', async () => {
    const campaignId = await byPeriods();
    const asked = await execute(campaignId);
    clock.skip(HOUR_MS);

    expect(done(await approve(asked))).toMatchObject({ status: 'approved', outcome: { success: true } });

    expect(await standing(campaignId)).toBe('ACTIVE');
  });

  test('is allowed where a pacing period begins only then', async () => {
    const campaignId = await byPeriods(1);
    const asked = await execute(campaignId);
    clock.skip(DAY_MS);

    expect(done(await approve(asked))).toMatchObject({ outcome: { success: true } });
  });

  test('is another one where a pacing period was given another first day meanwhile', async () => {
    const campaignId = await byPeriods();
    const asked = await execute(campaignId);
    const pacingPeriods = { mode: 'budget', periods: halves(1) };
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { pacingPeriods }));

    expectRefusal(await approve(asked), 409, OTHERWISE);

    expect(await standing(campaignId)).toBe('DRAFT');
  });

  test('is allowed an hour later, where a pacing period that has begun is added', async () => {
    await limitSpend(server, buyer);
    const [first, second] = [
      { label: 'Before', start: dayAt(-1), end: dayAt(0), budget: 200 },
      { label: 'Now', start: dayAt(1), end: dayAt(4), budget: 200 },
    ];
    const campaignId = await drafted({ pacingPeriods: { mode: 'budget', periods: [first] } });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    clock.skip(DAY_MS);
    await limitSpend(server, buyer, 50);
    const pacingPeriods = { mode: 'budget', periods: [first, second] };
    const { approval } = done(await buyer.put(`/buyer/campaigns/${campaignId}`, { pacingPeriods }));
    clock.skip(HOUR_MS);

    expect(done(await approve(approval.approvalId))).toMatchObject({ outcome: { success: true } });

    const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    expect(mediaBuys).toMatchObject([{ packages: [{}, {}] }]);
  });

  describe('of a daily cap, which lets less through from minute to minute,', () => {
    const capped = (total = 1_000) => ({ budget: { total, dailyCap: 10 } });
    const byCap = () => drafted(capped(), null);
    const approvalOf = async (id: string) => done(await buyer.get(`/buyer/spend-approvals/${id}`));

    test('is the same question an hour later', async () => {
      const campaignId = await byCap();
      const asked = await execute(campaignId);

      clock.skip(HOUR_MS);

      expect(await execute(campaignId)).toBe(asked);
    });

    test('is allowed an hour later, for what the cap lets through by then', async () => {
      const campaignId = await byCap();
      const asked = await execute(campaignId);
      const { amount } = await approvalOf(asked);
      clock.skip(HOUR_MS);

      expect(done(await approve(asked))).toMatchObject({ status: 'approved', outcome: { success: true } });

      const { credit } = done(await buyer.get('/buyer/accounts/current'));
      const [{ committed }] = credit.filter(({ currency }: { currency: string }) => currency === 'USD');
      expect(committed).toBeGreaterThan(50);
      expect(committed).toBeLessThan(amount);
    });

    test('is another one where more is to be spent, and takes the place of the first', async () => {
      const campaignId = await byCap();
      const asked = await execute(campaignId);
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { dailyCap: 20 } }));

      const again = await execute(campaignId);

      expect(again).not.toBe(asked);
      expect(await approvalOf(asked)).toMatchObject({ status: 'withdrawn' });
    });

    test('is not allowed where more is to be spent meanwhile', async () => {
      const campaignId = await byCap();
      const asked = await execute(campaignId);
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { dailyCap: 11 } }));

      expectRefusal(await approve(asked), 409, OTHERWISE);
    });

    test('is not allowed where the budget of a product is another one by then', async () => {
      const campaignId = await drafted(capped(), 60);
      const asked = await execute(campaignId);
      const { discoveryId } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
      const { products } = done(await buyer.get(`/buyer/campaigns/${campaignId}/products`));
      const chosen = products.map(({ productId, salesAgentId }: Record<string, string>) => {
        return { productId, salesAgentId, budget: 55 };
      });
      done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));

      expectRefusal(await approve(asked), 409, OTHERWISE);
    });
  });
});
