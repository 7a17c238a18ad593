import type { CampaignStatus } from '../../../../store/campaigns.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isEnd, isStopNotDone } from '../changes/change-standing.ts';
import { isOpenStatus, isUnresolved } from '../machines.ts';

/**
 * Media buys that go on at their sellers though their campaigns were stopped, or though they were over. The portfolio
 * counts the same. Pure.
 */

export type Stopped = 'canceled' | 'paused' | 'over' | 'again';

interface Around {
  readonly campaign: CampaignStatus | undefined;
  /** What waits of the buy: of a stop that waits the seller is asked by itself, unless it took it and did nothing. */
  readonly open: readonly MediaBuyChangeRow[];
  readonly now: string;
}

/** How a buy that goes on all the same was stopped, or its campaign; undefined elsewhere. */
export function runsOnIn(buy: MediaBuyRow, { campaign, open, now }: Around): Stopped | undefined {
  const isLiving = isOpenStatus(buy.status) && !isUnresolved(buy) && buy.end_time > now;
  const awaited = open.filter((one) => !isStopNotDone(one));
  if (!isLiving || campaign === undefined || awaited.some(isEnd)) return undefined;
  if (campaign === 'PAUSED') {
    const isHeld = buy.status !== 'ACTIVE' || awaited.some(({ action }) => action === 'pause');
    return isHeld ? undefined : 'paused';
  }
  return buy.goes_on_since === null ? CALLED_OFF[campaign] : GOING_ON[campaign];
}

/** Of buys that live, by where their campaigns stand. */
const CALLED_OFF: Partial<Record<CampaignStatus, Stopped>> = { CANCELED: 'canceled', ARCHIVED: 'canceled' };
/** The same of those that go on after their end. */
const GOING_ON: Partial<Record<CampaignStatus, Stopped>> = {
  ...CALLED_OFF,
  COMPLETED: 'over',
  ACTIVE: 'again',
};

const ONWARD: Readonly<Record<Exclude<Stopped, 'paused'>, string>> = {
  canceled: 'and its campaign was called off. You: call campaign_cancel again.',
  over: 'and its campaign is over. You: call campaign_cancel, if it is not to go on.',
  again:
    'and was over before. You: call it off with action cancel of mediaBuys in campaign_update, if it is not to go on.',
};

export function runsOnInWords({ status, agent_name }: MediaBuyRow, stopped: Stopped): string {
  if (stopped === 'paused')
    return 'It runs on, and its campaign is paused. You: call campaign_pause again, or campaign_reactivate if the campaign is to go on.';
  const lives = LIVES[status] ?? `${agent_name} has yet to decide on it`;
  return `${lives}, ${ONWARD[stopped]}`;
}

const LIVES: Partial<Record<MediaBuyRow['status'], string>> = {
  ACTIVE: 'It runs on',
  PAUSED: 'It is held, and not called off at its seller',
};
