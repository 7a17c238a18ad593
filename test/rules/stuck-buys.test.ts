import { describe, expect, test } from 'vitest';
import { errorOwners, mediaBuyStatuses, pendingReasons } from '../../store/media-buys.ts';
import { standingOf } from '../../tools/domain/buying/standing/buy-standing.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const MOMENT = { now: '2026-12-01T09:00:00.000Z', graceMs: 86_400_000, takeovers: 5 };
const explained = (changes: Parameters<typeof mediaBuyRow>[0]) =>
  standingOf(mediaBuyRow(changes), [], MOMENT).explanation;
const UNSENT = { status: 'FAILED', adcp_media_buy_id: null } as const;
/** Who has to do something, or that nobody here has to. */
const NAMES_WHO = /\bYou: |nothing is to be done|has to mend|Its operator: /i;

describe('why a media buy is stuck', () => {
  test.each(mediaBuyStatuses)('says who has to do what while it is %s', (status) => {
    expect(explained({ status })).toMatch(NAMES_WHO);
  });

  test.each(errorOwners)('says who has to do what where an order failed for reasons of %s', (error_owner) => {
    const words = {
      buyer_input: 'You: change',
      platform: 'Its operator: look',
      seller: 'The seller has to mend',
    };

    expect(explained({ ...UNSENT, error_code: 'source_rejected', error_owner })).toContain(
      words[error_owner],
    );
  });

  test.each(pendingReasons)('says of one that runs and waits (%s) what for, and who has to act', (reason) => {
    const said = explained({ status: 'ACTIVE', pending_reason: reason, pending_since: MOMENT.now });
    const yours = /^(no_creatives_attached|source_rejected_creatives|forward_failed_needs_correction)$/;

    expect(said).toMatch(NAMES_WHO);
    expect(said.includes('You: ')).toBe(yours.test(reason));
    expect(said.includes('othing is to be done')).toBe(!yours.test(reason));
  });
});
