import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const OVER = 'It is over: create another with campaign_create.';
const DRAFT =
  'No seller holds an order of it: campaign_execute orders what is chosen, and campaign_delete puts it away.';

describe('a campaign that cannot be stopped or let go on where it stands', () => {
  let server: TestServer;
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    const flightDates = { startDate: '2026-12-10T00:00:00Z', endDate: '2026-12-31T00:00:00Z' };
    const fields = { advertiserId: await newAdvertiser(buyer), name: 'Winter', flightDates };
    campaignId = done(await buyer.post('/buyer/campaigns', { ...fields, budget: { total: 100 } })).campaign
      .campaignId;
  });
  afterAll(() => server.stop());

  test.each([
    { event: 'pause', status: 'DRAFT', past: 'paused', onward: DRAFT },
    {
      event: 'pause',
      status: 'PAUSED',
      past: 'paused',
      onward: /^Let it go on with campaign_reactivate, or call it off/,
    },
    { event: 'pause', status: 'COMPLETED', past: 'paused', onward: OVER },
    { event: 'reactivate', status: 'DRAFT', past: 'reactivated', onward: DRAFT },
    {
      event: 'reactivate',
      status: 'ACTIVE',
      past: 'reactivated',
      onward: /^It runs: .* media_buy_reactivate lets a single media buy go on/,
    },
    { event: 'reactivate', status: 'CANCELED', past: 'reactivated', onward: OVER },
    { event: 'cancel', status: 'DRAFT', past: 'canceled', onward: DRAFT },
    { event: 'cancel', status: 'CANCELED', past: 'canceled', onward: OVER },
  ] as const)(
    'is refused to $event while $status with what to do next',
    async ({ event, status, past, onward }) => {
      await putStatus(server, buyer, { campaignId, status });

      const reply = await buyer.post(`/buyer/campaigns/${campaignId}/${event}`);

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: `The campaign is ${status}: it cannot be ${past}.`,
      });
      expect(reply.body.error.details.suggestion).toMatch(onward);
    },
  );
});
