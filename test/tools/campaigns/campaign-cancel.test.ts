import { describe, test } from 'vitest';
import { CANNOT_CHANGE, OTHER_VERSION, stoppable } from '../../support/buying/stoppable-campaign.ts';

describe('campaign_cancel', () => {
  const campaign = stoppable('ACTIVE', ({ buyer, campaignId }) =>
    buyer.post(`/buyer/campaigns/${campaignId}/cancel`),
  );

  test('200: the campaign is CANCELED once its seller was told', () =>
    campaign.done({ status: 200, to: 'CANCELED', told: { canceled: true } }));

  test('422 CAPABILITY_NOT_SUPPORTED where a seller has no way to change what it sold, and nothing is changed', () =>
    campaign.refusedBySeller(CANNOT_CHANGE, { updates: false }));

  test('422 VERSION_UNSUPPORTED where a seller speaks another major version alone', () =>
    campaign.refusedBySeller(OTHER_VERSION, { updates: true }));

  test('409 CONFLICT for a campaign that is archived', () =>
    campaign.refusedOnceArchived('The campaign is ARCHIVED: it cannot be canceled.'));
});
