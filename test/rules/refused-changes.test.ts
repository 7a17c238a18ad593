import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import { changeStates } from '../../store/media-buy-changes.ts';
import { standingOf } from '../../tools/domain/buying/standing/buy-standing.ts';
import { changesTold } from '../../tools/domain/buying/standing/pending-change.ts';
import { refusedStill } from '../../tools/domain/buying/standing/refused-changes.ts';
import { mediaBuyChangeRow } from '../support/buying/media-buy-change-row.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

type Change = NonNullable<Parameters<typeof mediaBuyChangeRow>[0]>;

const asking = (payload: object) => ({ payload: JSON.stringify(payload) });
const ofPackage = (package_id: string, fields: object) => asking({ packages: [{ package_id, ...fields }] });
const RAISE = ofPackage('pkg_1', { budget: 200 });
const LATER_END = asking({ endTime: '2027-01-20T00:00:00.000Z' });
const REFUSED: Change = { state: 'refused', error_code: 'source_rejected', error_owner: 'seller' };
const raiseRefused: Change = { ...REFUSED, ...RAISE, id: 'raise' };
const STOPS = ['pause', 'resume', 'cancel', 'archive'] as const;
type Action = (typeof STOPS)[number];

/** Which of these, the latest first, are still told as refused. */
const told = (changes: readonly Change[], buy: Parameters<typeof mediaBuyRow>[0] = {}) =>
  refusedStill(
    mediaBuyRow(buy),
    changes.map((one) => mediaBuyChangeRow(one)),
  ).map(({ id }) => id);

describe('a refused change', () => {
  const OF_IT: readonly Change[] = [ofPackage('pkg_1', { budget: 150, pacing: 'asap' })];
  const CALLED_OFF: Change = {
    ...{ action: 'cancel', proposed: toJson({ packages: [] }) },
    ...ofPackage('pkg_1', { canceled: true }),
  };
  const ENDS: readonly Change[] = [
    { action: 'cancel', ...asking({ canceled: true }) },
    { action: 'archive', ...asking({ canceled: true }) },
  ];
  const OTHER: readonly Change[] = [
    asking({}),
    ofPackage('pkg_1', { pacing: 'asap' }),
    ofPackage('pkg_2', { budget: 150 }),
    LATER_END,
    { action: 'pause', ...asking({ paused: true }) },
    { action: 'resume', ...asking({ paused: false }) },
    { action: 'cancel', proposed: toJson({ packages: [] }), ...ofPackage('pkg_2', { canceled: true }) },
  ];

  test.each(changeStates)(
    'of a package is settled by what asks for the same of it, where that is %s',
    (state) => {
      const isTold = (later: Change) => told([{ ...later, state }, raiseRefused]).includes('raise');
      const isSuperseded = state === 'superseded';

      for (const later of OF_IT) expect(isTold(later)).toBe(isSuperseded);
      for (const later of [CALLED_OFF, ...ENDS])
        expect(isTold(later)).toBe(isSuperseded || state === 'refused');
      for (const later of OTHER) expect(isTold(later)).toBe(true);
    },
  );

  test('that would hold it, let it go on or end it is settled by any other of these', () => {
    const stops = STOPS.map((action) => ({ action }));

    for (const before of stops) {
      for (const later of stops) {
        expect(
          told([
            { ...later, state: 'confirmed' },
            { ...before, ...REFUSED },
          ]),
        ).toEqual([]);
      }
      const others = told(
        [
          { ...RAISE, state: 'confirmed' },
          { ...before, ...REFUSED, id: 'stop' },
        ],
        {
          status: before.action === 'pause' ? 'ACTIVE' : 'PAUSED',
        },
      );
      expect(others).toEqual(['stop']);
    }
  });

  const ofKinds: Readonly<Record<string, readonly Action[]>> = {
    'hold it or let it go on': ['pause', 'resume'],
    'end it': ['cancel', 'archive'],
  };
  test.each(Object.entries(ofKinds))(
    'that would %s is settled, of those refused, by such alone',
    (_, same) => {
      // None of them is done yet where its seller has still to decide.
      const left = (before: Action, later: Action) =>
        told(
          [
            { ...REFUSED, action: later, id: 'later' },
            { ...REFUSED, action: before, id: 'before' },
          ],
          { status: 'PENDING_APPROVAL' },
        );

      for (const before of same) {
        const settledBy = STOPS.filter((later) => !left(before, later).includes('before'));
        expect(settledBy).toEqual(same);
      }
    },
  );

  test('is shown no more as the change of its media buy once that stands so, and what waits is', () => {
    const pause = mediaBuyChangeRow({ ...REFUSED, action: 'pause', id: 'pause' });
    const raise = mediaBuyChangeRow({ ...RAISE, state: 'waiting', created_at: '2026-11-01T00:00:00.000Z' });
    const shown = (status: 'ACTIVE' | 'PAUSED', changes: Parameters<typeof changesTold>[1]) =>
      changesTold(mediaBuyRow({ status }), changes).change;

    expect(shown('ACTIVE', [pause, raise])).toMatchObject({ action: 'pause', state: 'refused' });
    expect(shown('PAUSED', [pause, raise])).toMatchObject({ action: 'update', state: 'waiting' });
    expect(shown('PAUSED', [pause])).toBeUndefined();
  });

  test('is told beside a later one that was refused of a part of it, and alone where that is of all of it', () => {
    const both = asking({
      endTime: '2027-01-20T00:00:00.000Z',
      packages: [{ package_id: 'pkg_1', budget: 1 }],
    });

    expect(
      told([
        { ...raiseRefused, id: 'again' },
        { ...REFUSED, ...both, id: 'both' },
      ]),
    ).toEqual(['again', 'both']);
    expect(told([{ ...REFUSED, ...both, id: 'both' }, raiseRefused])).toEqual(['both']);
  });

  test('is settled once the packages are called off, the order is another, or the media buy is over', () => {
    const renamed: Change = { state: 'confirmed' };
    const gone = toJson([{ package_id: 'pkg_1', product_id: 'p', budget_minor: 1, canceled: true as const }]);

    expect(told([renamed, raiseRefused])).toEqual(['raise']);
    expect(told([renamed, raiseRefused], { packages: gone })).toEqual([]);
    expect(told([renamed, raiseRefused], { forwarded_at: '2026-11-21T00:00:00.000Z' })).toEqual([]);
    expect(told([renamed, raiseRefused], { forwarded_at: '2026-11-19T00:00:00.000Z' })).toEqual(['raise']);
    for (const status of ['COMPLETED', 'CANCELED', 'ARCHIVED', 'FAILED', 'REJECTED', 'DRAFT'] as const) {
      expect(told([renamed, raiseRefused], { status })).toEqual([]);
      expect(told([raiseRefused], { status })).toEqual(['raise']);
    }
  });

  test('is told one by one with the last of them, and beyond three in number', () => {
    const many = [1, 2, 3, 4, 5].map((day) =>
      mediaBuyChangeRow({
        ...REFUSED,
        ...ofPackage(`pkg_${day}`, { budget: 1 }),
        ...{ id: `mbc_${day}`, created_at: `2026-11-0${9 - day}T00:00:00.000Z` },
      }),
    );
    const buy = mediaBuyRow();

    const { explanation } = standingOf(buy, many, {
      now: '2026-12-01T09:00:00.000Z',
      graceMs: 1,
      takeovers: 5,
    });
    const { beside } = changesTold(buy, many);

    expect(explanation.match(/asked for at \S+ was refused/g)).toHaveLength(3);
    expect(explanation).toMatch(/ 2 changes before were refused too, see changes with detail full\.$/);
    expect(beside.join(' ').match(/asked for at \S+ was refused/g)).toHaveLength(3);
    expect(beside.join(' ')).toMatch(/ 1 change before was refused too, see changes with detail full\.$/);
  });
});
