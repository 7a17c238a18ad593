import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitSpend } from '../../support/buying/spend-limits.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('a spend that waits for another person', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontIds: string[];
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    storefrontIds = [(await openStorefront(await newPerson(server))).storefrontId];
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const campaignOf = async (id: string, asked = '') =>
    done(await buyer.get(`/buyer/campaigns/${id}${asked}`)).campaign;
  const listedOf = async (id: string, asked = '') =>
    done(await buyer.get(`/buyer/campaigns?advertiserId=${advertiserId}${asked}`)).campaigns.find(
      (row: { campaignId: string }) => row.campaignId === id,
    );
  const statusOf = async (id: string) => done(await buyer.get(`/buyer/campaigns/${id}/media-buy-status`));
  const decide = async (approvalId: string, how: 'approve' | 'reject') =>
    done(
      await clientFor(server.url, await buyer.browser()).post(
        `/buyer/spend-approvals/${approvalId}/${how}`,
        {},
      ),
    );
  const told = ({ approvalId, expiresAt }: { approvalId: string; expiresAt: string }) =>
    expect.stringMatching(
      new RegExp(
        `^campaign_execute, asked for by Test at .+, waits for another person: the campaign would hold 100\\.00 USD, and above 50\\.00 USD an administrator who did not ask has to allow it\\. That is ${approvalId} at /settings/approvals, until ${expiresAt}\\. Follow it with spend_approval_get, and do not call again meanwhile\\.$`,
      ),
    );

  test('is a warning of its draft and a blocker of it, until it is decided', async () => {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds, budget: 100 });
    expect(await campaignOf(campaignId)).not.toHaveProperty('warnings');
    await limitSpend(server, buyer, 50);
    expect(await listedOf(campaignId)).not.toHaveProperty('waitingApprovals');
    const { approval } = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    await limitSpend(server, buyer);

    expect(await listedOf(campaignId)).toMatchObject({ productCount: 1, waitingApprovals: [approval] });
    expect(await listedOf(campaignId, '&fields=waitingApprovals')).toEqual({
      campaignId,
      waitingApprovals: [approval],
    });
    for (const asked of ['', '?detail=compact', '?fields=warnings'])
      expect((await campaignOf(campaignId, asked)).warnings).toEqual([told(approval)]);
    expect(await statusOf(campaignId)).toMatchObject({
      operational_status: 'draft',
      blockers: [{ code: 'awaiting_spend_approval', message: told(approval) }],
    });
    await decide(approval.approvalId, 'reject');

    expect(await listedOf(campaignId)).not.toHaveProperty('waitingApprovals');
    expect(await campaignOf(campaignId)).not.toHaveProperty('warnings');
    expect((await statusOf(campaignId)).blockers).toEqual([]);
  });

  test('is told of the media buy whose raise it is, which says no more that nothing is to be done', async () => {
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const [{ mediaBuyId, packages }] = (await campaignOf(campaignId)).mediaBuys;
    const explained = async () =>
      done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy.explanation;
    expect(await explained()).toBe('The flight has not begun. Nothing is to be done.');
    await limitSpend(server, buyer, 99);
    const raise = { packages: [{ package_id: packages[0].packageId, budget: 100.5 }] };
    const { approval } = done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, raise));
    await limitSpend(server, buyer);

    expect(await explained()).toMatch(
      /^The flight has not begun\. media_buy_update, asked for by Test at .+, waits for another person: /,
    );
    expect(await listedOf(campaignId)).toMatchObject({ waitingApprovals: [approval] });
    const [message] = (await campaignOf(campaignId)).warnings;
    expect(message).toContain(approval.approvalId);
    expect(await statusOf(campaignId)).toMatchObject({
      blockers: [{ code: 'awaiting_spend_approval', message }, { code: 'scheduled_not_started' }],
      media_buys: [
        {
          operational_status: 'pending_start',
          blockers: ['awaiting_spend_approval', 'scheduled_not_started'],
        },
      ],
    });
    await decide(approval.approvalId, 'reject');

    expect(await explained()).toBe('The flight has not begun. Nothing is to be done.');
  });
});
