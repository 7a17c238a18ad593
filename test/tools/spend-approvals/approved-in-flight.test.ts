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
  const drafted = async (campaign: object) => {
    const flightDates = { startDate: at(-1), endDate: at(9) };
    const fields = { advertiserId, storefrontIds, campaign: { flightDates, ...campaign } };
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

    expectRefusal(await approve(asked), 409, {
      code: 'CONFLICT',
      words: 'What it would spend, or buy, is not what was asked for any more: nothing was done.',
    });

    expect(await standing(campaignId)).toBe('DRAFT');
  });
});
