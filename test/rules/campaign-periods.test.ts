import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PacingPeriods } from '../../store/campaigns.ts';
import { type CampaignStatus, campaignStatuses } from '../../store/campaigns.ts';
import type { MediaBuyRow } from '../../store/media-buys.ts';
import { next } from '../../tools/core/machines.ts';
import { afterFlight, afterNews } from '../../tools/domain/buying/campaign-settling.ts';
import { type CampaignEvent, campaignMachine } from '../../tools/domain/buying/machines.ts';
import { missedBy, targetingOf } from '../../tools/domain/campaigns/constraints.ts';
import { pacingProblems, spreadOver } from '../../tools/domain/campaigns/pacing-periods.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const flight = { startAt: '2026-12-10T00:00:00.000Z', endAt: '2026-12-20T00:00:00.000Z', currency: 'USD' };
const weights = (...periods: [string, string, number][]): PacingPeriods => ({
  mode: 'weight',
  periods: periods.map(([start, end, weight], index) => ({ label: `p${index}`, start, end, weight })),
});

describe('the states of a campaign', () => {
  const ways: Readonly<Record<CampaignEvent, Partial<Record<CampaignStatus, CampaignStatus>>>> = {
    change: { DRAFT: 'DRAFT', ACTIVE: 'ACTIVE', PAUSED: 'PAUSED' },
    execute: {
      DRAFT: 'ACTIVE',
      ACTIVE: 'ACTIVE',
      PAUSED: 'PAUSED',
      COMPLETED: 'COMPLETED',
      CANCELED: 'CANCELED',
      ARCHIVED: 'ARCHIVED',
    },
    refuse: { ACTIVE: 'DRAFT', PAUSED: 'DRAFT' },
    pause: { ACTIVE: 'PAUSED', PAUSED: 'PAUSED' },
    reactivate: { PAUSED: 'ACTIVE' },
    complete: { ACTIVE: 'COMPLETED', PAUSED: 'COMPLETED' },
    cancel: {
      ACTIVE: 'CANCELED',
      PAUSED: 'CANCELED',
      COMPLETED: 'COMPLETED',
      CANCELED: 'CANCELED',
      ARCHIVED: 'ARCHIVED',
    },
    archive: {
      DRAFT: 'ARCHIVED',
      ACTIVE: 'ARCHIVED',
      PAUSED: 'ARCHIVED',
      COMPLETED: 'ARCHIVED',
      CANCELED: 'ARCHIVED',
      ARCHIVED: 'ARCHIVED',
    },
    goOn: { DRAFT: 'ACTIVE' },
  };
  const events = Object.keys(ways) as CampaignEvent[];

  test.each(events.flatMap((event) => campaignStatuses.map((status) => [event, status] as const)))(
    '%s of one that is %s leads where the table says',
    (event, status) => {
      expect(next(campaignMachine, status, event)).toBe(ways[event][status]);
    },
  );
});

describe('a campaign by its media buys', () => {
  type Changes = Partial<MediaBuyRow> & Pick<MediaBuyRow, 'status'>;
  const of = (changes: Changes) => mediaBuyRow({ valid_from: '2026-11-02T00:00:00.000Z', ...changes });
  const buy = (status: MediaBuyRow['status'], changes: Partial<MediaBuyRow> = {}) =>
    of({ status, ...changes });
  const figures_awaited_since = '2026-11-02T00:00:00.000Z';

  test.each<[Changes[], CampaignStatus]>([
    [[{ status: 'ACTIVE' }, { status: 'FAILED' }], 'ACTIVE'],
    [[{ status: 'PAUSED' }], 'ACTIVE'],
    [[{ status: 'FAILED', submission: 'unknown' }], 'ACTIVE'],
    [[{ status: 'DRAFT', submission: 'sending' }], 'ACTIVE'],
    [[{ status: 'FAILED' }, { status: 'REJECTED' }], 'DRAFT'],
    [[{ status: 'ARCHIVED', adcp_media_buy_id: null }], 'DRAFT'],
    [[{ status: 'ARCHIVED', adcp_media_buy_id: 'far_1' }], 'CANCELED'],
    [[{ status: 'ARCHIVED' }, { status: 'REJECTED', adcp_media_buy_id: 'far_2' }], 'CANCELED'],
    [[{ status: 'ARCHIVED' }, { status: 'FAILED', adcp_media_buy_id: null }], 'DRAFT'],
    [[{ status: 'COMPLETED' }, { status: 'FAILED' }], 'COMPLETED'],
    [[{ status: 'CANCELED' }], 'CANCELED'],
    [[{ status: 'CANCELED' }, { status: 'REJECTED' }], 'CANCELED'],
    [[{ status: 'CANCELED' }, { status: 'COMPLETED' }], 'COMPLETED'],
    [[{ status: 'CANCELED', spend_minor: 5 }], 'COMPLETED'],
    [[{ status: 'CANCELED', impressions: 5 }], 'COMPLETED'],
    [[{ status: 'CANCELED', figures_awaited_since }], 'COMPLETED'],
    [[{ status: 'REJECTED', figures_awaited_since }], 'COMPLETED'],
    [[{ status: 'ARCHIVED', spend_minor: 5 }], 'COMPLETED'],
  ])('of %j goes from ACTIVE to %s', (buys, status) => {
    expect(afterNews({ status: 'ACTIVE', archived_at: null }, buys.map(of))).toBe(status);
  });

  test('whose deletion was asked for is archived once none of them lives', () => {
    const standing = { status: 'CANCELED' as const, archived_at: '2026-12-01T00:00:00.000Z' };
    expect(afterNews(standing, [buy('ACTIVE'), buy('CANCELED')])).toBe('CANCELED');
    expect(afterNews(standing, [buy('ARCHIVED'), buy('CANCELED')])).toBe('ARCHIVED');
  });

  test('is over with its flight, unless nobody knows what became of an order', () => {
    const at = (day: number) => `2026-12-0${day}T00:00:00.000Z`;
    const now = at(2);
    const ended = (status: 'PAUSED' | 'ACTIVE' | 'DRAFT') => ({ status, archived_at: null, end_at: at(1) });
    expect(afterFlight(ended('PAUSED'), [buy('ACTIVE')], now)).toBe('COMPLETED');
    expect(afterFlight(ended('ACTIVE'), [buy('FAILED', { submission: 'unknown' })], now)).toBe('ACTIVE');
    expect(afterFlight(ended('DRAFT'), [], now)).toBe('DRAFT');
    expect(afterFlight({ ...ended('ACTIVE'), end_at: at(3) }, [], now)).toBe('ACTIVE');
  });
});

describe('pacing periods', () => {
  test('share a budget by days and weight, to the last minor unit', () => {
    const share = fc.record({
      budget: fc.integer({ min: 1, max: 1e12 }),
      weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
    });
    fc.assert(
      fc.property(share, ({ budget, weight }) => {
        const pacing = weights(['2026-12-10', '2026-12-11', weight], ['2026-12-13', '2026-12-19', 1]);
        const lines = spreadOver(pacing, { ...flight, budgetMinor: budget, now: flight.startAt });
        expect(lines.reduce((sum, { budgetMinor }) => sum + budgetMinor, 0)).toBe(budget);
      }),
    );
  });

  test('begin and end with their days inside the flight, and leave the gaps empty', () => {
    const pacing = weights(['2026-12-10', '2026-12-11', 1], ['2026-12-15', '2026-12-19', 2]);

    expect(spreadOver(pacing, { ...flight, budgetMinor: 1_200, now: '2026-12-11T12:00:00.000Z' })).toEqual([
      {
        label: 'p0',
        budgetMinor: 200,
        startTime: '2026-12-11T12:00:00.000Z',
        endTime: '2026-12-12T00:00:00.000Z',
      },
      {
        label: 'p1',
        budgetMinor: 1_000,
        startTime: '2026-12-15T00:00:00.000Z',
        endTime: '2026-12-20T00:00:00.000Z',
      },
    ]);
  });

  test('with a budget each spend nothing of one that is over', () => {
    const pacing: PacingPeriods = {
      mode: 'budget',
      periods: [
        { label: 'a', start: '2026-12-10', end: '2026-12-11', budget: 3 },
        { label: 'b', start: '2026-12-12', end: '2026-12-13', budget: 1 },
      ],
    };

    const lines = spreadOver(pacing, { ...flight, budgetMinor: 400, now: '2026-12-12T00:00:00.000Z' });
    expect(lines.map(({ label, budgetMinor }) => [label, budgetMinor])).toEqual([['b', 100]]);
    expect(pacingProblems(pacing, { ...flight, budgetMinor: 399 })).toEqual([
      { path: 'pacingPeriods.periods', message: 'Together they must not have more than budget.total.' },
    ]);
  });

  test('name what is wrong with each of them', () => {
    const pacing = weights(
      ['2026-12-09', '2026-12-12', 1],
      ['2026-12-12', '2026-12-11', 1],
      ['2026-12-19', '2026-12-20', 1],
    );

    expect(pacingProblems(pacing, { ...flight, budgetMinor: 1 }).map(({ path }) => path)).toEqual([
      'pacingPeriods.periods.0.start',
      'pacingPeriods.periods.1.end',
      'pacingPeriods.periods.2.end',
    ]);
  });
});

describe('a constraint', () => {
  test.each([
    [{ channels: ['print'] }, { channels: ['podcast'] }, ['channels']],
    [{ geo_countries: ['DE'] }, { countries: ['US'] }, ['geo_countries']],
    [{ geo_regions: ['US-CA'] }, { countries: ['DE'] }, ['geo_regions']],
    [
      { geo_postal_areas: [{ system: 'de_plz', values: ['10115'] }] },
      { countries: ['US'] },
      ['geo_postal_areas'],
    ],
    [{ geo_countries_exclude: ['US'] }, { countries: ['US'] }, ['geo_countries_exclude']],
    [{ geo_countries_exclude: ['US'] }, { countries: ['US', 'CA'] }, []],
    [
      { geo_countries: ['FR', 'DE'], geo_countries_exclude: ['FR'] },
      { countries: ['FR', 'US'] },
      ['geo_countries'],
    ],
    [{ device_type: ['mobile'] }, { channels: ['ctv'] }, ['device_type']],
    [{ device_type_exclude: ['dooh'] }, { channels: ['dooh'] }, ['device_type_exclude']],
    [{ device_type: ['mobile'] }, { channels: ['display'] }, []],
    [{ geo_countries: ['DE'], channels: ['print'] }, {}, []],
  ])('%j is missed by a product of %j in %j', (wanted, product, fields) => {
    expect(missedBy({ name: 'It', ...product }, wanted).map(({ field }) => field)).toEqual(fields);
  });

  test('is told to sellers in the words that every version of the protocol knows', () => {
    const geo_postal_areas = [{ country: 'US', system: 'zip', values: ['90210'] }];

    expect(targetingOf({ channels: ['ctv'], language: ['en'], geo_countries: [], geo_postal_areas })).toEqual(
      {
        language: ['en'],
        geo_postal_areas: [{ system: 'us_zip', values: ['90210'] }],
      },
    );
  });
});
