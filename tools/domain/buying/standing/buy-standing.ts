import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../../store/media-buys.ts';
import { toMajor } from '../../money.ts';
import { sellersWords } from '../answers/told-words.ts';
import { headedFor, isOfTerms } from '../changes/change-standing.ts';
import { asksBuyer, isOpen } from '../changes/change-states.ts';
import { isConfirmedLate } from '../changes/late-changes.ts';
import { proposedNow } from '../changes/proposed-now.ts';
import { referenceOf } from '../references.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { isDoneSince } from './explained-changes.ts';
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
  const last = changes.slice(0, 1).find((change) => !isDoneSince(buy, change));
  const pendingAt = placeOf(buy);
  const pendingChange = pendingChangeOf(buy, open);
  return {
    ...(pendingAt === undefined ? {} : { pendingAt }),
    ...(pendingChange === undefined ? {} : { pendingChange }),
    ...(buy.pending_reason === null ? {} : { pendingReason: buy.pending_reason }),
    ...(buy.pending_since === null ? {} : { pendingSince: buy.pending_since }),
    ...errorOf(buy, [...open, last]),
    ...(buy.forwarded_at === null ? {} : { forwardedAt: buy.forwarded_at }),
    buyerReference: referenceOf(buy),
    explanation: explanationOf(buy, { all: changes, told: explained(changes, { open, last }) }, moment),
  };
}

/**
 * All changes that wait, the last of all where none does or where it was refused meanwhile, and beside them what came
 * late for as long as that is so, whatever was asked since.
 */
function explained(
  changes: readonly MediaBuyChangeRow[],
  {
    open,
    last,
  }: { readonly open: readonly MediaBuyChangeRow[]; readonly last: MediaBuyChangeRow | undefined },
): MediaBuyChangeRow[] {
  const told = open.length === 0 || last?.state === 'refused' ? [...open, last] : open;
  return [...new Set([...told, changes.find(isConfirmedLate)])].filter((change) => change !== undefined);
}

function placeOf({ status, submission, pending_reason }: MediaBuyRow): Standing['pendingAt'] {
  if (submission === 'sending' || submission === 'unknown') return 'unknown';
  if (pending_reason === 'awaiting_storefront_approval') return 'storefront';
  return status === 'PENDING_APPROVAL' || status === 'INPUT_REQUIRED' ? 'salesagent' : undefined;
}

/** Of the order, of the change that is explained, or of the last one where that was refused. */
function errorOf(buy: MediaBuyRow, changes: readonly (MediaBuyChangeRow | undefined)[]) {
  const asking = changes.find((one) => one !== undefined && asksBuyer(one));
  const of = asking ?? [buy, ...changes].find((one) => one !== undefined && one.error_code !== null) ?? buy;
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
