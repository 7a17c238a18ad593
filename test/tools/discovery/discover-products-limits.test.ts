import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EventReader, readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type ManualClock, manualClock } from '../../support/run/clock.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A seller that is silent for so long makes room for the next. */
const LANE_MS = 10;
/** For so long after a revision the next one waits for others to land with it, unless it is the last. */
const TOGETHER_MS = 25;

const productsAsked = ({ agent }: FarSeller) =>
  agent.calls.filter(({ tool }) => tool === 'get_products').length;

describe('discover_products, two sellers at a time and 45 s in all', () => {
  let server: TestServer;
  let clock: ManualClock;
  let sellers: readonly [FarSeller, FarSeller, FarSeller];
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = manualClock();
    server = await startTestServer({
      clock,
      settings: {
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        SELLERS_AT_ONCE: '2',
        DISCOVERY_TIMEOUT_MS: '45000',
      },
    });
    sellers = [
      await farSeller(server, 'Ada'),
      await farSeller(server, 'Bea'),
      await farSeller(server, 'Cem'),
    ];
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => {
    for (const { agent } of sellers) agent.on('get_products', () => ({ products: [] }));
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(sellers.map(({ agent }) => agent.stop()));
  });

  const begin = async (): Promise<string> => {
    const fields = { advertiserId, waitSeconds: 0 };
    return done(await buyer.post('/buyer/discovery/discover-products', fields)).discoveryId;
  };
  /** Resolves when a session has asked its first two sellers. */
  const asked = (times: readonly number[]) =>
    Promise.all(
      sellers.slice(0, 2).map(({ agent }, index) => agent.called('get_products', (times[index] ?? 0) + 1)),
    );

  /** Resolves with a seller when it is asked again. */
  const calledOnceMore = async (seller: FarSeller) => {
    await seller.agent.called('get_products', productsAsked(seller) + 1);
    return seller;
  };
  /** The next revision, and time for another one to follow it. */
  const nextOf = async (events: EventReader) => {
    const next = await events.next();
    clock.advance(TOGETHER_MS);
    return next;
  };

  describe('200', () => {
    test('asks the next seller when one has answered, and not before', async () => {
      const held = new Map(sellers.map((seller) => [seller, answersLater(seller, { products: [] })]));
      const coming = new Map(sellers.map((seller) => [seller, calledOnceMore(seller)]));
      const events = await readEvents(server, buyer, { discoveryId: await begin() });
      // Sellers of whom nothing is known are drawn.
      const first = await Promise.race(coming.values());
      coming.delete(first);
      const second = await Promise.race(coming.values());
      coming.delete(second);
      const [[last, asked] = expect.fail('all were asked')] = coming;
      const before = productsAsked(last);

      held.get(second)?.open();
      await asked;
      expect(productsAsked(last)).toBe(before + 1);
      await nextOf(events);

      for (const gate of held.values()) gate.open();
      expect((await events.rest()).at(-1)?.event).toBe('complete');
    });

    test('gives each seller 30 s of its own, and names those that take longer as timeout', async () => {
      const [ada, bea, cem] = sellers;
      const held = answersLater(bea, { products: [] });
      const times = sellers.map(productsAsked);
      ada.agent.on('get_products', () => ({ products: [productAt('ada.example', 'ada-1')] }));
      const discoveryId = await begin();
      const events = await readEvents(server, buyer, { discoveryId });
      await asked(times);
      await cem.agent.called('get_products', (times[2] ?? 0) + 1);
      let last = await nextOf(events);
      while (last?.payload.pendingAgents.length !== 1) last = await events.next();

      clock.advance(30_000);

      expect(await events.next()).toMatchObject({
        event: 'complete',
        payload: {
          resultsComplete: true,
          incompleteAgents: [
            {
              agentId: bea.agentId,
              agentName: 'Agent',
              reason: 'timeout',
              waitSeconds: 30,
              message: 'The seller did not answer within 30 s.',
            },
          ],
        },
      });
      const { productGroups } = done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`));
      expect(productGroups).toMatchObject([{ groupName: 'ada.example' }]);
      held.open();
    });

    test('asks the next seller while those before it are silent, and ends when each had its time', async () => {
      const held = sellers.map((seller) => answersLater(seller, { products: [] }));
      const coming = new Map(sellers.map((seller) => [seller, calledOnceMore(seller)]));
      const events = await readEvents(server, buyer, { discoveryId: await begin() });
      // Who was late before is asked last.
      for (const _ of ['one', 'another']) coming.delete(await Promise.race(coming.values()));
      const [[last, asked] = expect.fail('all were asked')] = coming;
      const before = productsAsked(last);
      clock.advance(LANE_MS);
      await asked;
      expect(productsAsked(last)).toBe(before + 1);
      const { interval } = Object(last.agent.calls.at(-1)?.args['time_budget']);
      expect(interval).toBe(30);

      clock.advance(30_000);

      const all = [await nextOf(events), ...(await events.rest())];
      const { incompleteAgents } = all.at(-1)?.payload ?? {};
      expect(incompleteAgents).toHaveLength(3);
      expect(incompleteAgents).toContainEqual({
        agentId: last.agentId,
        agentName: 'Agent',
        reason: 'timeout',
        waitSeconds: 30,
        message: 'The seller did not answer within 30 s.',
      });
      for (const gate of held) gate.open();
    });
  });
});

describe('discover_products, 20 s in all', () => {
  test('ends with its own deadline, of which sellers are told', async () => {
    const clock = manualClock();
    const server = await startTestServer({
      clock,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', DISCOVERY_TIMEOUT_MS: '20000' },
    });
    const seller = await farSeller(server, 'Dee');
    try {
      const held = answersLater(seller, { products: [] });
      const buyer = await newPerson(server);
      const fields = { advertiserId: await newAdvertiser(buyer), waitSeconds: 0 };
      const { discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields));
      const events = await readEvents(server, buyer, { discoveryId });
      await seller.agent.called('get_products');
      expect(Object(seller.agent.calls.at(-1)?.args['time_budget']).interval).toBe(20);

      clock.advance(20_000);

      expect((await events.rest()).at(-1)?.payload.incompleteAgents).toEqual([
        {
          agentId: seller.agentId,
          agentName: 'Agent',
          reason: 'timeout',
          waitSeconds: 20,
          message: 'The session ended before this seller answered.',
        },
      ]);
      held.open();
    } finally {
      await server.stop();
      await seller.agent.stop();
    }
  });
});
