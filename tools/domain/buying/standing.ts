import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../store/media-buys.ts';
import { next } from '../../core/machines.ts';
import { toMajor } from '../money.ts';
import { isOpen } from './change-states.ts';
import { isConfirmedLate, isNotSentAgain } from './late-changes.ts';
import { askMachine } from './machines.ts';
import { referenceOf } from './references.ts';
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
  const open = changes.find(({ state }) => isOpen(state));
  const [last] = changes;
  const pendingAt = placeOf(buy);
  return {
    ...(pendingAt === undefined ? {} : { pendingAt }),
    ...(open === undefined ? {} : { pendingChange: pendingChangeOf(buy, open) }),
    ...(buy.pending_reason === null ? {} : { pendingReason: buy.pending_reason }),
    ...(buy.pending_since === null ? {} : { pendingSince: buy.pending_since }),
    ...errorOf(buy, [open, last]),
    ...(buy.forwarded_at === null ? {} : { forwardedAt: buy.forwarded_at }),
    buyerReference: referenceOf(buy),
    explanation: explanationOf(buy, { all: changes, told: explained(changes, open) }, moment),
  };
}

/**
 * The last change that waits, the last of all where none does or where it was refused meanwhile, and beside them what
 * came late for as long as that is so, whatever was asked since.
 */
function explained(
  changes: readonly MediaBuyChangeRow[],
  open: MediaBuyChangeRow | undefined,
): MediaBuyChangeRow[] {
  const [last] = changes;
  const told = open === undefined || last?.state === 'refused' ? [open, last] : [open];
  const late = [changes.find(isConfirmedLate), ...changes.filter(isNotSentAgain)];
  return [...new Set([...told, ...late])].filter((change) => change !== undefined);
}

function placeOf({ status, submission, pending_reason }: MediaBuyRow): Standing['pendingAt'] {
  if (submission === 'sending' || submission === 'unknown') return 'unknown';
  if (pending_reason === 'awaiting_storefront_approval') return 'storefront';
  return status === 'PENDING_APPROVAL' || status === 'INPUT_REQUIRED' ? 'salesagent' : undefined;
}

/** Of the order, of the change that is explained, or of the last one where that was refused. */
function errorOf(buy: MediaBuyRow, changes: readonly (MediaBuyChangeRow | undefined)[]) {
  const of = [buy, ...changes].find((one) => one !== undefined && one.error_code !== null) ?? buy;
  const { error_code, error_owner, source_message } = of;
  return {
    ...(error_code === null ? {} : { errorCode: error_code }),
    ...(error_owner === null ? {} : { errorOwner: error_owner }),
    ...(source_message === null ? {} : { sourceMessage: source_message }),
  };
}

/** What waits for its seller beside a buy, as its campaign shows it. */
export function pendingOf(buy: MediaBuyRow, changes: readonly MediaBuyChangeRow[]) {
  const open = changes.find((one) => one.media_buy_id === buy.id && isOpen(one.state));
  return {
    pendingAt: placeOf(buy),
    pendingChange: open === undefined ? undefined : pendingChangeOf(buy, open),
  };
}

function pendingChangeOf(buy: MediaBuyRow, change: MediaBuyChangeRow): PendingChange {
  const { end_time, budget_minor } = fromJson(change.proposed);
  const { currency } = buy;
  const target = next(askMachine, buy.status, change.action) ?? buy.status;
  return {
    status: change.action === 'update' ? 'PENDING_APPROVAL' : target,
    pendingAt: change.state === 'waiting' || change.state === 'held' ? 'salesagent' : 'unknown',
    ...(change.source_message === null ? {} : { reason: change.source_message }),
    differences: {
      ...(end_time === undefined ? {} : { endTime: { live: buy.end_time, proposed: end_time } }),
      ...(budget_minor === undefined
        ? {}
        : {
            budget: { live: toMajor(buy.budget_minor, currency), proposed: toMajor(budget_minor, currency) },
          }),
    },
  };
}
