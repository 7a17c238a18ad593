import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitingSpend } from '../../support/buying/spend-limits.ts';
import { newPerson } from '../../support/callers/people.ts';
import { newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('spend_approval_get', () => {
  let server: TestServer;
  let storefrontIds: string[];
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
  });
  afterAll(() => server.stop());

  test('200: says what is asked, by whom, of which campaign, and until when it waits', async () => {
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const { approvalId, campaignId } = await waitingSpend(server, buyer, { advertiserId, storefrontIds });

    const { status, body } = await buyer.get(`/buyer/spend-approvals/${approvalId}`);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      approvalId,
      status: 'pending',
      advertiserId,
      campaignId,
      campaignName: 'Winter',
      held: 0,
      sellerNames: [expect.any(String)],
      productNames: [expect.any(String)],
      productCount: 1,
      flightDates: { startDate: '2026-12-10T00:00:00.000Z', endDate: '2026-12-31T00:00:00.000Z' },
      operation: 'campaign_execute',
      input: { campaignId, rebuy: false },
      limit: 50,
      currency: 'USD',
      askedBy: 'Test',
    });
    const { createdAt, expiresAt } = body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 3_600_000);
    for (const field of ['decidedBy', 'decidedAt', 'decisionReason'])
      expect(body.data).not.toHaveProperty(field);
  });
});
