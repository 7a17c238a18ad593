import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShownBuy } from '../../support/buying/shown-buy.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NOTHING = 'It runs: nothing is to be done.';
const [FROM, UNTIL] = ['2026-12-10T00:00:00.000Z', '2026-12-31T00:00:00.000Z'];
const [SOONER, LATER] = ['2026-12-20T00:00:00.000Z', '2027-06-01T00:00:00.000Z'];

describe('a package of which its seller shows dates', () => {
  let server: TestServer;
  let it: ShownBuy;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    it = await ShownBuy.at(server);
    return () => it.far.agent.stop();
  });
  afterAll(() => server.stop());

  const shows = (...parts: object[]) => {
    it.listed = [it.entry({ packages: parts.map((fields) => it.part(fields)) })];
  };

  const WITH = {
    lateEnd: `${LATER} as its end, where ${UNTIL} was ordered`,
    earlyEnd: `${SOONER} as its end, where ${UNTIL} was ordered`,
    start: `${SOONER} as its start, where ${FROM} was ordered`,
  };
  test.each([
    { what: 'a later end', told: { end_time: LATER }, words: WITH.lateEnd },
    { what: 'an earlier end', told: { end_time: SOONER }, words: WITH.earlyEnd },
    { what: 'a later start', told: { start_time: SOONER }, words: WITH.start },
    {
      what: 'both otherwise',
      told: { start_time: SOONER, end_time: LATER },
      words: `${WITH.start}, and ${WITH.lateEnd}`,
    },
  ])(
    'with $what than was ordered is shown so, and told until it is as ordered',
    async ({ told, words }: { told: { start_time?: string; end_time?: string }; words: string }) => {
      const shown = {
        ...(told.start_time === undefined ? {} : { startTime: told.start_time }),
        ...(told.end_time === undefined ? {} : { endTime: told.end_time }),
      };
      await it.bought();
      shows(told);

      const said = (await it.refresh()).source_message;

      expect(said).toMatch(
        new RegExp(
          `^Agent shows pkg_1 with ${words}\\. Ask the seller, naming sf:\\S+, to show what was ordered; or ask for what it shows with media_buy_update\\.$`,
        ),
      );
      expect(await it.packages()).toMatchObject([shown]);
      expect(await it.read()).toMatchObject({
        startTime: FROM,
        endTime: UNTIL,
        packages: [shown],
        explanation: `It runs. ${said}`,
      });
      shows({ start_time: FROM, end_time: UNTIL });
      expect((await it.refresh()).source_message).toBeUndefined();
      const now = await it.read();
      expect(now.explanation).toBe(NOTHING);
      expect(now.packages[0].endTime ?? UNTIL).toBe(UNTIL);
    },
  );

  test('less than a day from what was ordered is not spoken of', async () => {
    await it.bought();
    shows({ start_time: '2026-12-10T10:00:00Z', end_time: '2026-12-30T10:00:00Z' });

    expect((await it.refresh()).source_message).toBeUndefined();
    expect((await it.read()).explanation).toBe(NOTHING);
  });

  test('stays as it was shown while its seller leaves the dates out', async () => {
    await it.bought();
    shows({ end_time: LATER });
    const { source_message: said } = await it.refresh();
    shows({});

    expect((await it.refresh()).source_message).toBe(said);
    expect(await it.packages()).toMatchObject([{ endTime: LATER }]);
  });

  test('is not told for dates that are asked for, nor once they hold', async () => {
    await it.bought();
    shows({ end_time: SOONER });
    await it.refresh();

    done(await it.buyer.patch(it.path, { packages: [{ packageId: 'pkg_1', endTime: SOONER }] }));

    expect(await it.read()).toMatchObject({ explanation: NOTHING, packages: [{ endTime: SOONER }] });
    expect(await it.refresh()).not.toHaveProperty('source_message');
    shows({ end_time: LATER });
    await it.refresh();
    expect((await it.read()).explanation).toContain(`${LATER} as its end, where ${SOONER} was ordered`);
  });

  test('of a period of its own is held against that', async () => {
    const periods = [
      { label: 'p1', start: '2026-12-10', end: '2026-12-12', budget: 100 },
      { label: 'p2', start: '2026-12-20', end: '2026-12-22', budget: 200 },
    ];
    it.far.agent.on('create_media_buy', () => it.listed[0]);
    const both = [
      { package_id: 'pkg_1', budget: 100 },
      { package_id: 'pkg_2', budget: 200 },
    ];
    shows(...both);
    await it.bought({ each: 300, campaign: { pacingPeriods: { mode: 'budget', periods } } });
    const ordered = await it.packages();
    shows(...both.map((one) => ({ ...one, start_time: FROM, end_time: UNTIL })));

    const { source_message: said } = await it.refresh();

    expect(await it.packages()).toMatchObject([{ endTime: UNTIL }, { startTime: FROM, endTime: UNTIL }]);
    expect(said).toContain(`pkg_1 with ${UNTIL} as its end, where ${ordered[0].endTime} was ordered`);
    expect(said).toContain(
      `pkg_2 with ${FROM} as its start, where ${ordered[1].startTime} was ordered, and ${UNTIL} as its end, where ${ordered[1].endTime} was ordered`,
    );
  });

  test('that starts before its media buy was to is told once, as the start of that', async () => {
    await it.bought();
    const early = '2026-12-01T00:00:00.000Z';
    shows({ start_time: early });

    const said: string = (await it.refresh()).source_message;

    expect(said).toContain(`Agent shows ${early} as its start, where ${FROM} was ordered. Ask`);
    expect(await it.packages()).toMatchObject([{ startTime: early }]);
  });
});
