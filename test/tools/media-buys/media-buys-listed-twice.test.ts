import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShownBuy } from '../../support/buying/shown-buy.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NOTHING = 'It runs: nothing is to be done.';

describe('a media buy that its seller lists more than once', () => {
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

  const LATER = '2027-03-01T00:00:00.000Z';
  const parts = (...ids: string[]) => ids.map((package_id) => it.part({ package_id }));
  test.each<[string, () => object, string]>([
    ['status', () => ({ status: 'canceled' }), 'status'],
    ['status, of its own field', () => ({ media_buy_status: 'completed' }), 'status'],
    ['end', () => ({ end_time: LATER }), 'end_time'],
    ['actions', () => ({ valid_actions: [] }), 'valid_actions'],
    ['packages', () => ({ packages: parts('pkg_1', 'pkg_2') }), 'packages'],
    ['status and start', () => ({ status: 'paused', start_time: LATER }), 'status, start_time'],
  ])('with another %s stands as it stood, in whatever order, and is told', async (_, other, fields) => {
    const before = await it.read();
    for (const listed of [
      [it.entry(), it.entry(other())],
      [it.entry(other()), it.entry()],
    ]) {
      it.listed = listed;

      const { source_message: said, internal_status } = await it.refresh();

      expect(internal_status).toBe('ACTIVE');
      expect(said).toMatch(
        new RegExp(
          `^Agent lists far_buy more than once, each time with another ${fields}: nothing of that was taken\\. Ask the seller, naming sf:\\S+, to list each media buy once\\.$`,
        ),
      );
      expect(await it.read()).toMatchObject({
        status: 'ACTIVE',
        endTime: before.endTime,
        packages: before.packages,
        explanation: `It runs. ${said}`,
      });
      expect(await it.bound()).toBe(100);
    }
    it.listed = [it.entry(), it.entry()];
    expect((await it.refresh()).source_message).toBeUndefined();
    expect((await it.read()).explanation).toBe(NOTHING);
  });

  test('is what its entries show alike, where they differ in something else', async () => {
    it.listed = [it.entry({ status: 'paused' }), it.entry({ status: 'paused', end_time: LATER })];

    expect(await it.refresh()).toMatchObject({
      internal_status: 'PAUSED',
      source_message: expect.stringContaining('with another end_time'),
    });
  });

  test('with another budget of a package is told as that of a package that is listed twice', async () => {
    it.listed = [it.entry(), it.entry({ packages: [it.part({ budget: 400 })] })];

    expect((await it.refresh()).source_message).toContain(
      'Agent lists pkg_1 more than once, each time with another budget: nothing of that was taken',
    );
    expect((await it.read()).packages).toMatchObject([{ budget: 100 }]);
  });

  describe('in its report', () => {
    const report = (spend: number, more: object = {}) => ({
      media_buy_id: 'far_buy',
      totals: { spend, impressions: 1_000, clicks: 1 },
      ...more,
    });
    const by = (package_id: string, spend: number) => ({
      by_package: [{ package_id, spend, impressions: 1, clicks: 0 }],
    });

    test.each([
      [50, 70],
      [70, 50],
    ])('with %i and %i spent counts nothing, and is told', async (one, other) => {
      it.reported = [report(one), report(other)];

      const said = (await it.refresh()).source_message;

      expect(said).toBe(
        'The seller reports on the media buy more than once, each time with another spend: the report was not taken.',
      );
      const now = await it.read();
      expect(now.performance).toMatchObject({ spend: 0, impressions: 0 });
      expect(now.explanation).toContain(said);
      it.reported = [report(50)];
      await it.refresh();
      expect((await it.read()).performance).toMatchObject({ spend: 50 });
    });

    test('with figures in one entry alone counts nothing, in whatever order', async () => {
      const none = { media_buy_id: 'far_buy' };
      for (const reported of [
        [none, report(50)],
        [report(50), none],
      ]) {
        it.reported = reported;

        expect((await it.refresh()).source_message).toBe(
          'The seller reports on the media buy more than once, and not each time with figures: the report was not taken.',
        );
        expect((await it.read()).performance).toMatchObject({ spend: 0 });
      }
    });

    test('with the same twice counts once', async () => {
      it.reported = [report(50, by('pkg_1', 50)), report(50, by('pkg_1', 50))];

      expect((await it.refresh()).source_message).toBeUndefined();
      expect(await it.read()).toMatchObject({
        performance: { spend: 50 },
        packages: [{ delivery: { spend: 50 } }],
      });
    });

    test.each([
      ['other figures of a package', () => by('pkg_1', 20)],
      ['no figures of a package', () => ({ by_package: [] })],
    ])('with the same total and %s counts for the whole alone', async (_, other) => {
      it.reported = [report(50, by('pkg_1', 50)), report(50, other())];

      expect((await it.refresh()).source_message).toMatch(
        /^Package pkg_1: The seller reports on it more than once.*: the report was taken for the whole alone\.$/,
      );
      const now = await it.read();
      expect(now.performance).toMatchObject({ spend: 50 });
      expect(now.packages[0].delivery?.spend ?? 0).toBe(0);
    });

    test('with another status stands where it stood', async () => {
      it.far.agent.on('get_media_buys', () => ({ media_buys: [] }));
      it.reported = [report(50, { status: 'canceled' }), report(50, { status: 'active' })];

      expect((await it.refresh()).internal_status).toBe('ACTIVE');
    });
  });
});
