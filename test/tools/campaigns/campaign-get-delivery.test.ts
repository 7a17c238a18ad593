import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, runningCampaign } from '../../support/buying/running-campaign.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const FIGURES = { impressions: 2_000, spend: 10.5, clicks: 4 };

describe('campaign_get_delivery', () => {
  let server: TestServer;
  let running: Running;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    running = await runningCampaign(server);
    const entry = { media_buy_id: 'far_1', status: 'active', packages: [] };
    running.seller.agent.on('get_media_buys', () => ({ media_buys: [entry] }));
  });
  afterAll(async () => {
    await server.stop();
    await running.seller.agent.stop();
  });

  const delivery = async () =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery`)).delivery;

  const ofDays = async (query: string) =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery?${query}`)).delivery;

  test('200: gives what the seller says at this moment, for each media buy and in all', async () => {
    const totals = { impressions: 2_000, spend: 10.5, clicks: 4 };
    running.seller.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals }],
    }));

    expect(await delivery()).toMatchObject({
      currency: 'USD',
      totals: { ...totals, cpm: 5.25, ctr: 0.002 },
      mediaBuys: [
        {
          ...totals,
          status: 'ACTIVE',
          sandbox: false,
          source: 'direct_agent',
          lastUpdated: expect.any(String),
        },
      ],
    });
  });

  test('asks for the days and placements that are named, and keeps its own sums', async () => {
    const sums = (await delivery()).totals;
    running.seller.agent.on('get_media_buy_delivery', ({ start_date }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: 'far_1',
          totals: start_date === undefined ? sums : { impressions: 10, spend: 1.5, clicks: 1 },
          by_package: [
            {
              package_id: 'pkg_1',
              by_placement: [
                { placement_id: 'low', impressions: 1, spend: 0.5, clicks: 0 },
                { placement_id: 'top', impressions: 9, spend: 1, clicks: 1, conversions: 2 },
              ],
            },
          ],
        },
      ],
    }));
    const path = `/buyer/campaigns/${running.campaignId}/delivery`;
    const query = 'startDate=2026-12-10&endDate=2026-12-11&placementBreakdown=true&placementLimit=1';

    const part = done(await running.buyer.get(`${path}?${query}&placementSortBy=clicks`)).delivery;

    expect(part).toMatchObject({
      totals: { impressions: 10, spend: 1.5, clicks: 1 },
      mediaBuys: [
        {
          impressions: 10,
          placements: [
            { placementId: 'top', packageId: 'pkg_1', impressions: 9, spend: 1, clicks: 1, conversions: 2 },
          ],
        },
      ],
    });
    const asked = running.seller.agent.calls.filter(({ tool }) => tool === 'get_media_buy_delivery');
    expect(asked.at(-1)?.args).toMatchObject({
      start_date: '2026-12-10',
      end_date: '2026-12-11',
      reporting_dimensions: { placement: { limit: 1, sort_by: 'clicks' } },
    });
    expect((await delivery()).totals).toMatchObject({ impressions: sums.impressions });
  });

  test('shows nothing of days and placements that costs more than twice the budget', async () => {
    const told = { impressions: 10, spend: 1e9, clicks: 1 };
    const place = (placement_id: string, spend: number) => ({ placement_id, impressions: 1, spend });
    const by_package = [
      { package_id: 'pkg_1', by_placement: [place('low', 1), place('high', 1e9), place('none', 9e15)] },
    ];
    let totals = told;
    running.seller.agent.on('get_media_buy_delivery', ({ start_date }) => ({
      media_buy_deliveries: [
        { media_buy_id: 'far_1', totals: start_date === undefined ? FIGURES : totals, by_package },
      ],
    }));
    const query = 'startDate=2026-12-10&endDate=2026-12-11&placementBreakdown=true';
    const path = `/buyer/campaigns/${running.campaignId}/delivery?${query}`;

    const dear = done(await running.buyer.get(path)).delivery;
    totals = { ...told, spend: 1 };
    const fair = done(await running.buyer.get(path)).delivery;

    expect(dear.totals).toEqual({ impressions: 0, spend: 0, clicks: 0, incomplete: true });
    expect(dear.mediaBuys[0].error).toBe(
      'The seller reports 1000000000 USD spent, more than twice the budget: the report was not taken.',
    );
    expect(dear.mediaBuys[0]).not.toHaveProperty('placements');
    expect(fair.totals).toMatchObject({ impressions: 10, spend: 1 });
    expect(fair.mediaBuys[0].placements).toMatchObject([{ placementId: 'low' }]);
    expect(fair.mediaBuys[0].error).toBe(
      'Placement high: The seller reports 1000000000 USD spent, more than twice the budget: the report was not taken.',
    );
  });

  test('names a report that was not taken, as the media buy does with what is to be done, until one is', async () => {
    const reports = (spend: number) =>
      running.seller.agent.on('get_media_buy_delivery', () => ({
        media_buy_deliveries: [{ media_buy_id: 'far_1', totals: { ...FIGURES, spend } }],
      }));
    const standing = async (mediaBuyId: string) =>
      done(await running.buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
    reports(10.5);
    await delivery();
    reports(1e9);

    const [doubted] = (await delivery()).mediaBuys;

    const doubt =
      'The seller reports 1000000000 USD spent, more than twice the budget: the report was not taken.';
    expect(doubted).toMatchObject({ spend: 10.5, source: 'direct_agent', error: doubt });
    expect(await standing(doubted.mediaBuyId)).toMatchObject({
      sourceMessage: doubt,
      explanation: expect.stringMatching(
        `^It runs\\. ${doubt} You: ask the seller, naming sf:.*, to report it right; until then the figures of its last report that was taken stand\\.$`,
      ),
    });

    reports(11);
    const [taken] = (await delivery()).mediaBuys;
    expect(taken).toMatchObject({ spend: 11 });
    expect(taken).not.toHaveProperty('error');
    expect((await standing(taken.mediaBuyId)).explanation).toBe('It runs: nothing is to be done.');
  });

  describe('with a report that cannot be read', () => {
    const reports = (totals: object, placements: readonly object[] = []) =>
      running.seller.agent.on('get_media_buy_delivery', () => ({
        media_buy_deliveries: [
          {
            ...{ media_buy_id: 'far_1', totals },
            by_package: [{ package_id: 'pkg_1', by_placement: placements }],
          },
        ],
      }));
    const days = 'startDate=2026-12-10&endDate=2026-12-11';

    test.each([
      [{ spend: -5 }, '-5 as spend, which can be no figure'],
      [{ spend: '12.50 for you' }, 'as spend what is no number'],
      [{ impressions: 1e13 }, '10000000000000 as impressions, which can be no figure'],
      [{ clicks: [] }, 'as clicks what is no number'],
    ])('keeps the figures before and gives the reason: %j', async (wrong, reported) => {
      const doubt = `The seller reports ${reported}: the report was not taken.`;
      reports(FIGURES);
      await delivery();
      reports({ ...FIGURES, ...wrong });

      const [doubted] = (await delivery()).mediaBuys;
      const { mediaBuy } = done(await running.buyer.get(`/buyer/media-buys/${doubted.mediaBuyId}`));
      const { mediaBuys } = done(
        await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery?${days}`),
      ).delivery;

      expect(doubted).toMatchObject({ ...FIGURES, error: doubt });
      expect(mediaBuy.sourceMessage).toBe(doubt);
      expect(mediaBuy.explanation).toContain(`${doubt} You: ask the seller`);
      expect(mediaBuys).toMatchObject([{ error: doubt }]);
      reports(FIGURES);
      expect((await delivery()).mediaBuys[0]).not.toHaveProperty('error');
    });

    test('of a placement names it, and shows the others', async () => {
      const place = { impressions: 1, spend: 0.5 };
      reports(FIGURES, [
        { ...place, placement_id: 'low', spend: -1 },
        { ...place, placement_id: 'top' },
      ]);

      const [buy] = done(
        await running.buyer.get(
          `/buyer/campaigns/${running.campaignId}/delivery?${days}&placementBreakdown=true`,
        ),
      ).delivery.mediaBuys;

      expect(buy.placements).toMatchObject([{ placementId: 'top' }]);
      expect(buy.error).toBe(
        'Placement low: The seller reports -1 as spend, which can be no figure: the report was not taken.',
      );
    });
  });

  describe('of two sellers', () => {
    const MOST = Number.MAX_SAFE_INTEGER;
    let odd: FarSeller;
    let honest: FarSeller;
    let campaignId: string;
    beforeAll(async () => {
      odd = await farSeller(server, 'Odd');
      honest = await farSeller(server, 'Honest');
      for (const { agent, name } of [odd, honest]) {
        const entry = { media_buy_id: name, status: 'active', packages: [] };
        agent.on('create_media_buy', () => entry);
        agent.on('get_media_buys', () => ({ media_buys: [entry] }));
      }
      const advertiserId = await newAdvertiser(running.buyer);
      const storefrontIds = [odd.storefrontId, honest.storefrontId];
      campaignId = (await draftCampaign(running.buyer, { advertiserId, storefrontIds })).campaignId;
      done(await running.buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      return () => Promise.all([odd.agent.stop(), honest.agent.stop()]);
    });

    const says = ({ agent, name }: FarSeller, totals: object) =>
      agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [{ media_buy_id: name, totals }] }));
    const totalsOf = async (query = '') =>
      done(await running.buyer.get(`/buyer/campaigns/${campaignId}/delivery${query}`)).delivery.totals;

    test.each(['impressions', 'clicks'])('counts what can be, whatever one tells of %s', async (figure) => {
      says(odd, { impressions: 1, spend: 1, clicks: 1, [figure]: MOST });
      says(honest, FIGURES);

      expect(await totalsOf()).toMatchObject(FIGURES);
      expect(await totalsOf('?startDate=2026-12-01&endDate=2026-12-11')).toMatchObject(FIGURES);
    });

    test('counts a million millions', async () => {
      says(odd, { impressions: 1e12, spend: 1, clicks: 1e12 });
      says(honest, FIGURES);

      const { impressions, clicks } = await totalsOf('?startDate=2026-12-01&endDate=2026-12-11');

      expect({ impressions, clicks }).toEqual({
        impressions: 1e12 + FIGURES.impressions,
        clicks: 1e12 + FIGURES.clicks,
      });
    });

    test('adds up no further than it can count', async () => {
      for (const { agent } of [odd, honest]) agent.on('get_media_buys', () => ({ nothing: true }));
      for (const seller of [odd, honest]) says(seller, { impressions: -1 });
      await server.store.db
        .withoutPlugins()
        .updateTable('media_buys')
        .set({ impressions: MOST, clicks: MOST })
        .where('campaign_id', '=', campaignId)
        .execute();

      expect(await totalsOf()).toMatchObject({ impressions: MOST, clicks: MOST });
    });
  });

  test.each([
    ['all of its time', '2026-12-01', '2026-12-31'],
    ['a day more', '2026-12-09', '2026-12-11'],
    ['other days', '2026-12-13', '2026-12-14'],
  ])('takes no report of %s for the days that were asked about', async (_what, start, end) => {
    running.seller.agent.on('get_media_buy_delivery', () => ({
      reporting_period: { start, end },
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals: FIGURES }],
    }));

    const { totals, mediaBuys } = await ofDays('startDate=2026-12-10&endDate=2026-12-11');

    expect(totals).toEqual({ impressions: 0, spend: 0, clicks: 0, incomplete: true });
    expect(mediaBuys[0].spend).toBeUndefined();
    expect(mediaBuys[0].error).toBe(
      `The seller reports ${start} to ${end}, where 2026-12-10 to 2026-12-11 were asked for: the report was not taken.`,
    );
  });

  test.each([
    ['in UTC', '2026-12-10T00:00:00Z', '2026-12-11T23:59:59Z', ['2026-12-10', '2026-12-11']],
    [
      'up to the first moment after them',
      '2026-12-10T00:00:00Z',
      '2026-12-12T00:00:00Z',
      ['2026-12-10', '2026-12-11'],
    ],
    ['in New York', '2026-12-10T05:00:00Z', '2026-12-12T05:00:00Z', ['2026-12-10', '2026-12-12']],
    ['in Auckland', '2026-12-09T11:00:00Z', '2026-12-11T11:00:00Z', ['2026-12-09', '2026-12-11']],
    ['with blanks', '2026-12-10', ' 2026-12-11 ', ['2026-12-10', '2026-12-11']],
    ['as far as they are counted', '2026-12-10', '2026-12-10', ['2026-12-10', '2026-12-10']],
  ])('takes a report of the days that were asked about, %s, and says which they are', async (...given) => {
    const [, start, end, [windowStart, windowEnd]] = given;
    running.seller.agent.on('get_media_buy_delivery', () => ({
      reporting_period: { start, end },
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals: FIGURES }],
    }));

    expect(await ofDays('startDate=2026-12-10&endDate=2026-12-11')).toMatchObject({
      totals: { spend: FIGURES.spend },
      mediaBuys: [{ spend: FIGURES.spend, source: 'direct_agent', windowStart, windowEnd }],
    });
  });

  test.each([
    ['the first moment that can be written', '-271821-04-20T00:00:00.000Z'],
    ['the last one', '+275760-09-13T00:00:00.000Z'],
  ])('takes figures of a report that ends at %s, and says no days of it', async (_, end) => {
    running.seller.agent.on('get_media_buy_delivery', () => ({
      reporting_period: { start: '2026-12-10', end },
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals: FIGURES }],
    }));

    const { mediaBuys } = done(
      await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery`),
    ).delivery;

    expect(mediaBuys).toMatchObject([{ spend: FIGURES.spend }]);
    expect(mediaBuys[0].error).toBeUndefined();
  });

  test('says which seller tells nothing of the days', async () => {
    running.seller.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));

    const path = `/buyer/campaigns/${running.campaignId}/delivery?startDate=2026-11-01`;
    const { totals, mediaBuys } = done(await running.buyer.get(path)).delivery;

    expect(totals).toMatchObject({ impressions: 0 });
    expect(mediaBuys).toMatchObject([{ error: 'The seller says nothing of this.' }]);
    expect(mediaBuys[0]).not.toHaveProperty('impressions');
  });

  test.each<[string, Readonly<Record<string, string | RegExp>>]>([
    ['startDate=2026-12-11&endDate=2026-12-10', { endDate: 'The end is before the start.' }],
    ['startDate=2030-01-01', { startDate: /^It is still to come: today is 20\d\d-\d\d-\d\d\.$/ }],
    ['endDate=2020-01-01', { endDate: /^The flight begins on 20\d\d-\d\d-\d\d\.$/ }],
    ['placementLimit=3', { placementBreakdown: 'Give true: placements are told by no other way.' }],
    ['startDate=tomorrow', { startDate: 'Give a day, such as 2030-03-01.' }],
  ])('400 VALIDATION_ERROR for %s', async (query, at) => {
    const reply = await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery?${query}`);

    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at });
  });

  test('lets the last figures stand where the seller does not answer, and says so', async () => {
    running.seller.agent.on('get_media_buys', () => ({ nothing: true }));

    expect(await delivery()).toMatchObject({
      totals: { impressions: 2_000 },
      mediaBuys: [{ impressions: 2_000, source: 'refresh_failed', error: expect.any(String) }],
    });
  });
});
