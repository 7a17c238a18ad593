import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShownBuy } from '../support/buying/shown-buy.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ONE = { package_id: 'pkg_1', spend: 7.1, impressions: 700, clicks: 2 };
const OTHER = { package_id: 'pkg_2', spend: 5.2, impressions: 500, clicks: 1 };

describe('a report that names what packages spent, and nothing spent in all', () => {
  let server: TestServer;
  let it: ShownBuy;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    it = await (await ShownBuy.at(server)).bought();
    return () => it.far.agent.stop();
  });
  afterAll(() => server.stop());

  async function reported(fields: object) {
    it.reported = [{ media_buy_id: 'far_buy', ...fields }];
    const { source_message: said } = await it.refresh();
    return { said, performance: (await it.read()).performance };
  }

  test.each([
    ['no totals', {}],
    ['null as totals', { totals: null }],
    ['totals that name no spend', { totals: { spend: null, impressions: 1_200 } }],
  ])('with %s counts as the sum of its packages', async (_what, fields) => {
    const { said, performance } = await reported({ ...fields, by_package: [ONE, OTHER] });

    expect(performance).toMatchObject({ spend: 12.3, impressions: 1_200, clicks: 3 });
    expect(said).toBeUndefined();
  });

  test.each([
    ['a figure that can be none', [ONE, { ...OTHER, spend: -1 }], 'reports -1 as spend'],
    ['a package twice', [ONE, ONE], 'reports on a package more than once'],
    ['a package without an id', [ONE, { spend: 1 }], 'names packages without an id'],
    ['several currencies', [ONE, { ...OTHER, currency: 'EUR' }], 'names packages in several currencies'],
    ['another currency', [{ ...ONE, currency: 'EUR' }], 'reports 7.1 EUR spent of a buy in USD'],
  ])('with %s counts nothing, and is told', async (_what, by_package, words) => {
    const { said, performance } = await reported({ by_package });

    expect(performance).toMatchObject({ spend: 0, impressions: 0 });
    expect(said).toContain(words);
    expect(said).toContain('the report was not taken');
  });

  test('and no packages either tells nothing', async () => {
    expect((await reported({ by_package: [] })).performance).toMatchObject({ spend: 0 });
  });
});
