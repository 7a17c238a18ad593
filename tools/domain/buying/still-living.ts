import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { next } from '../../core/machines.ts';
import { firstFew } from '../counted.ts';
import { campaignMachine, isLive } from './machines.ts';

type Campaign = Pick<CampaignRow, 'status' | 'archived_at' | 'sandbox'>;
type Buy = Pick<MediaBuyRow, 'name' | 'status' | 'submission' | 'end_time'>;

/** What is told of a campaign that was stopped or is over, of which media buys live all the same. Pure. */
export function warningsOfLiving(
  campaign: Campaign,
  buys: readonly Buy[],
  now: string,
): string[] | undefined {
  const { status, archived_at, sandbox } = campaign;
  if (status === 'PAUSED') {
    const running = buys.filter((buy) => buy.status === 'ACTIVE');
    if (running.length === 0) return undefined;
    return [`The campaign is PAUSED, and ${named(running, 'still run')}. Call campaign_pause again.`];
  }
  const isOver = next(campaignMachine, status, 'change') === undefined;
  const living = isOver ? buys.filter(isLive) : [];
  if (living.length === 0) return undefined;
  const after = archived_at === null ? '' : ' It is archived by itself once none does.';
  const unknown = living.filter(({ submission }) => submission === 'unknown');
  const past = living.filter((buy) => isPast(buy, now));
  const held = living.filter((buy) => buy.submission !== 'unknown' && !past.includes(buy));
  const told = (which: readonly Buy[], what: string, todo: string) =>
    which.length === 0 ? [] : [`The campaign is ${status}, and ${named(which, what)}${todo}${after}`];
  return [
    ...told(held, 'still live', fromFlag(sandbox) ? HELD_IN_SANDBOX : HELD),
    ...told(past, 'are past their time', PAST),
    ...told(unknown, 'may live', UNKNOWN),
  ];
}

/** Whether its seller took it, and its time is over: it ends by itself. */
function isPast({ status, submission, end_time }: Buy, now: string): boolean {
  return (status === 'ACTIVE' || status === 'PAUSED') && submission === 'answered' && end_time <= now;
}

const PAST = ': what their sellers report still counts, then they end by themselves. Nothing is to be done.';
const ONWARD = 'campaign_get_media_buy_status asks after them, and campaign_cancel calls them off.';
const HELD = ` at their sellers, with their budgets bound. ${ONWARD}`;
/** Nothing is bound of it. */
const HELD_IN_SANDBOX = ` at their sellers. ${ONWARD}`;
const UNKNOWN =
  ': nobody knows whether their sellers took the orders. campaign_execute asks for the same orders once more, and what comes of them is called off at once.';

/** So many are named; of the others it is said how many there are. */
const NAMED_MAX = 5;

function named(buys: readonly Buy[], what: string): string {
  const names = buys.map(({ name }) => name);
  return `of its media buys ${buys.length} ${what} (${firstFew(names, { most: NAMED_MAX })})`;
}
