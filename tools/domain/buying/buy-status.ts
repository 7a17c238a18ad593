import type { MediaBuyRow, MediaBuyStatus } from '../../../store/media-buys.ts';
import { next } from '../../core/machines.ts';
import { roundToMinor } from '../money.ts';
import type { BuyReport, OrderAnswer, SellerError, SellerPackage } from '../sellers/port.ts';
import { type BuyEvent, buyMachine, openStatuses } from './machines.ts';

/**
 * How what a seller says moves a media buy (reference, Media buys: statuses). Pure: the row and the facts in,
 * the changed columns out.
 */

/** What each status of AdCP says; what a seller invents is waited for. */
const events: ReadonlyMap<string, BuyEvent> = new Map([
  ['pending_creatives', 'run'],
  ['pending_start', 'run'],
  ['active', 'run'],
  ['paused', 'pause'],
  ['completed', 'complete'],
  ['rejected', 'reject'],
  ['canceled', 'cancel'],
  ['failed', 'fail'],
]);

const refreshed: ReadonlySet<MediaBuyStatus> = new Set(openStatuses);

/** Whether the seller may still have news. */
export function isRefreshed(buy: Pick<MediaBuyRow, 'status'>): boolean {
  return refreshed.has(buy.status);
}

/** Our status after what the seller says, of an order on its way unless said otherwise. */
export function statusFor(adcpStatus: string, before: MediaBuyStatus = 'DRAFT'): MediaBuyStatus {
  return moved(before, events.get(adcpStatus) ?? 'review');
}

/** The status after an event; what cannot happen in a status leaves it as it is. */
function moved(before: MediaBuyStatus, event: BuyEvent): MediaBuyStatus {
  return next(buyMachine, before, event) ?? before;
}

/** A buy that a further execute sends again: it never reached its seller, or nobody knows whether it did. */
export function isToBeSent(buy: Pick<MediaBuyRow, 'status' | 'submission'>): boolean {
  return buy.submission !== 'sending' && next(buyMachine, buy.status, 'send') !== undefined;
}

/** Whether a seller took the order: what is not taken is a failure of the call. */
export function isTaken(status: MediaBuyStatus): boolean {
  return status !== 'DRAFT' && status !== 'FAILED' && status !== 'REJECTED';
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
    | 'pending_reason'
    | 'pending_since'
    | 'impressions'
    | 'spend_minor'
    | 'clicks'
    | 'performance_at'
  >
> & { readonly sellerPackages?: readonly SellerPackage[] };

/**
 * Refusals that speak of the asking and not of the order: of the moment, of who asks, or of the key. They say
 * nothing of what became of an order that was sent before under the same key.
 */
const OF_THE_ASKING =
  /^(IDEMPOTENCY_|AUTH_|ACCOUNT_|AGENT_|(PERMISSION_DENIED|UNAUTHORIZED|FORBIDDEN|RATE_LIMITED|SERVICE_UNAVAILABLE|INTERNAL_ERROR|TIMEOUT|CONFLICT)$)/;

/** Refusals by which the seller says that it has seen the key before. */
const KEY_IS_KNOWN = /^IDEMPOTENCY_(IN_FLIGHT|EXPIRED)$/;

/** Whether the seller may have taken the order although it refuses it now. */
export function leavesDoubt(answer: OrderAnswer): boolean {
  if (answer.kind !== 'refused') return false;
  return answer.unresolved === true || KEY_IS_KNOWN.test(answer.code);
}

/**
 * What an answer to the order makes of the buy. Where the order may have been taken before (`inDoubt`), only a
 * refusal of the order itself says that it was not; until then the same order is repeated under its key.
 */
export function afterAnswer(answer: OrderAnswer, now: string, inDoubt = leavesDoubt(answer)): BuyChange {
  const answered = { submission: 'answered' as const, owner: null };
  switch (answer.kind) {
    case 'accepted':
      return {
        ...answered,
        ...running(answer.status, { before: 'DRAFT', now }),
        adcp_media_buy_id: answer.mediaBuyId,
        sellerPackages: answer.packages,
      };
    case 'submitted':
      return {
        ...answered,
        status: moved('DRAFT', 'review'),
        adcp_status: 'submitted',
        adcp_task_id: answer.taskId,
        pending_reason: 'awaiting_source_moderation',
        pending_since: now,
        ...noError,
      };
    case 'refused':
      if (inDoubt && (answer.transient || OF_THE_ASKING.test(answer.code))) {
        return afterNoAnswer({ message: `${answer.code}: ${answer.message}`, unresolved: true });
      }
      return {
        ...answered,
        status: moved('DRAFT', 'fail'),
        error_code: answer.transient ? 'source_unavailable' : codeFor(answer.code),
        error_owner: answer.transient || answer.code.startsWith('PRODUCT_') ? 'seller' : 'buyer_input',
        source_message: `${answer.code}: ${answer.message}`,
      };
  }
}

const noError = { error_code: null, error_owner: null, source_message: null } as const;

function running(adcpStatus: string, { before, now }: { before: MediaBuyStatus; now: string }): BuyChange {
  const status = statusFor(adcpStatus, before);
  const pending_reason =
    adcpStatus === 'pending_creatives'
      ? ('no_creatives_attached' as const)
      : adcpStatus === 'pending_start'
        ? ('scheduled_not_started' as const)
        : status === 'PENDING_APPROVAL'
          ? ('awaiting_source_moderation' as const)
          : null;
  const rejected = status === 'REJECTED' || status === 'FAILED';
  return {
    status,
    adcp_status: adcpStatus,
    pending_reason,
    pending_since: pending_reason === null ? null : now,
    ...(rejected ? { error_code: 'source_rejected' as const, error_owner: 'seller' as const } : noError),
  };
}

function codeFor(
  code: string,
): 'product_no_longer_available' | 'quote_expired' | 'invalid_request' | 'source_rejected' {
  if (code === 'PRODUCT_NOT_FOUND' || code === 'PRODUCT_UNAVAILABLE') return 'product_no_longer_available';
  if (code === 'PRODUCT_EXPIRED' || code === 'REQUOTE_REQUIRED') return 'quote_expired';
  return /^(INVALID_|VALIDATION_|BUDGET_|IDEMPOTENCY_)/.test(code) ? 'invalid_request' : 'source_rejected';
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
export function afterReport(buy: MediaBuyRow, report: BuyReport, now: string): BuyChange {
  switch (report.kind) {
    case 'task':
      return {
        status: moved(buy.status, report.status === 'input-required' ? 'ask' : 'review'),
        adcp_status: report.status,
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
      return {
        ...running(report.status, { before: buy.status, now: buy.pending_since ?? now }),
        adcp_media_buy_id: report.mediaBuyId,
        sellerPackages: report.packages,
        ...delivery(buy, report.delivery, now),
      };
  }
}

function delivery(
  buy: MediaBuyRow,
  delivered: Extract<BuyReport, { kind: 'buy' }>['delivery'],
  now: string,
): BuyChange {
  if (delivered === undefined) return {};
  return {
    impressions: delivered.impressions,
    spend_minor: roundToMinor(delivered.spend, buy.currency) ?? buy.spend_minor,
    clicks: delivered.clicks,
    performance_at: now,
  };
}
