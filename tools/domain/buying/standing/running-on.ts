import type { CampaignStatus } from '../../../../store/campaigns.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isEnd, isStopNotDone } from '../changes/change-standing.ts';
import { isOpenStatus, isUnresolved } from '../machines.ts';

/** Media buys that go on at their sellers though their campaigns were stopped. The portfolio counts the same. Pure. */

export type Stopped = 'canceled' | 'paused' | 'over';

interface Around {
  readonly campaign: CampaignStatus | undefined;
  /** What waits of the buy: of a stop that waits the seller is asked by itself, unless it took it and did nothing. */
  readonly open: readonly MediaBuyChangeRow[];
  readonly now: string;
}

/** How the campaign of a buy that goes on all the same was stopped; undefined elsewhere. */
export function runsOnIn(buy: MediaBuyRow, { campaign, open, now }: Around): Stopped | undefined {
  const isLiving = isOpenStatus(buy.status) && !isUnresolved(buy) && buy.end_time > now;
  const awaited = open.filter((one) => !isStopNotDone(one));
  if (!isLiving || awaited.some(isEnd)) return undefined;
  if (campaign === 'CANCELED' || campaign === 'ARCHIVED') return 'canceled';
  if (campaign === 'COMPLETED' && buy.goes_on_since !== null) return 'over';
  const isHeld = buy.status !== 'ACTIVE' || awaited.some(({ action }) => action === 'pause');
  return campaign === 'PAUSED' && !isHeld ? 'paused' : undefined;
}

export function runsOnInWords({ status, agent_name }: MediaBuyRow, stopped: Stopped): string {
  if (stopped === 'paused')
    return 'It runs on, and its campaign is paused. You: call campaign_pause again, or campaign_reactivate if the campaign is to go on.';
  const lives = LIVES[status] ?? `${agent_name} has yet to decide on it`;
  return stopped === 'over'
    ? `${lives}, and its campaign is over. You: call campaign_cancel, if it is not to go on.`
    : `${lives}, and its campaign was called off. You: call campaign_cancel again.`;
}

const LIVES: Partial<Record<MediaBuyRow['status'], string>> = {
  ACTIVE: 'It runs on',
  PAUSED: 'It is held, and not called off at its seller',
};
