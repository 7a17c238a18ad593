import { toJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import type { BuyReport, OrderAnswer, SellerError, ShownBuy } from '../../sellers/port.ts';
import type { SellerPackage } from '../../sellers/seller-package.ts';
import { type BuyEvent, buyMachine, isOpenStatus, isUndecided } from '../machines.ts';
import { actionsAfter } from './allowed-actions.ts';
import { afterDelivery, type HeardAt } from './delivery.ts';
import { lookedOver, reasonFor } from './pending-words.ts';
import { leavesDoubt, refusalColumns, speaksOfTheAsking } from './refused-orders.ts';
import { shownDates } from './shown-dates.ts';
import { shownTotal } from './shown-total.ts';
import { eventTold, inWordsOfAdcp } from './told-words.ts';

/**
 * How what a seller says moves a media buy (reference, Media buys: statuses). Pure: the row and the facts in,
 * the changed columns out.
 */

/** Whether the seller may still have news. */
export function isRefreshed(buy: Pick<MediaBuyRow, 'status'>): boolean {
  return isOpenStatus(buy.status);
}

/**
 * Our status after what the seller says, of an order on its way unless said otherwise. A word that nobody knows says of
 * an order that the seller has it, and of a buy nothing.
 */
export function statusFor(adcpStatus: string, before: MediaBuyStatus = 'DRAFT'): MediaBuyStatus {
  const event = eventTold(adcpStatus) ?? (before === 'DRAFT' ? 'review' : undefined);
  return event === undefined ? before : moved(before, event);
}

/** The status after an event; what cannot happen in a status leaves it as it is. */
function moved(before: MediaBuyStatus, event: BuyEvent): MediaBuyStatus {
  return next(buyMachine, before, event) ?? before;
}

export type BuyChange = Partial<
  Pick<
    MediaBuyRow,
    | 'status'
    | 'submission'
    | 'owner'
    | 'adcp_media_buy_id'
    | 'adcp_status'
    | 'adcp_task_id'
    | 'error_code'
    | 'error_owner'
    | 'source_message'
    | 'report_doubt'
    | 'pending_reason'
    | 'pending_since'
    | 'impressions'
    | 'spend_minor'
    | 'clicks'
    | 'performance_at'
    | 'delivered'
    | 'forwarded_at'
    | 'figures_awaited_since'
    | 'figures_reported_at'
    | 'valid_actions'
    | 'shown_total'
    | 'shown_start'
    | 'shown_end'
    | 'listed_apart'
    | 'unfound_since'
    | 'goes_on_since'
    | 'figures_final'
  >
> & { readonly sellerPackages?: readonly SellerPackage[] };

/**
 * What an answer to the order makes of the buy. Where the order may have been taken before (`inDoubt`), only a
 * refusal of the order itself says that it was not; until then the same order is repeated under its key.
 */
export function afterAnswer(answer: OrderAnswer, now: string, inDoubt = leavesDoubt(answer)): BuyChange {
  const answered = { submission: 'answered' as const, owner: null, forwarded_at: now };
  switch (answer.kind) {
    case 'accepted':
      return {
        ...answered,
        ...running(answer.status, { before: 'DRAFT', now, message: answer.message }),
        adcp_media_buy_id: answer.mediaBuyId,
        sellerPackages: answer.packages,
        ...shownTotal(answer),
      };
    case 'submitted':
      return {
        ...answered,
        ...waiting(answer.status ?? 'submitted', { before: 'DRAFT', now, message: answer.message }),
        adcp_task_id: answer.taskId,
      };
    case 'refused':
      return afterRefusal(answer, inDoubt);
  }
}

function afterRefusal(refusal: Extract<OrderAnswer, { kind: 'refused' }>, inDoubt: boolean): BuyChange {
  const said = refusalColumns(refusal);
  if (inDoubt && (refusal.transient === true || speaksOfTheAsking(refusal.code))) {
    return afterNoAnswer({ message: said.source_message, unresolved: true });
  }
  return { submission: 'answered', owner: null, status: moved('DRAFT', 'fail'), ...said };
}

const noError = { error_code: null, error_owner: null, source_message: null } as const;

/** Whether a seller needs something of the buyer before its task goes on. */
export function asks(task: string): boolean {
  return eventTold(task) === 'ask';
}

interface Told {
  readonly before: MediaBuyStatus;
  /** Since when it waits, if it waits. */
  readonly now: string;
  readonly message?: string | undefined;
}

/** A task that has not ended: the seller looks the order over, or needs something first. */
function waiting(adcpStatus: string, { before, now, message }: Told): BuyChange {
  return {
    ...noError,
    ...ofTask(adcpStatus, { before, now }),
    source_message: message ?? null,
  };
}

function ofTask(task: string, { before, now }: Told): BuyChange {
  const status = moved(before, asks(task) ? 'ask' : 'review');
  const waits = isUndecided(status) ? { pending_reason: lookedOver(status), pending_since: now } : {};
  return { status, adcp_status: task, ...waits };
}

function running(told: string, facts: Told): BuyChange {
  const adcpStatus = inWordsOfAdcp(told);
  const isStrange = facts.before !== 'DRAFT' && eventTold(adcpStatus) === undefined;
  return isStrange ? asItStood(adcpStatus, facts) : moving(adcpStatus, facts);
}

/** The word is kept, to be told. */
function asItStood(adcp_status: string, { before, message }: Told): BuyChange {
  return {
    adcp_status,
    ...(message !== undefined && isUndecided(before) ? { source_message: message } : {}),
  };
}

function moving(adcpStatus: string, { before, now, message }: Told): BuyChange {
  const status = statusFor(adcpStatus, before);
  const pending_reason = reasonFor(adcpStatus, status);
  const failed = status === 'REJECTED' || status === 'FAILED';
  return {
    status,
    adcp_status: adcpStatus,
    pending_reason,
    pending_since: pending_reason === null && !isUndecided(status) ? null : now,
    ...(failed ? { error_code: 'source_rejected' as const, error_owner: 'seller' as const } : noError),
    // Why it waits or ended; of what runs well no words are kept.
    ...(message !== undefined && hasReason(status) ? { source_message: message } : {}),
  };
}

function hasReason(status: MediaBuyStatus): boolean {
  return status === 'REJECTED' || status === 'FAILED' || status === 'CANCELED' || isUndecided(status);
}

/** No answer that can be used. Where the seller may have acted, the next execute repeats the same order. */
export function afterNoAnswer(error: Pick<SellerError, 'message' | 'unresolved'>): BuyChange {
  return {
    status: moved('DRAFT', 'fail'),
    submission: error.unresolved ? 'unknown' : 'answered',
    owner: null,
    error_code: 'source_unavailable',
    error_owner: 'seller',
    source_message: error.message,
  };
}

/** The order was kept back, because its seller takes none at present. A further execute tries again. */
export function afterClosed(): BuyChange {
  return {
    status: moved('DRAFT', 'fail'),
    submission: 'unsent',
    owner: null,
    error_code: 'storefront_rejected',
    error_owner: 'seller',
    source_message: 'The storefront takes no orders at present. The order was not sent.',
  };
}

/** What a later report makes of the buy. */
export function afterReport(buy: MediaBuyRow, report: BuyReport, at: HeardAt): BuyChange {
  switch (report.kind) {
    case 'task':
      return {
        ...ofTask(report.status, { before: buy.status, now: buy.pending_since ?? at.now }),
        ...(report.message === undefined ? {} : { source_message: report.message }),
      };
    case 'refused':
      return {
        status: moved(buy.status, 'reject'),
        adcp_status: 'rejected',
        error_code: 'source_rejected',
        error_owner: 'seller',
        source_message: report.message,
        pending_reason: null,
        pending_since: null,
      };
    case 'buy':
      return afterBuy(buy, report, at);
  }
}

function afterBuy(buy: MediaBuyRow, report: ShownBuy, at: HeardAt): BuyChange {
  const { status, message, validActions } = report;
  const told =
    status === null ? {} : running(status, { before: buy.status, now: buy.pending_since ?? at.now, message });
  return {
    ...told,
    ...(message === undefined ? wordsStanding(buy, told) : {}),
    adcp_media_buy_id: report.mediaBuyId,
    ...actionsAfter(buy, told, validActions),
    sellerPackages: report.packages,
    ...shownTotal(report),
    ...shownDates(buy, report),
    listed_apart: listedApartIn(report),
    unfound_since: null,
    ...afterDelivery({ ...buy, status: told.status ?? buy.status }, report, at),
  };
}

/** What its seller shows otherwise in each entry of a list that has it more than once. */
export function listedApartIn({ listedApart }: ShownBuy): MediaBuyRow['listed_apart'] {
  return listedApart === undefined ? null : toJson(listedApart);
}

/** Why it waits holds as long as it waits for the same: lists of media buys have no words for it. */
function wordsStanding(buy: MediaBuyRow, told: BuyChange): BuyChange {
  const waitsOn = told.status === buy.status && isUndecided(buy.status);
  return waitsOn && told.pending_reason === buy.pending_reason ? { source_message: buy.source_message } : {};
}
