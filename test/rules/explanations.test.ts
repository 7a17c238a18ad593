import { describe, expect, test } from 'vitest';
import type { CampaignStatus } from '../../store/campaigns.ts';
import { toJson } from '../../store/engine/codec.ts';
import { changeActions, changeStates } from '../../store/media-buy-changes.ts';
import { errorOwners, mediaBuyStatuses, pendingReasons, submissions } from '../../store/media-buys.ts';
import { headedFor, stateProblem } from '../../tools/domain/buying/changes/change-standing.ts';
import { openStatuses } from '../../tools/domain/buying/machines.ts';
import { standingOf } from '../../tools/domain/buying/standing/buy-standing.ts';
import { mediaBuyChangeRow } from '../support/buying/media-buy-change-row.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const BEFORE_ITS_END = '2026-12-01T09:00:00.000Z';
const AFTER_ITS_END = '2026-12-31T09:00:00.000Z';
const LATER_END = '2027-01-20T00:00:00.000Z';
const ENDS = ['cancel', 'archive'] as const;
const OPEN = ['sending', 'held', 'waiting', 'unknown'] as const;

type Change = Parameters<typeof mediaBuyChangeRow>[0];
const explained = (
  buy: Parameters<typeof mediaBuyRow>[0],
  changes: readonly Change[],
  { now = BEFORE_ITS_END, campaign = 'ACTIVE' }: { now?: string; campaign?: CampaignStatus } = {},
) =>
  standingOf(
    mediaBuyRow(buy),
    changes.map((one) => mediaBuyChangeRow(one)),
    {
      now,
      graceMs: 86_400_000,
      takeovers: 5,
      campaign,
    },
  ).explanation;

/** What somebody is told to do; to ask after what takes long is left to the reader. */
const ADVICE =
  /\bYou: |change what|ask again|once more|[Cc]ancel it|reactivate it|execute|has to mend|Ask the seller/;
const NOTHING = /nothing is to be done/i;

const allChanges = changeActions.flatMap((action) => [
  ...changeStates.flatMap((state) => [0, 5].map((takeovers) => ({ action, state, takeovers }))),
  ...errorOwners.map((error_owner) => ({
    ...{ action, error_owner },
    ...{ state: 'refused' as const, error_code: 'source_rejected' as const },
  })),
]);
const allBuys = mediaBuyStatuses.flatMap((status) =>
  submissions.flatMap((submission) =>
    [null, 'far_1'].flatMap((adcp_media_buy_id) =>
      (status === 'ACTIVE' && submission === 'answered' ? [null, ...pendingReasons] : [null]).map(
        (pending_reason) => ({
          ...{ status, submission, adcp_media_buy_id, pending_reason },
        }),
      ),
    ),
  ),
);
const everywhere = (of: readonly Change[] = allChanges) =>
  allBuys.flatMap((buy) =>
    of.flatMap((change) =>
      [BEFORE_ITS_END, AFTER_ITS_END].map((now) => ({
        ...{ buy, change },
        said: explained(buy, [change], { now }),
      })),
    ),
  );

describe('an explanation', () => {
  test('says that nothing is to be done, or what is, and never both', () => {
    const both = everywhere().filter(({ buy, said }) => {
      // What is settled by looking again, or by patience, is said with what can be done if that takes long.
      const isPatience = buy.status === 'PENDING_APPROVAL' && /nothing is to be done here\. If it/.test(said);
      return !isPatience && NOTHING.test(said) && ADVICE.test(said);
    });

    expect(both).toEqual([]);
  });

  test('advises neither to end what is to end, nor to let go on what is to, nor anything beside', () => {
    const advised = everywhere(
      ENDS.flatMap((action) => OPEN.map((state) => ({ action, state, takeovers: 0 }))),
    ).filter(
      ({ buy: { status, submission }, said }) =>
        openStatuses.some((one) => one === status) &&
        submission === 'answered' &&
        /You: |[Cc]ancel it|cancel the buy|reactivate it|ask again/.test(said),
    );
    const resumed = explained({ status: 'PAUSED' }, [{ action: 'resume' }]);

    expect(advised).toEqual([]);
    expect(resumed).not.toContain('reactivate it');
  });

  test('says of a refusal before an end that waits, or of one that is over, what came of it alone', () => {
    const refused = { state: 'refused', error_code: 'invalid_request', error_owner: 'buyer_input' } as const;
    const ending = explained({}, [refused, { action: 'cancel' }]);
    const over = explained({ status: 'CANCELED' }, [refused]);

    expect(ending).toMatch(
      /^It runs\. The cancellation asked for .* The change asked for at \S+ was refused\.$/,
    );
    expect(over).toMatch(/^It is over: nothing is to be done\. The change asked for at \S+ was refused\.$/);
    expect(explained({}, [refused])).toMatch(/^It runs\. The change .* change what sourceMessage names, and/);
  });

  test('names what its seller shows for its packages where that is more than was ordered, and who owes what', () => {
    const shown = (budget_minor: number, changes: readonly Change[] = [], buy: object = {}) => {
      const packages = toJson([{ package_id: 'pkg_1', product_id: 'p', budget_minor }]);
      return explained({ fee_bps: 5_000, packages, ...buy }, changes);
    };
    const words =
      'It runs. Agent shows 400.00 USD for pkg_1, where 100.00 USD were ordered: no more than 100.00 USD is owed. ' +
      'Ask the seller, naming sf:1:mb_1.';

    expect(shown(20_000)).toBe(words);
    expect(shown(20_000, [{ committed_minor: 40_000 }])).not.toContain('is owed');
    expect(shown(20_000, [{ committed_minor: 40_000, state: 'refused' }])).toContain(
      'no more than 100.00 USD',
    );
    for (const said of [shown(5_000), shown(5_050), shown(4_990), shown(20_000, [], { sandbox: 1 })]) {
      expect(said).toBe('It runs: nothing is to be done.');
    }
    expect(shown(20_000, [], { status: 'COMPLETED' })).toBe('It is over: nothing is to be done.');
  });

  test.each(['COMPLETED', 'CANCELED', 'ARCHIVED'] as const)(
    'advises nothing of what no seller holds in a campaign that is %s, and no change of what one does',
    (campaign) => {
      const refusals = allChanges.filter(({ action, state }) => action === 'update' && state === 'refused');
      const said = allBuys.flatMap((buy) =>
        [null, ...errorOwners].flatMap((error_owner) =>
          refusals.map((change) => ({
            buy: { ...buy, error_owner },
            said: explained({ ...buy, error_owner, updated_by: 'operator' }, [change], { campaign }),
          })),
        ),
      );
      const isUnheld = ({ status, submission }: (typeof allBuys)[number]) =>
        ['DRAFT', 'FAILED', 'REJECTED'].includes(status) && !['sending', 'unknown'].includes(submission);

      expect(said.filter((one) => isUnheld(one.buy) && ADVICE.test(one.said))).toEqual([]);
      expect(said.filter((one) => /was refused.*(?:change what|ask again)/.test(one.said))).toEqual([]);
    },
  );

  test('names what its seller shows for all its packages where that is less, while nothing else is asked', () => {
    const shown = (
      budgets: readonly (number | null)[],
      changes: readonly Change[] = [],
      buy: object = {},
    ) => {
      const packages = toJson(
        budgets.map((budget_minor, index) => ({ package_id: `pkg_${index}`, product_id: 'p', budget_minor })),
      );
      return explained({ packages, ...buy }, changes);
    };
    const LESS = 'which stay bound. Ask the seller';

    expect(shown([4_000])).toContain(
      `Agent shows 40.00 USD for pkg_0, where 100.00 USD were ordered, ${LESS}`,
    );
    expect(shown([4_000, 3_000])).toContain(`shows 70.00 USD for its packages, where 100.00 USD`);
    expect(shown([4_000], [{ action: 'resume' }], { status: 'PAUSED' })).toContain(LESS);
    for (const said of [
      ...[shown([]), shown([4_000, null]), shown([6_000, 4_000]), shown([4_000], [{ state: 'waiting' }])],
      ...[shown([4_000], [{ action: 'cancel' }]), shown([4_000], [], { sandbox: 1 })],
      shown([4_000], [], { status: 'PENDING_APPROVAL' }),
    ]) {
      expect(said).not.toContain('stay bound');
    }
    const calledOff = {
      package_id: 'gone',
      product_id: 'p',
      budget_minor: 5_000,
      canceled: true as const,
      kept_minor: 2_000,
    };
    const others = (budget_minor: number) =>
      explained(
        { packages: toJson([calledOff, { package_id: 'pkg_1', product_id: 'p', budget_minor }]) },
        [],
      );
    expect(others(8_000)).toBe('It runs: nothing is to be done.');
    expect(others(4_000)).toContain('shows 40.00 USD for pkg_1, where 80.00 USD were ordered');
  });

  test('says of one whose time is over that it goes on where a later end waits, not that it is completed', () => {
    const said = explained({}, [{ proposed: toJson({ end_time: LATER_END }) }], { now: AFTER_ITS_END });

    expect(said).toMatch(/^Its time was over at \S+: it goes on once Agent has confirmed its later end\./);
    expect(said).not.toContain('completed here');
  });
});

describe('a refused change', () => {
  const refusals = allBuys.flatMap((buy) =>
    [undefined, ...changeActions].flatMap((waiting) =>
      OPEN.flatMap((state) =>
        changeActions.map((action) => {
          const row = mediaBuyRow({ ...buy, name: 'Winter' });
          const open = waiting === undefined ? [] : [mediaBuyChangeRow({ action: waiting, state })];
          const wanted = { mediaBuyId: row.id, action, called: (field: string) => field };
          const problems = stateProblem(
            { services: { ports: { digest: (text) => text } } },
            { status: 'ACTIVE' },
            { buy: row, wanted, open, terms: { asked: {}, proposed: {}, issues: [] } },
          );
          return { row, open, problems, headed: headedFor(row, open) };
        }),
      ),
    ),
  );

  test('names no status but the one that the media buy is read with', () => {
    const named = refusals.flatMap(({ row, problems }) =>
      problems
        .flatMap(({ message }) => /^Winter is ([A-Z_]+):/.exec(message)?.[1] ?? [])
        .filter((status) => status !== row.status),
    );

    expect(named).toEqual([]);
  });

  test('offers no end of a media buy whose end waits', () => {
    const offered = refusals.filter(
      ({ open, problems, row }) =>
        row.submission === 'answered' &&
        openStatuses.some((one) => one === row.status) &&
        open.some(({ action, state }) => state !== 'sending' && ENDS.some((one) => one === action)) &&
        problems.some(({ suggestion = '' }) => /cancel the media buy|calls? it off/.test(suggestion)),
    );

    expect(offered).toEqual([]);
  });
});
