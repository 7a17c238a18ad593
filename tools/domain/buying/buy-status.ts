import type { MediaBuyRow, MediaBuyStatus } from '../../../store/media-buys.ts';
import type { BuyReport, OrderAnswer, SellerError, SellerPackage } from '../../core/ports.ts';
import { roundToMinor } from '../money.ts';

/**
 * How what a seller says moves a media buy (reference, Media buys: statuses). Pure: the row and the facts in,
 * the changed columns out.
 */

/** Our status for each status of AdCP; what a seller invents waits for it. */
const statuses: ReadonlyMap<string, MediaBuyStatus> = new Map([
  ['pending_creatives', 'ACTIVE'],
  ['pending_start', 'ACTIVE'],
  ['active', 'ACTIVE'],
  ['paused', 'PAUSED'],
  ['completed', 'COMPLETED'],
  ['rejected', 'REJECTED'],
  ['canceled', 'CANCELED'],
  ['failed', 'FAILED'],
]);

/** The statuses in which a seller may still have news. */
const refreshed: ReadonlySet<MediaBuyStatus> = new Set([
  'PENDING_APPROVAL',
  'INPUT_REQUIRED',
  'ACTIVE',
  'PAUSED',
]);

export function isRefreshed(buy: Pick<MediaBuyRow, 'status'>): boolean {
  return refreshed.has(buy.status);
}

export function statusFor(adcpStatus: string): MediaBuyStatus {
  return statuses.get(adcpStatus) ?? 'PENDING_APPROVAL';
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
        ...running(answer.status, now),
        adcp_media_buy_id: answer.mediaBuyId,
        sellerPackages: answer.packages,
      };
    case 'submitted':
      return {
        ...answered,
        status: 'PENDING_APPROVAL',
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
        status: 'FAILED',
        error_code: answer.transient ? 'source_unavailable' : codeFor(answer.code),
        error_owner: answer.transient || answer.code.startsWith('PRODUCT_') ? 'seller' : 'buyer_input',
        source_message: `${answer.code}: ${answer.message}`,
      };
  }
}

const noError = { error_code: null, error_owner: null, source_message: null } as const;

function running(adcpStatus: string, now: string): BuyChange {
  const status = statusFor(adcpStatus);
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
    status: 'FAILED',
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
    status: 'FAILED',
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
        status: report.status === 'input-required' ? 'INPUT_REQUIRED' : 'PENDING_APPROVAL',
        adcp_status: report.status,
      };
    case 'refused':
      return {
        status: 'REJECTED',
        adcp_status: 'rejected',
        error_code: 'source_rejected',
        error_owner: 'seller',
        source_message: report.message,
        pending_reason: null,
        pending_since: null,
      };
    case 'buy':
      return {
        ...running(report.status, buy.pending_since ?? now),
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
