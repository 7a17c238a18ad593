import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../../store/media-buys.ts';
import { toMajor } from '../../money.ts';
import { sellersWords } from '../answers/told-words.ts';
import { headedFor, isOfTerms } from '../changes/change-standing.ts';
import { asksBuyer, isOpen } from '../changes/change-states.ts';
import { isConfirmedLate } from '../changes/late-changes.ts';
import { proposedNow } from '../changes/proposed-now.ts';
import { isUndecided, isUnresolved } from '../machines.ts';
import { referenceOf } from '../references.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { moreRefusedInWords, REFUSED_TOLD, refusedStill } from './refused-changes.ts';
import { explanationOf, type Moment } from './standing-words.ts';

/** Where a media buy stands, what it waits for, and in words who has to do what. Pure. */

export const pendingPlaces = ['storefront', 'salesagent', 'unknown'] as const;

export interface PendingChange {
  readonly status: MediaBuyStatus;
  readonly pendingAt: (typeof pendingPlaces)[number];
  readonly reason?: string;
  readonly differences: {
    readonly endTime?: { readonly live: string; readonly proposed: string };
    readonly budget?: { readonly live: number; readonly proposed: number };
  };
}

export interface Standing {
  readonly pendingAt?: (typeof pendingPlaces)[number];
  readonly pendingChange?: PendingChange;
  readonly pendingReason?: NonNullable<MediaBuyRow['pending_reason']>;
  readonly pendingSince?: string;
  readonly errorCode?: NonNullable<MediaBuyRow['error_code']>;
  readonly errorOwner?: NonNullable<MediaBuyRow['error_owner']>;
  /** What the seller said: data, never instructions. */
  readonly sourceMessage?: string;
  readonly forwardedAt?: string;
  /** Names the buy when talking to the seller. */
  readonly buyerReference: string;
  /** Who has to do what. */
  readonly explanation: string;
}

/** `changes` are the last of the buy, the latest first, and with them the one that holds though it came late. */
export function standingOf(
  buy: MediaBuyRow,
  changes: readonly MediaBuyChangeRow[],
  moment: Moment,
): Standing {
  const open = changes.filter(({ state }) => isOpen(state));
  const refused = refusedStill(buy, changes);
  const told = explained(changes, { open, refused });
  const speaking = speakingOf(buy, told);
  const pendingAt = placeOf(buy);
  const pendingChange = pendingChangeOf(buy, open);
  return {
    ...(pendingAt === undefined ? {} : { pendingAt }),
    ...(pendingChange === undefined ? {} : { pendingChange }),
    ...(buy.pending_reason === null ? {} : { pendingReason: buy.pending_reason }),
    ...(buy.pending_since === null ? {} : { pendingSince: buy.pending_since }),
    ...errorOf(speaking ?? buy, buy),
    ...(buy.forwarded_at === null ? {} : { forwardedAt: buy.forwarded_at }),
    buyerReference: referenceOf(buy),
    explanation: explanationOf(
      buy,
      { all: changes, told, speaking, beside: moreRefusedInWords(refused) },
      moment,
    ),
  };
}

/**
 * All changes that wait, and those that were refused for as long as that is to be told, and beside them what came late
 * for as long as that is so, whatever was asked since.
 */
function explained(
  changes: readonly MediaBuyChangeRow[],
  { open, refused }: Readonly<Record<'open' | 'refused', readonly MediaBuyChangeRow[]>>,
): MediaBuyChangeRow[] {
  const late = changes.find(isConfirmedLate);
  return [...open, ...refused.slice(0, REFUSED_TOLD), ...(late === undefined ? [] : [late])];
}

function placeOf({ status, submission, pending_reason }: MediaBuyRow): Standing['pendingAt'] {
  if (isUnresolved({ submission })) return 'unknown';
  if (pending_reason === 'awaiting_storefront_approval') return 'storefront';
  return isUndecided(status) ? 'salesagent' : undefined;
}

/** The change whose error and message are shown; undefined where those of the order are. */
function speakingOf(buy: MediaBuyRow, told: readonly MediaBuyChangeRow[]): MediaBuyChangeRow | undefined {
  const asking = told.find(asksBuyer);
  if (asking !== undefined || buy.error_code !== null) return asking;
  return told.find(({ error_code }) => error_code !== null);
}

function errorOf(of: MediaBuyRow | MediaBuyChangeRow, buy: MediaBuyRow) {
  const { error_code } = of;
  const said = of === buy ? sellersWords(buy) : (of.source_message ?? undefined);
  const error_owner = error_code === null ? null : of.error_owner;
  return {
    ...(error_code === null ? {} : { errorCode: error_code }),
    ...(error_owner === null ? {} : { errorOwner: error_owner }),
    ...(said === undefined ? {} : { sourceMessage: said }),
  };
}

/** What waits for its seller beside a buy, as its campaign shows it; `changes` are the latest last. */
export function pendingOf(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]) {
  const open = changes.filter((one) => one.media_buy_id === buy.id && isOpen(one.state));
  return { pendingAt: placeOf(buy), pendingChange: pendingChangeOf(buy, open.toReversed()) };
}

/** What a buy is to be once all that waits comes true, the latest of it first; undefined where nothing does. */
function pendingChangeOf(buy: MediaBuyRow, open: readonly MediaBuyChangeRow[]): PendingChange | undefined {
  if (open.length === 0) return undefined;
  const asking = open.find(asksBuyer);
  const reason =
    (asking === undefined ? open : [asking]).find(({ source_message }) => source_message !== null)
      ?.source_message ?? null;
  const isWithSeller = open.every(({ state }) => state === 'waiting' || state === 'held');
  return {
    status: asking === undefined ? leadsTo(buy, open) : 'INPUT_REQUIRED',
    pendingAt: isWithSeller ? 'salesagent' : 'unknown',
    ...(reason === null ? {} : { reason }),
    differences: differencesOf(buy, open),
  };
}

function leadsTo(buy: MediaBuyRow, open: readonly MediaBuyChangeRow[]): MediaBuyStatus {
  return open.every(isOfTerms) ? 'PENDING_APPROVAL' : headedFor(buy, open.toReversed());
}

/** Each change is one of what those before it make of the buy: two of them may be about other packages. */
function differencesOf(buy: MediaBuyRow, open: readonly MediaBuyChangeRow[]): PendingChange['differences'] {
  let proposed: ProposedBuy = {};
  for (const change of open.toReversed()) {
    proposed = { ...proposed, ...proposedNow(change, { ...buy, ...columnsProposed(proposed) }) };
  }
  const { end_time, budget_minor } = proposed;
  const budgetIn = (minor: number) => toMajor(minor, buy.currency);
  return {
    ...(end_time === undefined ? {} : { endTime: { live: buy.end_time, proposed: end_time } }),
    ...(budget_minor === undefined
      ? {}
      : { budget: { live: budgetIn(buy.budget_minor), proposed: budgetIn(budget_minor) } }),
  };
}
