import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../store/media-buys.ts';
import { next } from '../../core/machines.ts';
import { toMajor } from '../money.ts';
import { isRefreshed } from './buy-status.ts';
import { waitsUntil } from './buy-time.ts';
import { isUnresolved } from './campaign-settling.ts';
import { isUndecided } from './change-standing.ts';
import { withDoubt } from './doubted-reports.ts';
import { isEndedThere } from './ended-at-seller.ts';
import { ofChange } from './explained-changes.ts';
import { isConfirmedLate, isNotSentAgain } from './late-changes.ts';
import { askMachine } from './machines.ts';
import { reasonsInWords } from './pending-words.ts';
import { askSeller, referenceOf } from './references.ts';
import { settledInWords } from './settled-orders.ts';
import { unknownInWords } from './unknown-orders.ts';

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

interface Moment {
  readonly now: string;
  /** How long after its end a buy waits for its seller. */
  readonly graceMs: number;
  /** How often a change whose answer was lost is sent again. */
  readonly takeovers: number;
  /** How it stands against the daily cap of its campaign, where it began too late for it. */
  readonly late?: string | undefined;
  /** Whether its seller is in the marketplace no more. */
  readonly hasLeft?: boolean;
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
    explanation: [
      withDoubt(buy, ofTime(buy, moment) ?? ofBuy(buy, moment)),
      ...explained(changes, open).flatMap((change) => ofChange(buy, change, moment)),
    ].join(' '),
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

export function isOpen(state: MediaBuyChangeRow['state']): boolean {
  return state === 'sending' || state === 'held' || state === 'waiting' || state === 'unknown';
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

/** What is said of a buy whose time is over while its seller tells of no end. */
function ofTime(buy: MediaBuyRow, { now, graceMs }: Moment): string | undefined {
  if (buy.end_time > now || !isRefreshed(buy) || isUnresolved(buy)) return undefined;
  const until = waitsUntil(buy, graceMs);
  return isUndecided(buy)
    ? `Its time was over at ${buy.end_time}, and ${buy.agent_name} has not decided: it is called off here at ${until}, and its budget released. You: cancel it, if that is too late.`
    : `Its time was over at ${buy.end_time}. What ${buy.agent_name} reports until ${until} still counts; then it is completed here, and what was not delivered is released. Nothing is to be done.`;
}

function ofBuy(buy: MediaBuyRow, moment: Moment): string {
  const seller = buy.agent_name;
  const asking = `${askSeller(buy)}.`;
  if (buy.submission === 'sending') return `The order is on its way to ${seller}: look again in a minute.`;
  if (buy.submission === 'unknown') return unknownInWords(seller, moment);
  if (isEndedThere(buy)) {
    return `${seller} had taken the order, and it came to nothing there: it is not ordered again. You: choose products of other sellers, or order from it with another campaign. ${asking}`;
  }
  const settled = settledInWords(buy);
  if (settled !== undefined) return settled;
  switch (buy.status) {
    case 'PENDING_APPROVAL':
      return `${seller} has to approve the order; nothing is to be done here. If it takes too long: ${asking} Or cancel it.`;
    case 'INPUT_REQUIRED':
      return `${seller} needs something from you first, see sourceMessage. You: give it to the seller, naming ${referenceOf(buy)}, or change or cancel the buy.`;
    case 'FAILED':
      return `${failureOf(buy)} Then execute the campaign again.`;
    case 'REJECTED':
      return `${seller} will not have the order, for good. You: choose other products.`;
    case 'ACTIVE':
      return runningOf(buy, moment);
    case 'PAUSED':
      return 'It is held, and nothing is spent. You: reactivate it when it is to go on.';
    case 'DRAFT':
      return 'It was not sent to a seller yet. You: execute the campaign.';
    case 'COMPLETED':
    case 'CANCELED':
    case 'ARCHIVED':
      return 'It is over: nothing is to be done.';
  }
}

function runningOf({ pending_reason, agent_name }: MediaBuyRow, { late }: Moment): string {
  if (pending_reason === 'no_creatives_attached') {
    return `${agent_name} took the order and waits for creatives: nothing is delivered until it has them. You: give them to the seller.`;
  }
  if (pending_reason === null) return late ?? 'It runs: nothing is to be done.';
  const yours = [UP_TO_YOU[pending_reason], late].flatMap((one) => one ?? []);
  return [reasonsInWords[pending_reason], ...(yours.length === 0 ? ['Nothing is to be done.'] : yours)].join(
    ' ',
  );
}

/** What whoever bought has to do; the other reasons are the matter of others, or pass by themselves. */
const UP_TO_YOU: Partial<Record<NonNullable<MediaBuyRow['pending_reason']>, string>> = {
  source_rejected_creatives: 'You: give the seller others.',
  forward_failed_needs_correction: 'You: change what sourceMessage names.',
};

function failureOf({ error_owner, agent_name, submission }: MediaBuyRow): string {
  if (error_owner === 'buyer_input') {
    const why = submission === 'unsent' ? 'The order was kept back.' : `${agent_name} refused the order.`;
    return `${why} You: change what sourceMessage names.`;
  }
  if (error_owner === 'platform') return 'The order failed in this service. Its operator: look into the log.';
  return `${agent_name} could not take the order; the seller has to mend that, or you choose other products.`;
}
