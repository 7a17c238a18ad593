import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShownBuy } from '../../support/buying/shown-buy.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NOTHING = 'It runs: nothing is to be done.';

describe('an amount that can be none', () => {
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

  test.each([
    [-5, '-5 as a budget, which can be none'],
    [1e15, '1000000000000000 as a budget, which can be none'],
    [1e300, '1e\\+300 as a budget, which can be none'],
    ['500', 'as a budget what is no number'],
    [{ amount: 100 }, 'as a budget what is no number'],
  ])(
    'shown as the budget of a package, %j, changes nothing, and is told until it is one',
    async (budget, words) => {
      await it.bought();
      it.listed = [it.entry({ packages: [it.part({ budget })] })];

      const said = (await it.refresh()).source_message;

      expect(said).toMatch(
        new RegExp(
          `^Agent shows ${words}, for pkg_1: nothing of that was taken, and 100\\.00 USD stay bound\\. Ask the seller, naming sf:\\S+, to show what was ordered\\.$`,
        ),
      );
      expect(await it.read()).toMatchObject({
        budget: 100,
        packages: [{ budget: 100 }],
        explanation: `It runs. ${said}`,
      });
      expect(await it.bound()).toBe(100);
      it.listed = [it.entry()];
      expect((await it.refresh()).source_message).toBeUndefined();
      expect((await it.read()).explanation).toBe(NOTHING);
    },
  );

  test('is told from the answer to the order on', async () => {
    it.listed = [it.entry({ packages: [it.part({ budget: -5 })] })];

    await it.bought();

    expect((await it.read()).explanation).toMatch(
      /^It runs\. Agent shows -5 as a budget, which can be none, for pkg_1/,
    );
  });

  test('shown as a bid is told as one', async () => {
    await it.bought();
    it.listed = [it.entry({ packages: [it.part({ bid_price: -1 })] })];

    expect((await it.refresh()).source_message).toMatch(
      /^Agent shows -1 as a bid, which can be none, for pkg_1: /,
    );
  });

  test('confirms no raise', async () => {
    await it.bought();
    it.listed = [it.entry({ packages: [it.part({ budget: -5 })] })];

    done(await it.buyer.patch(it.path, { packages: [{ packageId: 'pkg_1', budget: 150 }] }));

    const now = await it.read();
    expect(now).toMatchObject({ budget: 100, changes: [{ state: 'waiting' }] });
    expect(now.explanation).toContain('package pkg_1 shows -5 as a budget, which can be none');
    expect(await it.bound()).toBe(150);
    it.listed = [it.entry({ packages: [it.part({ budget: 150 })] })];
    await it.refresh();
    expect(await it.read()).toMatchObject({ budget: 150, explanation: NOTHING });
  });

  test.each([
    [-5, '-5 as a budget, which can be none'],
    ['500', 'as a budget what is no number'],
  ])('shown as the total of a media buy without packages, %j, is told', async (total_budget, words) => {
    await it.bought();
    it.listed = [it.entry({ packages: [], total_budget })];

    expect((await it.refresh()).source_message).toContain(
      `Agent shows ${words}, for far_buy: nothing of that was taken, and 100.00 USD stay bound.`,
    );
    expect(await it.read()).toMatchObject({ budget: 100, packages: [{ budget: 100 }] });
  });
});
