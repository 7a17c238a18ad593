import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromFlag } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import { firstFew } from '../../counted.ts';
import { isEnd, isStopNotDone } from '../changes/change-standing.ts';
import { campaignMachine, isBegun, isLive } from '../machines.ts';

type Campaign = Pick<CampaignRow, 'status' | 'archived_at' | 'sandbox'>;
type Buy = Pick<MediaBuyRow, 'id' | 'name' | 'status' | 'submission' | 'end_time'>;

interface Living {
  readonly buys: readonly Buy[];
  /** What waits of them. */
  readonly open: readonly MediaBuyChangeRow[];
  readonly now: string;
}

/** What is told of a campaign that was stopped or is over, of which media buys live all the same. Pure. */
export function warningsOfLiving(campaign: Campaign, { buys, open, now }: Living): string[] | undefined {
  const { status, archived_at, sandbox } = campaign;
  if (status === 'PAUSED') return warningsOfRunning(buys, open);
  const isOver = next(campaignMachine, status, 'change') === undefined;
  const living = isOver ? buys.filter(isLive) : [];
  if (living.length === 0) return undefined;
  const after = archived_at === null ? '' : ' It is archived by itself once none does.';
  const unknown = living.filter(({ submission }) => submission === 'unknown');
  const past = living.filter((buy) => isPast(buy, now));
  const held = living.filter((buy) => buy.submission !== 'unknown' && !past.includes(buy));
  const [ending, left] = parted(held, (buy) => isToStop(buy, open, isEnd));
  const told = tellingOf(status, after);
  const where = fromFlag(sandbox) ? HELD_IN_SANDBOX : HELD;
  return [
    ...told(left, 'still live', `${where}. ${ONWARD}`),
    ...told(ending, 'still live', `${where}: ${ENDING}`),
    ...told(past, 'are past their time', PAST),
    ...told(unknown, 'may live', UNKNOWN),
  ];
}

/** What runs of a campaign that is held: what its sellers have yet to confirm is not asked of them again. */
function warningsOfRunning(buys: readonly Buy[], open: readonly MediaBuyChangeRow[]): string[] | undefined {
  const running = buys.filter(({ status }) => status === 'ACTIVE');
  const [stopping, left] = parted(running, (buy) =>
    isToStop(buy, open, (one) => one.action === 'pause' || isEnd(one)),
  );
  if (running.length === 0) return undefined;
  const told = tellingOf('PAUSED');
  return [
    ...told(left, 'still run', '. Call campaign_pause again.'),
    ...told(stopping, 'still run', STOPPING),
  ];
}

/** What is told of some media buys of a campaign; nothing of none. */
function tellingOf(status: Campaign['status'], after = '') {
  return (which: readonly Buy[], what: string, todo: string): string[] =>
    which.length === 0 ? [] : [`The campaign is ${status}, and ${named(which, what)}${todo}${after}`];
}

const STOPPING =
  ': their sellers have yet to confirm that they stop. campaign_get_media_buy_status asks after them.';

/** Whether that was asked of it, and waits: also of what nobody answered its seller is asked by itself, or by news. */
function isToStop(
  { id }: Buy,
  open: readonly MediaBuyChangeRow[],
  stops: (change: MediaBuyChangeRow) => boolean,
): boolean {
  const awaited = open.filter((one) => !isStopNotDone(one));
  return awaited.some((one) => one.media_buy_id === id && stops(one));
}

function parted(buys: readonly Buy[], isSo: (buy: Buy) => boolean): [readonly Buy[], readonly Buy[]] {
  return [buys.filter(isSo), buys.filter((buy) => !isSo(buy))];
}

/** Whether its seller took it, and its time is over: it ends by itself. */
function isPast({ status, submission, end_time }: Buy, now: string): boolean {
  return isBegun(status) && submission === 'answered' && end_time <= now;
}

const PAST = ': what their sellers report still counts, then they end by themselves. Nothing is to be done.';
const ONWARD = 'campaign_get_media_buy_status asks after them, and campaign_cancel calls them off.';
const ENDING =
  'their sellers have yet to confirm that they are called off. campaign_get_media_buy_status asks after them.';
const HELD = ' at their sellers, with their budgets bound';
/** Nothing is bound of it. */
const HELD_IN_SANDBOX = ' at their sellers';
const UNKNOWN =
  ': nobody knows whether their sellers took the orders. campaign_execute asks for the same orders once more, and what comes of them is called off at once.';

/** So many are named; of the others it is said how many there are. */
const NAMED_MAX = 5;

function named(buys: readonly Buy[], what: string): string {
  const names = buys.map(({ name }) => name);
  return `of its media buys ${buys.length} ${what} (${firstFew(names, { most: NAMED_MAX })})`;
}
