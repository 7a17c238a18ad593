import { type CampaignRow, findCampaign } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { readMoney } from '../../money.ts';
import { takingOf } from './budget-keeping.ts';
import { beyondCapLate } from './daily-spend.ts';
import type { Taking } from './taking.ts';

/** What comes later than it was reckoned with, held against the daily cap of its campaign once more. */

/** How media buys come to take no more a day. */
export const TAKE_LESS =
  'You: give them less budget or more days, or raise budget.dailyCap with campaign_update.';

type Capped = CampaignRow & { readonly daily_cap_minor: number };

/** The campaign of a media buy, or of a change of one, where it has a daily cap. */
export async function cappedCampaign(
  db: Db,
  of: Pick<MediaBuyRow, 'organization_id' | 'customer_id' | 'campaign_id'>,
  find = findCampaign,
): Promise<Capped | undefined> {
  const campaign = await find(db, scopeOfRow(of), of.campaign_id);
  return campaign !== undefined && isCapped(campaign) ? campaign : undefined;
}

function isCapped(campaign: CampaignRow): campaign is Capped {
  return campaign.daily_cap_minor !== null;
}

/** What media buys take a day by now, in words, where that is beyond the cap and more than before. Pure. */
export function beyondCapInWords(
  campaign: Capped,
  { before, after }: Readonly<Record<'before' | 'after', Omit<Taking, 'campaign'>>>,
  now: string,
): string | undefined {
  const most = beyondCapLate({ campaign, ...before }, { campaign, ...after }, now);
  if (most === undefined) return undefined;
  const [perDay, allowed] = [Math.ceil(most), campaign.daily_cap_minor].map((minor) =>
    readMoney(minor, campaign.currency),
  );
  return `the media buys take ${perDay} a day with it by now, and budget.dailyCap is ${allowed}.`;
}

/** The same of one buy, beside the others and with all that is asked of sellers. */
export async function beyondCapWith(db: Db, buy: MediaBuyRow, now: string): Promise<string | undefined> {
  const campaign = await cappedCampaign(db, buy);
  if (campaign === undefined) return undefined;
  const { buys, open } = await takingOf(db, campaign);
  const before = { open, buys: buys.filter(({ id }) => id !== buy.id) };
  return beyondCapInWords(campaign, { before, after: { open, buys } }, now);
}
