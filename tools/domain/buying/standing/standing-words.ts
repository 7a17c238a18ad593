import type { CampaignStatus } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isRefreshed } from '../answers/buy-status.ts';
import { doubtInWords } from '../answers/doubted-reports.ts';
import { isEndedThere } from '../answers/ended-at-seller.ts';
import { goingOnInWords } from '../answers/going-on-there.ts';
import { isAllHeld } from '../answers/held-packages.ts';
import { namedTwiceInWords } from '../answers/named-twice.ts';
import { blockersInWords, upToYou } from '../answers/pending-words.ts';
import { settledInWords } from '../answers/settled-orders.ts';
import { strangeWordInWords } from '../answers/told-words.ts';
import { unfoundInWords } from '../answers/unfound-buys.ts';
import { unknownInWords } from '../answers/unknown-orders.ts';
import { nameOf } from '../changes/awaited-words.ts';
import { boundStillInWords } from '../changes/bound-still.ts';
import { nothingLeftInWords } from '../changes/called-off.ts';
import { isEnd } from '../changes/change-standing.ts';
import { isOpen } from '../changes/change-states.ts';
import { isOpenStatus, isUndecided, isUnresolved } from '../machines.ts';
import { askSeller, referenceOf } from '../references.ts';
import { heldInWords } from '../spend/held-spend.ts';
import { WITH_ITS_CAMPAIGN } from '../ways-out.ts';
import { belowOrdered, beyondOrdered } from './beyond-ordered.ts';
import { waitsUntil } from './buy-time.ts';
import { datesOtherwise } from './dates-otherwise.ts';
import { endedPartsInWords } from './ended-parts.ts';
import { ofChange } from './explained-changes.ts';
import { figuresToCome } from './figures-to-come.ts';
import { heldPartsInWords } from './held-parts.ts';
import { listedTwice } from './listed-twice.ts';
import { runsOnIn, runsOnInWords, type Stopped } from './running-on.ts';
import { isCampaignOver, isNeverHeld, unheldInWords } from './unheld-words.ts';

/**
 * Where a media buy stands and who has to do what, as one explanation that agrees with itself: what is said of the buy
 * advises nothing that a change of it is about already, and says that nothing is to be done where nothing else is said.
 * Pure.
 */

export interface Moment {
  readonly now: string;
  /** How long after its end a buy waits for its seller. */
  readonly graceMs: number;
  /** How often a change whose answer was lost is sent again. */
  readonly takeovers: number;
  /** How it stands against the daily cap of its campaign, where it began too late for it. */
  readonly late?: string | undefined;
  /** Whether its seller is in the marketplace no more. */
  readonly hasLeft?: boolean;
  /** Where its campaign stands. */
  readonly campaign?: CampaignStatus | undefined;
  /** How the account stands that it was ordered under, where nothing is ordered under it any more. */
  readonly account?: string | undefined;
  /** What of it waits for another person. */
  readonly awaited?: string | undefined;
}

/** What is known beside where the buy itself stands. */
interface Beside extends Moment {
  /** Its end was asked for, and waits. */
  readonly ends: boolean;
  /** That it goes on was asked for, and waits. */
  readonly resumes: boolean;
  /** A later end was asked for, and waits. */
  readonly isExtended: boolean;
  /** Whether anything else is said. */
  readonly more: boolean;
  /** Whether a change that is spoken of was refused. */
  readonly isRefused: boolean;
  /** How its campaign was stopped, where it goes on all the same. */
  readonly stopped?: Stopped | undefined;
}

interface Changes {
  /** The last of the buy. */
  readonly all: readonly MediaBuyChangeRow[];
  /** Those that are spoken of. */
  readonly told: readonly MediaBuyChangeRow[];
  /** The one that sourceMessage is of. */
  readonly speaking: MediaBuyChangeRow | undefined;
  /** What is said of those that are not. */
  readonly beside: string | undefined;
}

export function explanationOf(
  buy: MediaBuyRow,
  { all, told, speaking, beside: untold }: Changes,
  moment: Moment,
): string {
  const open = all.filter(({ state }) => isOpen(state));
  const ends = open.some(isEnd);
  const nothingBeside = { resumes: false, isExtended: false, more: false, isRefused: false };
  const isOver = ofTime(buy, { ...moment, ends, ...nothingBeside }) !== undefined;
  const stopped = runsOnIn(buy, { campaign: moment.campaign, open, now: moment.now });
  const canAsk =
    isOpenStatus(buy.status) &&
    buy.submission === 'answered' &&
    ![ends, isOver, isCampaignOver(moment.campaign)].includes(true);
  const bounds = { takeovers: moment.takeovers, canAsk, stopped, speaking };
  const besides = [
    moment.awaited,
    doubtInWords(buy),
    unfoundInWords(buy),
    strangeWordInWords(buy, { canAsk }),
    listedTwice(buy),
    ...told.flatMap((change) => ofChange(buy, change, bounds)),
    untold,
    ...all.map((change) => ofBoundStill(buy, change, all)),
    isNeverHeld(buy, moment.campaign) ? undefined : moment.account,
    endedPartsInWords(buy),
    heldPartsInWords(buy, { canAsk: canAsk && !open.some(({ action }) => action === 'resume') }),
    goingOnInWords(buy, { canCancel: canAsk }),
    figuresToCome(buy, moment.graceMs),
    beyondOrdered(buy, all) ?? (canAsk ? belowOrdered(buy, all) : undefined),
    canAsk ? datesOtherwise(buy, all) : undefined,
  ].filter((one) => one !== undefined);
  const beside: Beside = {
    ...moment,
    ends,
    resumes: open.some(({ action }) => action === 'resume'),
    isExtended: open.some(({ proposed }) => (fromJson(proposed).end_time ?? '') > moment.now),
    more: besides.length > 0,
    isRefused: told.some(({ state }) => state === 'refused'),
    stopped,
  };
  return [ofTime(buy, beside) ?? ofBuy(buy, beside), ...besides].join(' ');
}

/** Of a raise that another change took the place of, while its money is bound. */
function ofBoundStill(
  buy: MediaBuyRow,
  change: MediaBuyChangeRow,
  all: readonly MediaBuyChangeRow[],
): string | undefined {
  const why = boundStillInWords(buy, change, all);
  return why && `The ${nameOf(change)} asked for at ${change.created_at} gave way to another. ${why}`;
}

/** What is said of a buy whose time is over while its seller tells of no end. */
function ofTime(buy: MediaBuyRow, beside: Beside): string | undefined {
  const { now, graceMs, ends, isExtended, more } = beside;
  if (buy.end_time > now || !isRefreshed(buy) || isUnresolved(buy)) return undefined;
  const until = waitsUntil(buy, graceMs);
  const over = `Its time was over at ${buy.end_time}`;
  if (isExtended) return `${over}: it goes on once ${buy.agent_name} has confirmed its later end.`;
  if (isUndecided(buy.status)) {
    const lapses = `${over}, and ${buy.agent_name} has not decided: it is called off here at ${until}, and its budget released.`;
    return ends ? lapses : `${lapses} You: cancel it, if that is too late.`;
  }
  return `${over}. What ${buy.agent_name} reports until ${until} still counts; then it is completed here, and what was not delivered is released.${more ? '' : ' Nothing is to be done.'}`;
}

function ofBuy(buy: MediaBuyRow, beside: Beside): string {
  const seller = buy.agent_name;
  const isLeft = isNeverHeld(buy, beside.campaign);
  if (buy.submission === 'sending') return `The order is on its way to ${seller}: look again in a minute.`;
  if (buy.submission === 'unknown') return unknownOf(buy, beside);
  if (isEndedThere(buy)) return endedThereInWords(buy, { isLeft });
  const settled = settledInWords(buy, { ...beside, isLeft });
  if (settled !== undefined) return settled;
  return isOpenStatus(buy.status)
    ? (ofAmiss(buy, beside) ?? ofLiving(buy, beside))
    : unheldInWords(buy, { campaign: beside.campaign, isAwaited: beside.awaited !== undefined });
}

function unknownOf(buy: MediaBuyRow, beside: Beside): string {
  const named = beside.hasLeft ? undefined : namedTwiceInWords(buy);
  return named ?? unknownInWords(buy.agent_name, beside);
}

function endedThereInWords(buy: MediaBuyRow, { isLeft }: { readonly isLeft: boolean }): string {
  const advice = `You: choose products of other sellers, or order from it with another campaign. ${askSeller(buy)}.`;
  return `${buy.agent_name} had taken the order, and it came to nothing there: it is not ordered again. ${isLeft ? WITH_ITS_CAMPAIGN : advice}`;
}

/** Of one that lives, and should not: its campaign was stopped, or all that it was made of was called off. */
function ofAmiss(buy: MediaBuyRow, { stopped, ends }: Beside): string | undefined {
  return stopped === undefined ? nothingLeftInWords(buy, { ends }) : runsOnInWords(buy, stopped);
}

function ofLiving(buy: MediaBuyRow, beside: Beside): string {
  if (buy.status === 'ACTIVE') return runningOf(buy, beside);
  if (beside.ends) return ofEnding(buy);
  const seller = buy.agent_name;
  if (buy.status === 'PENDING_APPROVAL') {
    const nothing = beside.more ? '.' : '; nothing is to be done here.';
    return `${seller} has to approve the order${nothing} If it takes too long: ${askSeller(buy)}. Or cancel it.`;
  }
  if (buy.status === 'INPUT_REQUIRED') {
    return `${seller} needs something from you first, see sourceMessage. You: give it to the seller, naming ${referenceOf(buy)}, or ${fromJson(buy.packages).length > 0 ? 'change or cancel' : 'cancel'} the buy.`;
  }
  const held = heldInWords(buy);
  return beside.resumes ? held : `${held} You: reactivate it when it is to go on.`;
}

/** Of one that is to end it is said where it stands until then. */
function ofEnding(buy: MediaBuyRow): string {
  const { status, agent_name } = buy;
  if (status === 'PENDING_APPROVAL') return `${agent_name} has not approved the order yet.`;
  return status === 'PAUSED'
    ? heldInWords(buy)
    : `${agent_name} needed something from you first, see sourceMessage.`;
}

function runningOf(buy: MediaBuyRow, { late, ends, more }: Beside): string {
  const { pending_reason, agent_name } = buy;
  const isAll = !ends && !more;
  if (isAllHeld(buy)) return 'It does not run.';
  if (pending_reason === null) return late ?? (isAll ? 'It runs: nothing is to be done.' : 'It runs.');
  const what =
    pending_reason === 'no_creatives_attached'
      ? `${agent_name} took the order and waits for creatives: nothing is delivered until it has them.`
      : blockersInWords[pending_reason];
  const yours = [ends ? undefined : upToYou[pending_reason], late].flatMap((one) => one ?? []);
  const nothing = isAll ? ['Nothing is to be done.'] : [];
  return [what, ...(yours.length === 0 ? nothing : yours)].join(' ');
}
