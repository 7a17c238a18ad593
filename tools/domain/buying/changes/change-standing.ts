import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { staleVersion } from '../../../core/errors/change-refusals.ts';
import { conflict } from '../../../core/errors/refusals.ts';
import { next } from '../../../core/machines.ts';
import { isEndedThere } from '../answers/ended-at-seller.ts';
import { ASK_AGAIN } from '../answers/unknown-orders.ts';
import { askMachine, campaignMachine, hasEnded, isStop } from '../machines.ts';
import { updateIn } from '../payloads.ts';
import { mediaBuyKind } from '../reach.ts';
import { versionHash } from '../versions.ts';
import { askedInWords, awaitedInWords } from './awaited-words.ts';
import { isShownOtherwise } from './change-outcome.ts';
import { letsPartsGoOn } from './going-on.ts';
import { IMPOSSIBLE, INSTEAD, OVER_THERE } from './impossible-words.ts';
import { asksForAnOrder } from './products-of-held.ts';
import { ofHeld } from './unknown-package.ts';
import type { Terms, WantedChange } from './wanted-change.ts';

/** Whether a buy can be changed where it stands, and what of what was asked before gives way. */

/** A wanted change with the buy it is about, and what was asked of that before. */
export interface Found {
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
  readonly open: readonly MediaBuyChangeRow[];
}

export type Planned = Found & { readonly terms: Terms };

/** Whether the buy can be changed so, as it stands and as it is to stand. */
export function stateProblem(
  ctx: { readonly services: { readonly ports: Pick<Context['services']['ports'], 'digest'> } },
  campaign: Pick<CampaignRow, 'status'>,
  { buy, wanted, terms, open }: Planned,
): AppError[] {
  const facts = { field: wanted.called('mediaBuyId') };
  if (!isStop(wanted.action) && next(campaignMachine, campaign.status, 'change') === undefined) {
    return [overProblem(campaign, { buy, wanted }, facts)];
  }
  const { digest } = ctx.services.ports;
  if (wanted.versionHash !== undefined && wanted.versionHash !== versionHash(buy, digest)) {
    return [staleVersion(mediaBuyKind, versionHash(buy, digest), wanted.called('version_hash'))];
  }
  const onItsWay = submissionProblem({ buy, wanted, open }, facts);
  if (onItsWay !== undefined) return [onItsWay];
  const waiting = inTheWay(wanted, open);
  if (!isPossible({ buy, wanted, open: waiting }) || isTooLate(buy, wanted)) {
    return [impossible({ buy, wanted, open: waiting }, facts)];
  }
  if (asksForAnOrder({ buy, wanted })) {
    return [conflict(`${buy.name} is ${buy.status}: its seller holds the order.`, ofHeld(buy), facts)];
  }
  return askedBefore({ buy, wanted, terms, open }, facts);
}

function isPossible({ buy, wanted, open }: Found): boolean {
  const headed = headedFor(buy, open);
  return next(askMachine, headed, wanted.action) !== undefined || letsPartsGoOn(buy, wanted, headed);
}

/**
 * What waits is told as what it is: no read shows the buy where that leads. An end that waits stands in the way of
 * everything, other changes where the buy could be asked so without them.
 */
function impossible({ buy, wanted, open }: Found, facts: { readonly field: string }): AppError {
  const couldBe = isPossible({ buy, wanted, open: [] });
  const awaited = open.find(isEnd) ?? (couldBe ? open.find((one) => !isOfTerms(one)) : undefined);
  if (awaited !== undefined && !isTooLate(buy, wanted)) {
    return conflict(`${buy.name}: ${awaitedInWords(awaited)}.`, onward(buy, awaited), facts);
  }
  const instead = isEndedThere(buy) ? OVER_THERE : INSTEAD[buy.status];
  return conflict(`${buy.name} is ${buy.status}: ${IMPOSSIBLE[wanted.action]}.`, instead, facts);
}

/** Of the same kind that was asked before, and gives no way, its seller has to say what came of it first. */
function askedBefore({ buy, wanted, terms, open }: Planned, facts: { readonly field: string }): AppError[] {
  if (isOfName(wanted, terms)) return [];
  // To call off the whole is more than to call off some of its packages.
  const isMore = (one: Open) => endsBuy(wanted) && isOfPackages(one);
  const before = open.find((one) => one.action === wanted.action && !givesWay(one, wanted) && !isMore(one));
  if (before === undefined) return [];
  const isAddedToUnknown = wanted.added !== undefined && before.state === 'unknown';
  return [
    conflict(
      `${buy.name}: ${askedInWords(before, terms.asked)}.`,
      isAddedToUnknown ? ONCE_MORE : onward(buy, before),
      facts,
    ),
  ];
}

/** What it is called here is no matter of its seller. */
function isOfName({ packages, startTime, endTime }: WantedChange, { asked, proposed }: Terms): boolean {
  const isNamed = Object.keys(proposed).every((column) => column === 'name') && proposed.name !== undefined;
  return isNamed && Object.keys(asked).length === 0 && (packages ?? startTime ?? endTime) === undefined;
}

const ONCE_MORE =
  'Nobody knows whether its seller took it: ask for it once more with media_buy_update, or for what was before, and add periods once that is confirmed.';

/** What to do while what was asked before waits. */
function onward({ submission }: MediaBuyRow, awaited: MediaBuyChangeRow): string {
  if (submission === 'unknown') return ASK_AGAIN;
  if (isEnd(awaited) && isShownOtherwise(awaited)) return END_AGAIN;
  return isEnd(awaited)
    ? 'Follow it with campaign_get_media_buy_status: until its seller has answered, nothing else can be asked of it.'
    : 'Follow it with campaign_get_media_buy_status, or cancel the media buy.';
}

const END_AGAIN =
  'Ask for its end again with campaign_cancel, or with mediaBuys and action cancel of campaign_update; media_buy_pause holds it until then.';

/** What its seller took and ended is not made anew. */
function isTooLate(buy: MediaBuyRow, { action }: WantedChange): boolean {
  return action === 'update' && isEndedThere(buy);
}

/** Until it is known what a seller was told last, it is told nothing else. */
function submissionProblem(
  { buy, wanted, open }: Found,
  facts: { readonly field: string },
): AppError | undefined {
  if (buy.submission === 'sending' || open.some(({ state }) => state === 'sending')) {
    return conflict(
      `${buy.name}: a change of it is on its way to the seller.`,
      'Call again in a few seconds.',
      facts,
    );
  }
  // An end waits for what comes of the order.
  if (buy.submission !== 'unknown' || endsBuy(wanted)) return undefined;
  return conflict(`${buy.name}: nobody knows whether its seller took the order.`, ASK_AGAIN, facts);
}

/** In a campaign that is over: of a buy that has come to its end too, nothing is left to be called off. */
function overProblem(
  campaign: Pick<CampaignRow, 'status'>,
  { buy, wanted }: Pick<Found, 'buy' | 'wanted'>,
  facts: { readonly field: string },
): AppError {
  return hasEnded(buy.status)
    ? conflict(`${buy.name} is ${buy.status}: ${IMPOSSIBLE[wanted.action]}.`, INSTEAD[buy.status], facts)
    : conflict(`The campaign is ${campaign.status}: ${OVER}`, CALL_OFF, facts);
}

const OVER = 'what lives of it can be paused or called off, and nothing else.';
const CALL_OFF = 'Call it off with campaign_cancel, or with mediaBuys and action cancel of campaign_update.';

type Open = Pick<MediaBuyChangeRow, 'action' | 'proposed'>;

/** Where it will stand once what was asked of it comes true: an end that waits ends what waits beside it. */
export function headedFor(
  buy: Pick<MediaBuyRow, 'status' | 'submission'>,
  open: readonly Open[],
): MediaBuyRow['status'] {
  // The seller may hold an order of which nobody knows.
  const status = buy.submission === 'unknown' ? 'PENDING_APPROVAL' : buy.status;
  const ends = open.filter(isEnd);
  return (ends.length > 0 ? ends : open).reduce(
    (before, one) => (isOfTerms(one) ? before : (next(askMachine, status, one.action) ?? before)),
    status,
  );
}

/** Whether a change that is wanted is to end the buy: of a part that is called off the others go on. */
export function endsBuy({ action, packageIds }: Pick<WantedChange, 'action' | 'packageIds'>): boolean {
  return action === 'archive' || (action === 'cancel' && packageIds === undefined);
}

/** Whether some of its packages are called off, and the others go on. */
function isOfPackages({ action, proposed }: Open): boolean {
  return action === 'cancel' && fromJson(proposed).packages !== undefined;
}

/** Whether a change makes another order of the buy, which then goes on. */
export function isOfTerms(change: Open): boolean {
  return change.action === 'update' || isOfPackages(change);
}

/** Whether a change ends the buy, once it comes true. */
export function isEnd(change: Open): boolean {
  return change.action === 'archive' || (change.action === 'cancel' && !isOfPackages(change));
}

/** What is wanted, as far as it decides on what gives way to it. */
type Wish = Pick<WantedChange, 'action' | 'packageIds' | 'added'>;

/** The end of a buy ends what was asked of it; the opposite of what waits takes its place. */
export function insteadOf(wanted: Wish, open: readonly MediaBuyChangeRow[]): MediaBuyChangeRow[] {
  const { action } = wanted;
  if (endsBuy(wanted)) return [...open];
  const opposite = action === 'pause' ? 'resume' : action === 'resume' ? 'pause' : undefined;
  return open.filter((one) => one.action === opposite || (one.action === action && givesWay(one, wanted)));
}

/**
 * What waits and stands in the way of what is wanted. A stop that its seller took and did not do stands in the way of
 * no other: a media buy whose end is not shown can be held, and the end stays asked for.
 */
export function inTheWay<C extends MediaBuyChangeRow>(wanted: Wish, open: readonly C[]): C[] {
  const isWhole = wanted.action === 'pause' || endsBuy(wanted);
  return open.filter((one) => {
    if (one.action === wanted.action && givesWay(one, wanted)) return false;
    return !(isWhole && isStopNotDone(one));
  });
}

/** Whether it was to stop the buy or parts of it, and its seller took it and shows them otherwise. */
export function isStopNotDone(change: MediaBuyChangeRow): boolean {
  return isStop(change.action) && isShownOtherwise(change);
}

/**
 * Whether a later change of the same kind takes its place: one that nobody knows of, that its seller took and shows
 * otherwise, or that waits and no money hangs on. A seller that never shows a pacing would keep its buy as it is else,
 * and one that never did what it took would never be asked for it again.
 */
function givesWay(change: MediaBuyChangeRow, wanted: Wish): boolean {
  const { action, state, adcp_task_id } = change;
  // Whose end was asked for is not left with a part.
  if (isEnd(change) && !endsBuy(wanted)) return false;
  const { packages = [], newPackages = [] } = updateIn(change);
  // What was added cannot be said once more: it would be there twice.
  if (newPackages.length > 0) return false;
  // Further packages beside what nobody knows of could not be told apart from it.
  if (state === 'unknown') return wanted.added === undefined;
  if (state !== 'waiting' || adcp_task_id !== null) return false;
  if (isShownOtherwise(change)) return true;
  const isOfMoney = packages.some(({ budget, canceled }) => (budget ?? canceled) !== undefined);
  return action === 'update' && !isOfMoney;
}
