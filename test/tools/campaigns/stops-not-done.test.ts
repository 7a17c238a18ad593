import { beforeEach, describe, expect, test } from 'vitest';
import { worldOfTwo } from '../../support/buying/world-of-two.ts';
import type { Reply } from '../../support/callers/client.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';

/** What it was told of the whole, or of packages. */
interface Told {
  readonly paused?: boolean;
  readonly canceled?: boolean;
  readonly packages?: readonly { readonly package_id: string; readonly canceled: boolean }[];
}

const ALL = ['campaign pause', 'campaign cancel', 'campaign delete', 'pause', 'cancel', 'delete'] as const;
type Stop = (typeof ALL)[number];

/** Where the media buy stands after each, and whether anything of it is bound then. */
const AFTER: Readonly<Record<Stop, { readonly status: string; readonly bound: number }>> = {
  'campaign pause': { status: 'PAUSED', bound: 200 },
  'campaign cancel': { status: 'CANCELED', bound: 0 },
  'campaign delete': { status: 'ARCHIVED', bound: 0 },
  pause: { status: 'PAUSED', bound: 200 },
  cancel: { status: 'CANCELED', bound: 0 },
  delete: { status: 'ARCHIVED', bound: 0 },
};

const NOT_SHOWN = 'The seller took the change, and does not show it yet: it is active.';

/** Two packages of 100 each, at a seller that says yes to what it is asked. */
describe('a stop that its seller took and did not do', () => {
  const world = worldOfTwo();
  let status: string;
  beforeEach(async () => {
    status = 'active';
    const { agent } = world.seller.far;
    agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    await world.buys();
    saysYes();
  });

  const shown = () => ({ ...world.seller.shown(), status });
  const answers = (answer: (asked: Told) => object) =>
    world.seller.far.agent.on('update_media_buy', (asked) => answer(asked as Told));
  /** Answers with the media buy as it is, and does nothing. */
  const saysYes = () => answers(shown);
  const doesIt = () =>
    answers(({ paused, canceled, packages = [] }) => {
      if (paused !== undefined) status = paused ? 'paused' : 'active';
      if (canceled === true) status = 'canceled';
      const ids = new Set(packages.map(({ package_id }) => package_id));
      world.seller.packages = world.seller.packages.map((part) =>
        ids.has(part.package_id) ? { ...part, canceled: true } : part,
      );
      return shown();
    });
  const campaignPath = () => `/buyer/campaigns/${world.buy.campaignId}`;
  const buyPath = () => `/buyer/media-buys/${world.buy.mediaBuyId}`;
  const asks: Readonly<Record<Stop, () => Promise<Reply>>> = {
    'campaign pause': () => world.buyer.post(`${campaignPath()}/pause`, {}),
    'campaign cancel': () => world.buyer.post(`${campaignPath()}/cancel`, {}),
    'campaign delete': () => world.buyer.delete(campaignPath()),
    pause: () => world.buyer.post(`${buyPath()}/pause`, {}),
    cancel: () => world.change({ action: 'cancel' }),
    delete: () => world.change({ action: 'delete' }),
  };
  /** Answers success, whichever of 200, 202 and 204 that is. */
  const asked = async (stop: Stop) => {
    const reply = await asks[stop]();
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    return reply.body?.data;
  };
  const callsOff = async (...packageIds: string[]) =>
    done(await world.change({ action: 'cancel', packageIds }));
  const toldOf = (field: 'paused' | 'canceled' | 'packages') => world.told().map(({ args }) => args[field]);
  const keys = () => world.told().map(({ args }) => args['idempotency_key']);
  const states = async () => (await world.read()).changes.map(({ state }: { state: string }) => state);
  const campaign = async () => done(await world.buyer.get(campaignPath())).campaign;
  const standing = async () => done(await world.buyer.get(`${campaignPath()}/media-buy-status?detail=full`));
  /** What its advertiser needs, where all of them stand. */
  const flags = async (): Promise<string[]> => {
    const { advertiserId } = await campaign();
    const { advertisers } = done(await world.buyer.get('/buyer/all-advertisers-home?take=100'));
    const own = advertisers.find((one: { advertiserId: string }) => one.advertiserId === advertiserId);
    return own.attention?.flags.map(({ label }: { label: string }) => label) ?? [];
  };

  test.each(ALL)('with %s is asked of it again under another key, and done', async (stop) => {
    await asked(stop);
    expect([await states(), await world.committed()]).toEqual([['waiting'], 200]);
    doesIt();

    await asked(stop);

    expect(world.told()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(2);
    expect(toldOf(stop.endsWith('pause') ? 'paused' : 'canceled')).toEqual([true, true]);
    expect(await states()).toEqual(['confirmed', 'superseded']);
    expect(await world.read()).toMatchObject({ status: AFTER[stop].status });
    expect(await world.committed()).toBe(AFTER[stop].bound);
    await world.isSound();
  });

  test.each(ALL)('with %s is sent as often as it is asked for, with all of its money bound', async (stop) => {
    await asked(stop);
    await asked(stop);
    await asked(stop);

    expect(world.told()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(3);
    expect(await states()).toEqual(['waiting', 'superseded', 'superseded']);
    expect(await world.read()).toMatchObject({
      status: 'ACTIVE',
      explanation: expect.stringContaining(NOT_SHOWN),
    });
    expect(await world.committed()).toBe(200);
    await world.isSound();
  });

  test.each([
    { first: 'campaign pause', next: 'campaign cancel' },
    { first: 'pause', next: 'cancel' },
    { first: 'campaign pause', next: 'delete' },
    { first: 'cancel', next: 'delete' },
    { first: 'campaign cancel', next: 'campaign delete' },
    { first: 'campaign cancel', next: 'cancel' },
    { first: 'cancel', next: 'campaign cancel' },
    { first: 'campaign delete', next: 'campaign cancel' },
  ] as const)('with $first gives way to $next', async ({ first, next }) => {
    await asked(first);
    doesIt();

    await asked(next);

    expect(await states()).toEqual(['confirmed', 'superseded']);
    expect((await world.read()).status).toBe(AFTER[next].status);
    expect(await world.committed()).toBe(0);
    await world.isSound();
  });

  test.each([
    { end: 'cancel', pause: 'campaign pause' },
    { end: 'campaign cancel', pause: 'pause' },
    { end: 'delete', pause: 'pause' },
  ] as const)('with $end lets $pause hold the media buy, and stays asked for', async ({ end, pause }) => {
    await asked(end);
    doesIt();

    await asked(pause);

    expect(await states()).toEqual(['confirmed', 'waiting']);
    expect((await world.read()).status).toBe('PAUSED');
    expectRefusal(await world.buyer.post(`${buyPath()}/reactivate`, {}), 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /(?:was taken by its seller, which does not show it|and nothing else)\.$/ },
    });
    expect(await world.committed()).toBe(200);
    await asked('campaign cancel');
    expect((await world.read()).status).toBe('CANCELED');
    expect(await world.committed()).toBe(0);
    await world.isSound();
  });

  test('comes to where its end leads though both wait, and is over once its seller shows it', async () => {
    await asked('cancel');
    await asked('pause');
    expect((await campaign()).mediaBuys[0].pendingChange).toMatchObject({ status: 'CANCELED' });
    expectRefusal(await world.buyer.post(`${buyPath()}/reactivate`, {}), 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /its cancellation, asked for at \S+Z, was taken by its seller, which does not/ },
    });

    status = 'canceled';
    await world.refresh();

    expect((await world.read()).status).toBe('CANCELED');
    expect(await states()).toEqual(['superseded', 'confirmed']);
    expect(await world.committed()).toBe(0);
    await world.isSound();
  });

  test('tells whoever wants other terms to ask for the end again', async () => {
    await asked('cancel');

    const refused = await world.change({ packages: [{ packageId: 'pkg_1', budget: 90 }] });

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      at: {
        'mediaBuys.0.mediaBuyId':
          /: its cancellation, asked for at \S+Z, was taken by its seller, which does not show it\.$/,
      },
    });
    expect(refused.body.error.details.suggestion).toMatch(/^Ask for its end again with campaign_cancel/);
  });

  test.each([
    {
      stop: 'campaign pause',
      warning: /is PAUSED, and of its media buys 1 still run \(.+\)\. Call campaign_pause again\.$/,
      words: 'It runs on, and its campaign is paused. You: call campaign_pause again',
      flag: '1 running on in paused campaigns',
    },
    {
      stop: 'campaign cancel',
      warning: /is CANCELED.*with their budgets bound\. .*campaign_cancel calls them off\.$/,
      words: 'It runs on, and its campaign was called off. You: call campaign_cancel again',
      flag: '1 running on in cancelled campaigns',
    },
  ] as const)('with $stop is said to run on, with the call that stops it', async (told) => {
    const { stop, warning, words, flag } = told;
    const { mediaBuyResults } = await asked(stop);

    expect(mediaBuyResults).toMatchObject([{ success: true, pending: true, error: NOT_SHOWN }]);
    expect((await campaign()).warnings).toEqual([expect.stringMatching(warning)]);
    const { explanation } = await world.read();
    expect(explanation).toContain(words);
    expect(explanation.match(/You: /g)).toHaveLength(1);
    const [buy] = (await standing()).media_buys;
    expect(buy).toMatchObject({ operational_status: 'attention_required', blockers: ['runs_on'] });
    expect(buy.source_message).toContain(words);
    expect(await flags()).toContain(flag);
    doesIt();
    await asked(stop);
    expect(await campaign()).not.toHaveProperty('warnings');
    expect(await flags()).not.toContain(flag);
    expect((await standing()).media_buys[0].blockers).toEqual([]);
  });

  test.each(['pause', 'cancel'] as const)('with %s alone is to be asked for again', async (stop) => {
    await asked(stop);

    expect((await world.read()).explanation).toMatch(
      /it is active\. You: (?:if it is still to be held, )?ask again, or talk to the seller, naming \S+\.$/,
    );
  });

  test('is asked of each package again, also where another is called off', async () => {
    await callsOff('pkg_1');
    expect(await world.committed()).toBe(200);
    expect((await world.read()).explanation).toMatch(/pkg_1 is not canceled\. You: ask again, or talk/);
    await callsOff('pkg_1');
    expect(toldOf('packages')).toMatchObject([
      [{ package_id: 'pkg_1', canceled: true }],
      [{ package_id: 'pkg_1', canceled: true }],
    ]);
    expect(await world.committed()).toBe(200);
    doesIt();

    await callsOff('pkg_2');

    expect(toldOf('packages').at(-1)).toMatchObject([
      { package_id: 'pkg_1', canceled: true },
      { package_id: 'pkg_2', canceled: true },
    ]);
    expect(new Set(keys()).size).toBe(3);
    expect(await states()).toEqual(['confirmed', 'superseded', 'superseded']);
    expect(await world.committed()).toBe(0);
    await world.isSound();
  });

  test('of a package is bound and awaited still where its seller refuses to be asked again', async () => {
    await callsOff('pkg_1');
    answers(() => ({ errors: [{ code: 'NOT_CANCELLABLE', message: 'No.', recovery: 'correctable' }] }));

    await callsOff('pkg_1');

    expect(await states()).toEqual(['refused', 'waiting']);
    expect(await world.committed()).toBe(200);
    doesIt();
    await callsOff('pkg_1');
    expect(await world.committed()).toBe(100);
    await world.isSound();
  });

  test.each(['cancel', 'campaign cancel', 'delete'] as const)(
    'with %s of an order in review is asked for again, and a pause is kept beside it',
    async (stop) => {
      status = 'pending_approval';
      await world.refresh();
      await asked(stop);
      expect(await states()).toEqual(['waiting']);
      await asked('pause');
      expect(await states()).toEqual(['held', 'waiting']);
      expect((await asks.pause()).status).toBe(409);
      expect(world.told()).toHaveLength(1);
      doesIt();

      await asked(stop);

      expect(toldOf('canceled')).toEqual([true, true]);
      expect(await states()).toEqual(['confirmed', 'superseded', 'superseded']);
      expect((await world.read()).status).toBe(AFTER[stop].status);
      expect(await world.committed()).toBe(0);
      await world.isSound();
    },
  );

  test('goes out as soon as the order runs where it was kept beside an end that was not done', async () => {
    status = 'pending_approval';
    await world.refresh();
    await asked('cancel');
    await asked('pause');
    status = 'active';
    doesIt();

    await world.refresh();

    expect(toldOf('paused').at(-1)).toBe(true);
    expect((await world.read()).status).toBe('PAUSED');
    await world.isSound();
  });

  test('leaves what it took of a reactivation to be asked for again as well', async () => {
    doesIt();
    await asked('campaign pause');
    saysYes();
    const goesOn = async () => done(await world.buyer.post(`${campaignPath()}/reactivate`, {}));
    const alone = async () => done(await world.buyer.post(`${buyPath()}/reactivate`, {}));
    await goesOn();
    expect((await world.read()).explanation).toMatch(/it is paused\. You: if it is still to go on, ask/);
    await alone();
    doesIt();

    await alone();

    expect(toldOf('paused')).toEqual([true, false, false, false]);
    expect(new Set(keys()).size).toBe(4);
    expect((await world.read()).status).toBe('ACTIVE');
    expect(await world.committed()).toBe(200);
    await world.isSound();
  });

  test.each(ALL)('with %s is not asked twice while a task of it is pending', async (stop) => {
    const { decides } = decidesLater(world.seller.far);
    await asked(stop);

    const again = await asks[stop]();

    if (stop.startsWith('campaign')) {
      expect(again.body.data.mediaBuyResults).toMatchObject([
        { pending: true, error: 'The same was asked before, and its seller has not confirmed it yet.' },
      ]);
    } else {
      const place = stop === 'pause' ? 'media_buy_id' : 'mediaBuys.0.mediaBuyId';
      expectRefusal(again, 409, {
        code: 'CONFLICT',
        at: { [place]: /: its .+, asked for at \S+Z, waits for its seller\.$/ },
      });
    }
    expect(world.told()).toHaveLength(1);
    expect(await states()).toEqual(['waiting']);
    decides({ status: 'completed', result: {} });
    await world.refresh();
    doesIt();
    await asked(stop);
    expect(world.told()).toHaveLength(2);
    expect((await world.read()).status).toBe(AFTER[stop].status);
    await world.isSound();
  });

  test.each([
    {
      stop: 'campaign pause',
      warning: /still run \(.+\): their sellers have yet to confirm that they stop\./,
    },
    {
      stop: 'campaign cancel',
      warning: /bound: their sellers have yet to confirm that they are called off\./,
    },
  ] as const)(
    'with $stop is told as one that waits while a task of it is pending',
    async ({ stop, warning }) => {
      decidesLater(world.seller.far);

      await asked(stop);

      expect((await campaign()).warnings).toEqual([expect.stringMatching(warning)]);
      expect((await standing()).media_buys[0].blockers).toEqual([]);
      expect(await flags()).toEqual([]);
    },
  );

  test.each([
    {
      stop: 'campaign pause',
      warning: /still run \(.+\): their sellers have yet to confirm that they stop\. campaign_get_media_buy/,
    },
    {
      stop: 'campaign cancel',
      warning: /bound: their sellers have yet to confirm that they are called off\. campaign_get_media_buy/,
    },
  ] as const)(
    'with $stop that nobody answered is to be called for by nobody: it is sent again by itself',
    async ({ stop, warning }) => {
      world.seller.far.agent.on('update_media_buy', (_, request) => {
        request.socket.destroy();
        return new Promise(() => {});
      });

      await asked(stop);

      expect(await states()).toEqual(['unknown']);
      expect((await campaign()).warnings).toEqual([expect.stringMatching(warning)]);
      expect((await world.read()).explanation).toContain('sent again by itself, under the same key');
      expect((await standing()).media_buys[0].blockers).toEqual([]);
      expect(await flags()).toEqual([]);
    },
  );
});
