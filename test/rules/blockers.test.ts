import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import { changeActions, changeStates } from '../../store/media-buy-changes.ts';
import { errorOwners, mediaBuyStatuses, submissions } from '../../store/media-buys.ts';
import { isEnd } from '../../tools/domain/buying/changes/change-standing.ts';
import { asksBuyer, isOpen } from '../../tools/domain/buying/changes/change-states.ts';
import { blockersOf } from '../../tools/domain/buying/standing/blocking.ts';
import { operationalStatus } from '../../tools/domain/buying/standing/operational-status.ts';
import { isNeverHeld } from '../../tools/domain/buying/standing/unheld-words.ts';
import { mediaBuyChangeRow } from '../support/buying/media-buy-change-row.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const part = { package_id: 'pkg_1', product_id: 'prod_1', budget_minor: 100 };
const packagesOf = [
  [],
  [part],
  [{ ...part, paused: true }],
  [{ ...part, canceled: true as const }],
  [part, { ...part, package_id: 'pkg_2', paused: true }],
];
const buys = mediaBuyStatuses.flatMap((status) =>
  submissions.flatMap((submission) =>
    [null, ...errorOwners].flatMap((error_owner) =>
      packagesOf.map((packages) =>
        mediaBuyRow({ status, submission, error_owner, packages: toJson(packages) }),
      ),
    ),
  ),
);
const changes = changeActions.flatMap((action) =>
  changeStates.flatMap((state) =>
    [null, ...errorOwners].map((error_owner) => mediaBuyChangeRow({ action, state, error_owner })),
  ),
);
const campaigns = ['ACTIVE', 'CANCELED'] as const;

const told = buys.flatMap((buy) =>
  changes.flatMap((change) =>
    campaigns.flatMap((campaign) =>
      [false, true].map((runsOn) => {
        const open = isOpen(change.state) ? [change] : [];
        const beside = { ends: open.some(isEnd), isLeft: isNeverHeld(buy, campaign) };
        const isUrgent = runsOn || open.some(asksBuyer);
        return {
          buy,
          change,
          status: operationalStatus(buy, { ...beside, isUrgent }),
          blockers: blockersOf(buy, { ...beside, runsOn, open, isRefused: false, isAwaited: false }),
        };
      }),
    ),
  ),
);

describe('what keeps a media buy', () => {
  test('is told of whatever needs attention', () => {
    const silent = told
      .filter(({ status, blockers }) => status === 'attention_required' && blockers.length === 0)
      .map(({ buy, change }) => [buy.status, buy.submission, change.action, change.state]);

    expect(told.some(({ status }) => status === 'attention_required')).toBe(true);
    expect(silent).toEqual([]);
  });

  test.each([
    [{ status: 'REJECTED' }, ['forward_failed_needs_correction']],
    [{ status: 'FAILED', error_owner: 'buyer_input' }, ['forward_failed_needs_correction']],
    [{ status: 'FAILED', error_owner: 'seller' }, ['order_failed']],
    [{ status: 'FAILED', error_owner: 'platform' }, ['order_failed']],
    [{ status: 'FAILED', submission: 'unknown' }, ['order_unknown']],
    [{ status: 'ACTIVE', pending_reason: 'no_creatives_attached' }, ['no_creatives_attached']],
    [{ status: 'ACTIVE' }, []],
    [{ status: 'DRAFT' }, []],
  ] as const)('is, of %j, %j', (buy, codes) => {
    const nothing = { runsOn: false, isLeft: false, ends: false, isRefused: false, isAwaited: false };

    expect(blockersOf(mediaBuyRow(buy), { ...nothing, open: [] })).toEqual(codes);
  });
});
