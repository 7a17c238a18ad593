import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJson } from '../../../store/engine/codec.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PART = [{ interval: 1.5, unit: 'days' }, 'Give a whole number.'] as const;
const FLIGHTS = [
  { interval: 2, unit: 'campaign' },
  'Give 1 where unit is campaign: it is the whole flight.',
] as const;

type Window = (typeof PART | typeof FLIGHTS)[0];

const frequencyCaps = (window: Window) => [{ max_impressions: 3, window }];
const overlay = (window: Window) => ({ frequency_cap: { max_impressions: 3, per: 'devices', window } });
const goals = (window: Window) => [{ kind: 'metric', metric: 'reach', target_frequency: { max: 3, window } }];

/** Each place where a length of time is given, of which sellers take whole units alone. */
const PLACES: readonly (readonly [
  string,
  'post' | 'put' | 'patch',
  string,
  (window: Window) => object,
  string,
])[] = [
  [
    'a new advertiser',
    'post',
    'advertisers',
    (window) => ({
      ...{ name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' },
      frequencyCaps: frequencyCaps(window),
    }),
    'frequencyCaps.0.window',
  ],
  [
    'an advertiser',
    'put',
    'advertisers/1',
    (window) => ({ frequencyCaps: frequencyCaps(window) }),
    'frequencyCaps.0.window',
  ],
  [
    'a campaign',
    'put',
    'campaigns/cmp_x',
    (window) => ({ frequencyCaps: frequencyCaps(window) }),
    'frequencyCaps.0.window',
  ],
  [
    'a package',
    'patch',
    'media-buys/mb_x',
    (window) => ({ packages: [{ packageId: 'p', targetingOverlay: overlay(window) }] }),
    'packages.0.targetingOverlay.frequency_cap.window',
  ],
  [
    'a pause between two',
    'patch',
    'media-buys/mb_x',
    (window) => ({
      packages: [{ packageId: 'p', targetingOverlay: { frequency_cap: { suppress: window } } }],
    }),
    'packages.0.targetingOverlay.frequency_cap.suppress',
  ],
  [
    'a goal of a media buy',
    'patch',
    'media-buys/mb_x',
    (window) => ({ optimization_goals: goals(window) }),
    'optimization_goals.0.target_frequency.window',
  ],
];

describe('a length of time', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  test.each(PLACES)('of %s is whole units, and one of a campaign: 400', async (...place) => {
    const [, method, path, body, at] = place;
    for (const [window, message] of [PART, FLIGHTS]) {
      const reply = await buyer[method](`/buyer/${path}`, body(window));

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [`${at}.interval`]: message } });
    }
  });

  test('of a whole flight is taken', async () => {
    const caps = [{ max_impressions: 3, window: { interval: 1, unit: 'campaign' } }];

    const id = await newAdvertiser(buyer, { frequencyCaps: caps });

    expect(done(await buyer.get(`/buyer/advertisers/${id}`)).frequencyCaps).toMatchObject(caps);
  });

  test('that an earlier version stored is shown as it is, and replaced', async () => {
    const id = await newAdvertiser(buyer);
    const now = '2026-01-01T00:00:00.000Z';
    const caps = [{ id: 'fcap_1', max_impressions: 3, window: PART[0], created_at: now }];
    await server.store.db
      .withoutPlugins()
      .updateTable('advertisers')
      .set({ frequency_caps: toJson(caps) })
      .where('id', '=', Number(id))
      .execute();
    const path = `/buyer/advertisers/${id}`;
    expect(done(await buyer.get(path)).frequencyCaps).toMatchObject([{ window: PART[0] }]);

    const whole = { max_impressions: 3, window: { interval: 36, unit: 'hours' } };
    const changed = done(await buyer.put(path, { frequencyCaps: [whole] }));

    expect(changed.frequencyCaps).toMatchObject([whole]);
  });
});
