import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { STATUSES } from '../support/buying/money-facts.ts';
import { everythingOf, type MoneyWorld, moneyWorld } from '../support/buying/money-world.ts';
import { refusedChanges } from '../support/buying/refused-changes.ts';
import { refusedOrders } from '../support/buying/refused-orders.ts';
import { type Outcome, overMcp, overRest } from '../support/callers/tool-lanes.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const REFUSALS = [...refusedOrders, ...refusedChanges];

/** What a refusal says, on whatever way: REST has what to do next among its details. */
function saidBy({ status, content }: Outcome, isRest: boolean) {
  const { code, message, field, details = {} } = content;
  const { suggestion, ...others } = { suggestion: content['suggestion'], ...Object(details) };
  return {
    ...(isRest ? { status } : {}),
    code,
    message: pausedClock(message),
    field,
    suggestion,
    details: others,
  };
}

/** The clock runs on between two calls, by less than a cent a day. */
function pausedClock(message: unknown): string {
  return String(message).replace(/\b25\.0\d USD a day/, '25.00 USD a day');
}

describe('a refusal of money, or of what a seller cannot do', () => {
  const clock = skippingClock();
  let server: TestServer;
  let world: MoneyWorld;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterEach(() => world.far.agent.stop());
  afterAll(() => server.stop());

  test.each(REFUSALS)(
    'of %s, %s where %s, carries all its details by either way, and nothing is changed',
    async (...[name, code, , arrange]) => {
      world = await moneyWorld({ server, clock });
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      const { args, details, field, key = world.buyer.key } = await arrange(world);
      const before = await everythingOf(world);
      const call = { url: server.url, key, tool, args };

      const rest = await overRest(call);
      expect(await everythingOf(world)).toEqual(before);
      const mcp = await overMcp(call);
      expect(await everythingOf(world)).toEqual(before);

      expect(saidBy(rest, true)).toEqual({
        status: STATUSES[code],
        code,
        message: expect.stringMatching(/\.$/),
        field,
        suggestion: expect.stringMatching(/\.$/),
        details,
      });
      const { status: _status, ...same } = saidBy(rest, true);
      expect(saidBy(mcp, false)).toEqual({ ...same, details });
    },
  );
});

describe('the table of refusals', () => {
  test('has every tool that declares one', () => {
    const declared = tools.flatMap(({ name, errors }) =>
      errors.filter((code) => code in STATUSES).map((code) => `${name} ${code}`),
    );
    const shown = new Set(REFUSALS.map(([tool, code]) => `${tool} ${code}`));

    expect([...shown].sort()).toEqual(declared.sort());
  });
});
