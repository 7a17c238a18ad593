import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isNamed } from '../answers/ended-at-seller.ts';
import { isAllHeld } from '../answers/held-packages.ts';
import { eventTold } from '../answers/told-words.ts';
import { hasNothingLeft } from '../changes/called-off.ts';
import { isCampaignOver } from './unheld-words.ts';

export const operationalStatuses = [
  'not_submitted',
  'pending_creatives',
  'pending_start',
  'active',
  'paused',
  'completed',
  'attention_required',
] as const;

export type OperationalStatus = (typeof operationalStatuses)[number];

interface Beside {
  readonly isUrgent?: boolean;
  readonly ends?: boolean;
  /** Whether no seller holds it, and its campaign is over: nothing becomes of it any more. */
  readonly isLeft?: boolean;
}

/**
 * Our status and the seller's in one word (contract: operational_status). Whatever both are, somebody may have to act:
 * where it goes on though its campaign was stopped, and where its seller needs something for a change of it. One of
 * which nothing is left to run has to be ended; once that was asked for (`ends`) it is as good as over. Of one that its
 * seller holds in all its parts nothing runs either.
 */
export function operationalStatus(
  buy: Pick<MediaBuyRow, 'status' | 'adcp_media_buy_id' | 'packages'> & Begun,
  { isUrgent = false, ends = false, isLeft = false }: Beside = {},
): OperationalStatus {
  if (isUrgent) return 'attention_required';
  if (isLeft) return 'completed';
  if (hasNothingLeft(buy)) return ends ? 'completed' : 'attention_required';
  switch (buy.status) {
    case 'FAILED':
    case 'REJECTED':
    case 'INPUT_REQUIRED':
      return 'attention_required';
    case 'DRAFT':
      return 'not_submitted';
    case 'ARCHIVED':
      return putAway(buy);
    case 'PENDING_APPROVAL':
      return 'pending_start';
    case 'PAUSED':
      return 'paused';
    case 'COMPLETED':
    case 'CANCELED':
      return 'completed';
    case 'ACTIVE':
      return isAllHeld(buy) ? 'attention_required' : (startsWith(buy) ?? 'active');
  }
}

/** Only what no seller ever had was not submitted. */
function putAway(buy: Pick<MediaBuyRow, 'adcp_media_buy_id'>): OperationalStatus {
  return isNamed(buy) ? 'completed' : 'not_submitted';
}

/** What one that its seller took waits for: also where its seller says a word since that nobody knows. */
function startsWith({ adcp_status, pending_reason }: Begun): OperationalStatus | undefined {
  if (adcp_status === 'pending_creatives' || adcp_status === 'pending_start') return adcp_status;
  if (adcp_status === null || eventTold(adcp_status) !== undefined) return undefined;
  if (pending_reason === 'no_creatives_attached') return 'pending_creatives';
  return pending_reason === 'scheduled_not_started' ? 'pending_start' : undefined;
}

type Begun = Pick<MediaBuyRow, 'adcp_status' | 'pending_reason'>;

/** The most pressing state first: what one of the buys needs, the campaign needs. */
const pressing: readonly OperationalStatus[] = [
  'attention_required',
  'pending_creatives',
  'not_submitted',
  'pending_start',
  // What spends is told before what is held.
  'active',
  'paused',
  'completed',
];

/** The same for a whole campaign, which is a draft where its buys are not submitted. */
export const campaignOperationalStatuses = [
  'no_media_buys',
  'draft',
  'pending_creatives',
  'pending_start',
  'active',
  'paused',
  'completed',
  'attention_required',
] as const;

export function campaignOperationalStatus(
  campaign: Pick<CampaignRow, 'status'>,
  ofBuys: readonly OperationalStatus[],
): (typeof campaignOperationalStatuses)[number] {
  const states = new Set(ofBuys);
  // A draft again, because nobody took its orders: what they were refused for has to be seen to.
  if (campaign.status === 'DRAFT') return states.has('attention_required') ? 'attention_required' : 'draft';
  const most = pressing.find((state) => states.has(state)) ?? 'no_media_buys';
  if (most !== 'not_submitted') return most;
  // What was put away stays so, and a campaign that is over is no draft.
  return isCampaignOver(campaign.status) ? 'completed' : 'draft';
}
