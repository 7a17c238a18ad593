import { findCampaign } from '../../../store/campaigns.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeScope } from '../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { takingOf } from './budget-keeping.ts';
import { beyondCapLate, perDayInWords } from './daily-spend.ts';

/**
 * What the media buys of a campaign take a day by now, in words, where that is beyond its daily cap because of this
 * one, with all that is asked of sellers; undefined elsewhere.
 */
export async function beyondCapWith(db: Db, buy: MediaBuyRow, now: string): Promise<string | undefined> {
  const { organization_id: organizationId, customer_id: customerId, campaign_id: campaignId } = buy;
  const campaign = await findCampaign(db, makeScope({ organizationId, customerId }), campaignId);
  if (campaign === undefined || campaign.daily_cap_minor === null) return undefined;
  const { buys, open } = await takingOf(db, campaign);
  const before = { campaign, open, buys: buys.filter(({ id }) => id !== buy.id) };
  const most = beyondCapLate(before, { campaign, open, buys }, now);
  return most === undefined ? undefined : perDayInWords(most, campaign);
}
