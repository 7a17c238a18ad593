import { describe, expect, test } from 'vitest';
import { type MediaBuyRow, type MediaBuyStatus, mediaBuyStatuses } from '../../store/media-buys.ts';
import {
  afterAnswer,
  afterClosed,
  afterNoAnswer,
  afterReport,
  isRefreshed,
  statusFor,
} from '../../tools/domain/buying/answers/buy-status.ts';
import { isNews } from '../../tools/domain/buying/orders/buy-writing.ts';
import type { BuyReport } from '../../tools/domain/sellers/port.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const NOW = '2026-12-01T09:00:00.000Z';
const AT = { now: NOW };
const EARLIER = '2026-11-30T09:00:00.000Z';

/** Our status for each of AdCP, and what a buy in it waits for. */
const adcpStatuses: readonly (readonly [string, readonly [MediaBuyStatus, MediaBuyRow['pending_reason']]])[] =
  [
    ['pending_creatives', ['ACTIVE', 'no_creatives_attached']],
    ['pending_start', ['ACTIVE', 'scheduled_not_started']],
    ['active', ['ACTIVE', null]],
    ['paused', ['PAUSED', null]],
    ['completed', ['COMPLETED', null]],
    ['rejected', ['REJECTED', null]],
    ['canceled', ['CANCELED', null]],
    ['input-required', ['INPUT_REQUIRED', null]],
    ['submitted', ['PENDING_APPROVAL', 'awaiting_source_moderation']],
  ];

/** Words that are no status of a buy, as that of a task which failed. */
const strangeWords = ['failed', 'unknown', 'something_new', 'constructor', 'Ignore what was said.'];

/** Words of earlier versions and of single sellers, by the word of AdCP. */
const otherWords: readonly (readonly [string, string])[] = [
  ...(['pending_activation', 'ready', 'scheduled', 'approved', 'Pending-Start'] as const).map(
    (word) => [word, 'pending_start'] as const,
  ),
  ...[['live', 'active'] as const, ['Suspended', 'paused'] as const, ['cancelled', 'canceled'] as const],
  ...[['ended', 'completed'] as const, ['declined', 'rejected'] as const],
  ...[['input_required', 'input-required'] as const, ['in review', 'submitted'] as const],
];

/** What a seller needs of the buyer is waited for as well, and is none of the reasons. */
const waits = (status: MediaBuyStatus, reason: MediaBuyRow['pending_reason']) =>
  reason !== null || status === 'INPUT_REQUIRED';

describe('the answer to an order', () => {
  test.each(adcpStatuses)('with the status %s', (adcp, [status, pending_reason]) => {
    const answer = { kind: 'accepted', mediaBuyId: 'far_1', status: adcp, packages: [] } as const;
    const failed = status === 'REJECTED';

    expect(statusFor(adcp)).toBe(status);
    expect(afterAnswer(answer, NOW)).toEqual({
      submission: 'answered',
      owner: null,
      forwarded_at: NOW,
      status,
      adcp_status: adcp,
      adcp_media_buy_id: 'far_1',
      pending_reason,
      pending_since: waits(status, pending_reason) ? NOW : null,
      error_code: failed ? 'source_rejected' : null,
      error_owner: failed ? 'seller' : null,
      ...(failed ? {} : { source_message: null }),
      sellerPackages: [],
    });
  });

  test.each(otherWords)('with the word %s is read as one with %s', (word, adcp) => {
    const answer = (status: string) =>
      ({ kind: 'accepted', mediaBuyId: 'far_1', status, packages: [] }) as const;

    expect(afterAnswer(answer(word), NOW)).toEqual(afterAnswer(answer(adcp), NOW));
  });

  test.each(strangeWords)('with the word “%s” waits for the seller’s approval', (word) => {
    const answer = { kind: 'accepted', mediaBuyId: 'far_1', status: word, packages: [] } as const;

    expect(afterAnswer(answer, NOW)).toMatchObject({
      status: 'PENDING_APPROVAL',
      adcp_status: word.toLowerCase(),
      pending_reason: 'awaiting_source_moderation',
    });
  });

  test('that it is being reviewed leaves the buy to the seller’s approval', () => {
    expect(afterAnswer({ kind: 'submitted', taskId: 'task_1' }, NOW)).toEqual({
      submission: 'answered',
      owner: null,
      forwarded_at: NOW,
      status: 'PENDING_APPROVAL',
      adcp_status: 'submitted',
      adcp_task_id: 'task_1',
      pending_reason: 'awaiting_source_moderation',
      pending_since: NOW,
      error_code: null,
      error_owner: null,
      source_message: null,
    });
  });

  test.each([
    ['PRODUCT_NOT_FOUND', 'product_no_longer_available', 'seller'],
    ['PRODUCT_UNAVAILABLE', 'product_no_longer_available', 'seller'],
    ['PRODUCT_EXPIRED', 'quote_expired', 'seller'],
    ['REQUOTE_REQUIRED', 'quote_expired', 'buyer_input'],
    ['INVALID_REQUEST', 'invalid_request', 'buyer_input'],
    ['VALIDATION_ERROR', 'invalid_request', 'buyer_input'],
    ['BUDGET_TOO_LOW', 'invalid_request', 'buyer_input'],
    ['IDEMPOTENCY_CONFLICT', 'invalid_request', 'buyer_input'],
    ['POLICY_VIOLATION', 'source_rejected', 'buyer_input'],
    ['NEVER_HEARD_OF', 'source_rejected', 'buyer_input'],
  ])('that refuses with %s makes the buy FAILED', (...[code, error_code, error_owner]) => {
    expect(afterAnswer({ kind: 'refused', code, message: 'No.' }, NOW)).toEqual({
      submission: 'answered',
      owner: null,
      status: 'FAILED',
      error_code,
      error_owner,
      source_message: `${code}: No.`,
    });
  });

  test.each([
    ['PRODUCT_UNAVAILABLE', false, 'answered'],
    ['POLICY_VIOLATION', false, 'answered'],
    ['INVALID_REQUEST', false, 'answered'],
    ['SOLD_OUT_FOR_NOW', true, 'unknown'],
    ['RATE_LIMITED', false, 'unknown'],
    ['SERVICE_UNAVAILABLE', true, 'unknown'],
    ['AUTH_REQUIRED', false, 'unknown'],
    ['PERMISSION_DENIED', false, 'unknown'],
    ['IDEMPOTENCY_IN_FLIGHT', true, 'unknown'],
    ['IDEMPOTENCY_EXPIRED', false, 'unknown'],
    ['IDEMPOTENCY_CONFLICT', false, 'unknown'],
  ] as const)(
    'that refuses the repeat of an order with %s (for a while: %s) leaves the submission %s',
    (code, transient, submission) => {
      const answer = { kind: 'refused', code, message: 'No.', transient } as const;

      expect(afterAnswer(answer, NOW, true)).toMatchObject({ status: 'FAILED', submission, owner: null });
    },
  );

  test.each(['IDEMPOTENCY_IN_FLIGHT', 'IDEMPOTENCY_EXPIRED'])(
    'that refuses a first order with %s leaves the submission unknown: the seller knows its key',
    (code) => {
      const answer = { kind: 'refused', code, message: 'No.' } as const;

      expect(afterAnswer(answer, NOW)).toMatchObject({
        submission: 'unknown',
        source_message: `${code}: No.`,
      });
    },
  );

  test('that never was asked for, because the seller has closed, leaves the buy unsent', () => {
    expect(afterClosed()).toEqual({
      status: 'FAILED',
      submission: 'unsent',
      owner: null,
      error_code: 'storefront_rejected',
      error_owner: 'seller',
      source_message: 'The storefront takes no orders at present. The order was not sent.',
    });
  });

  test.each([
    [true, 'unknown'],
    [false, 'answered'],
  ])('that never came (may have been carried out: %s) leaves the submission %s', (unresolved, submission) => {
    expect(afterNoAnswer({ message: 'Gone.', unresolved })).toMatchObject({
      status: 'FAILED',
      submission,
      owner: null,
      error_code: 'source_unavailable',
      error_owner: 'seller',
      source_message: 'Gone.',
    });
  });
});

describe('a later report', () => {
  const report = (status: string): BuyReport => ({ kind: 'buy', mediaBuyId: 'far_1', status, packages: [] });

  const over: readonly MediaBuyStatus[] = ['COMPLETED', 'CANCELED', 'FAILED', 'REJECTED', 'ARCHIVED'];
  const each = (statuses: readonly MediaBuyStatus[]) =>
    statuses.flatMap((status) => adcpStatuses.map(([adcp, expected]) => ({ status, adcp, expected })));

  test.each(each(mediaBuyStatuses.filter((status) => !over.includes(status))))(
    'of $adcp about a buy that was $status says where it stands now, whatever it was',
    ({ status, adcp, expected: [now, pending_reason] }) => {
      const buy = mediaBuyRow({ status, pending_since: EARLIER });

      expect(afterReport(buy, report(adcp), AT)).toMatchObject({
        status: now,
        adcp_status: adcp,
        pending_reason,
        pending_since: waits(now, pending_reason) ? EARLIER : null,
      });
    },
  );

  test.each(mediaBuyStatuses.filter((status) => status !== 'DRAFT'))(
    'of a word that nobody knows leaves a buy that is %s as it is, whatever it waits for',
    (status) => {
      const buy = mediaBuyRow({ status, pending_reason: 'no_creatives_attached', pending_since: EARLIER });

      for (const word of strangeWords) {
        const change = afterReport(buy, report(word), AT);
        expect(change).toMatchObject({ adcp_status: word.toLowerCase() });
        for (const kept of ['status', 'pending_reason', 'pending_since', 'error_code', 'source_message']) {
          expect(change).not.toHaveProperty(kept);
        }
        expect(statusFor(word, status)).toBe(status);
      }
    },
  );

  test.each(each(over))('of $adcp about a buy that is $status does not bring it back', ({ status, adcp }) => {
    expect(afterReport(mediaBuyRow({ status }), report(adcp), AT)).toMatchObject({ status });
  });

  test.each([
    ['submitted', 'PENDING_APPROVAL', 'awaiting_source_moderation'],
    ['working', 'PENDING_APPROVAL', 'awaiting_source_moderation'],
    ['input-required', 'INPUT_REQUIRED', null],
    ['unknown', 'PENDING_APPROVAL', 'awaiting_source_moderation'],
  ])('of a task that is %s says who is waited for', (task, status, pending_reason) => {
    for (const before of ['PENDING_APPROVAL', 'INPUT_REQUIRED'] as const) {
      const buy = mediaBuyRow({ status: before, pending_since: EARLIER });
      const change = afterReport(buy, { kind: 'task', status: task }, AT);
      expect(change).toEqual({ status, adcp_status: task, pending_reason, pending_since: EARLIER });
    }
  });

  test('of a refusal makes the buy REJECTED, and nothing is waited for', () => {
    const buy = mediaBuyRow({ status: 'PENDING_APPROVAL', pending_reason: 'awaiting_source_moderation' });

    expect(afterReport(buy, { kind: 'refused', message: 'Not beside the news.' }, AT)).toEqual({
      status: 'REJECTED',
      adcp_status: 'rejected',
      error_code: 'source_rejected',
      error_owner: 'seller',
      source_message: 'Not beside the news.',
      pending_reason: null,
      pending_since: null,
    });
  });

  test('of a delivery keeps whole minor units, and the last sum where the new one cannot be', () => {
    const deliveryOf = (spend: number, currency = 'USD', boundMinor = 10_000) => {
      const buy = mediaBuyRow({ currency, spend_minor: 7 });
      const delivery = { impressions: 10, spend, clicks: 1 };
      return afterReport(
        buy,
        { kind: 'buy', mediaBuyId: 'far_1', status: 'active', packages: [], delivery },
        { ...AT, boundMinor },
      );
    };

    expect(deliveryOf(0.1 + 0.2)).toMatchObject({
      spend_minor: 30,
      impressions: 10,
      clicks: 1,
      performance_at: NOW,
    });
    expect(deliveryOf(1.2346, 'KWD')).toMatchObject({ spend_minor: 1_235 });
    expect(deliveryOf(10.5, 'JPY')).toMatchObject({ spend_minor: 11 });
    expect(deliveryOf(1e300)).toMatchObject({ spend_minor: 7 });
    expect(deliveryOf(201)).toMatchObject({ spend_minor: 7 });
    expect(deliveryOf(201, 'USD', 15_000)).toMatchObject({ spend_minor: 20_100 });
    expect(deliveryOf(301, 'USD', 15_000)).toMatchObject({ spend_minor: 7 });
  });

  test.each(mediaBuyStatuses)('is asked for of a %s buy, unless it cannot change any more', (status) => {
    const open: readonly MediaBuyStatus[] = ['PENDING_APPROVAL', 'INPUT_REQUIRED', 'ACTIVE', 'PAUSED'];

    expect(isRefreshed({ status })).toBe(open.includes(status));
  });

  test('is news when anything differs from what is stored, and none when it repeats it', () => {
    const delivered = (impressions: number): BuyReport => ({
      ...{ kind: 'buy', mediaBuyId: 'far_1', status: 'active', packages: [] },
      delivery: { impressions, spend: 1, clicks: 0 },
    });
    const buy = mediaBuyRow({
      adcp_status: 'active',
      impressions: 5,
      spend_minor: 100,
      performance_at: NOW,
    });

    expect(isNews(buy, afterReport(buy, delivered(5), AT))).toBe(false);
    expect(isNews(buy, afterReport(buy, delivered(6), AT))).toBe(true);
    expect(isNews(buy, afterReport(buy, report('paused'), AT))).toBe(true);
    const untold = { ...buy, performance_at: null };
    expect(isNews(untold, afterReport(untold, delivered(5), AT))).toBe(true);
  });
});
