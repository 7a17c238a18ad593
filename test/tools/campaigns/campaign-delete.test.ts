import { describe, test } from 'vitest';
import { CANNOT_CHANGE, OTHER_VERSION, stoppable } from '../../support/buying/stoppable-campaign.ts';

describe('campaign_delete', () => {
  const campaign = stoppable('ACTIVE', ({ buyer, campaignId }) =>
    buyer.delete(`/buyer/campaigns/${campaignId}`),
  );

  test('204: the campaign is ARCHIVED once its seller was told', () =>
    campaign.done({ status: 204, to: 'ARCHIVED', told: { canceled: true } }));

  test('422 CAPABILITY_NOT_SUPPORTED where a seller has no way to change what it sold, and nothing is changed', () =>
    campaign.refusedBySeller(CANNOT_CHANGE, { updates: false }));

  test('422 VERSION_UNSUPPORTED where a seller speaks another major version alone', () =>
    campaign.refusedBySeller(OTHER_VERSION, { updates: true }));

  test('409 CONFLICT for a campaign that is archived', () =>
    campaign.refusedOnceArchived('The campaign is ARCHIVED: it cannot be deleted.'));
});
