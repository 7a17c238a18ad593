import { describe, expect, test } from 'vitest';
import { longPause, TOO_MUCH_A_DAY } from '../../support/buying/long-pause.ts';
import { CANNOT_CHANGE, OTHER_VERSION, stoppable } from '../../support/buying/stoppable-campaign.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';

describe('campaign_reactivate', () => {
  const campaign = stoppable('PAUSED', ({ buyer, campaignId }) =>
    buyer.post(`/buyer/campaigns/${campaignId}/reactivate`),
  );

  test('200: the campaign is ACTIVE once its seller was told', () =>
    campaign.done({ status: 200, to: 'ACTIVE', told: { paused: false } }));

  test('422 CAPABILITY_NOT_SUPPORTED where a seller has no way to change what it sold, and nothing is changed', () =>
    campaign.refusedBySeller(CANNOT_CHANGE, { updates: false }));

  test('422 VERSION_UNSUPPORTED where a seller speaks another major version alone', () =>
    campaign.refusedBySeller(OTHER_VERSION, { updates: true }));

  test('409 CONFLICT for a campaign that is archived', () =>
    campaign.refusedOnceArchived('The campaign is ARCHIVED: it cannot be reactivated.'));
});

describe('campaign_reactivate after a long pause', () => {
  const paused = longPause();
  const reactivate = () => paused.buyer.post(`/buyer/campaigns/${paused.campaignId}/reactivate`);
  const statusOf = async () =>
    done(await paused.buyer.get(`/buyer/campaigns/${paused.campaignId}`)).campaign.status;

  test('409 INSUFFICIENT_MEDIA_BUDGET where the days that are left would take more than the cap', async () => {
    expectRefusal(await reactivate(), 409, TOO_MUCH_A_DAY);
    expect(await statusOf()).toBe('PAUSED');
  });

  test('409 PRICING_NOT_CONFIGURED where the fee cannot be determined any more, with the media buys', async () => {
    const { server, buyer } = paused;
    done(await buyer.put(`/buyer/campaigns/${paused.campaignId}`, { budget: { dailyCap: 500 } }));
    await server.store.db
      .deleteFrom('pricing_rules')
      .where('organization_id', '=', buyer.organizationId)
      .execute();

    const refused = await reactivate();

    expectRefusal(refused, 409, {
      code: 'PRICING_NOT_CONFIGURED',
      words: 'The advertiser has no pricing rule for Agent.',
    });
    expect(refused.body.error.details).toMatchObject({ unpricedBuyIds: [paused.mediaBuyId] });
    expect(await statusOf()).toBe('PAUSED');
  });
});
