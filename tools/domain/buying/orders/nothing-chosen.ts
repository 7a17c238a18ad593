import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { contradicts } from '../../../core/errors/refusals.ts';

/** That nothing is chosen for a campaign, and what to do. Pure. */

type Choosing = Pick<CampaignRow, 'discovery_id'>;

const NOTHING = 'No product is chosen for this campaign.';

/** As an execute is refused for it. */
export function nothingChosen(campaign: Choosing): AppError {
  return contradicts('discoveryId', NOTHING, { suggestion: `${howTo(campaign)}, and repeat the call.` });
}

/** As it is said of the draft before. */
export function nothingChosenInWords(campaign: Choosing): string {
  return `${NOTHING} ${howTo(campaign)}, and call campaign_execute.`;
}

function howTo({ discovery_id }: Choosing): string {
  return discovery_id === null
    ? 'Choose products with discovery_add_products, give the campaign their discoveryId with campaign_update'
    : `Choose products of ${discovery_id} with discovery_add_products`;
}
