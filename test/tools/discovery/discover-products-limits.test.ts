import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/event-reader.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/far-seller.ts';
import { done, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { type SkippingClock, skippingClock } from '../../support/skipping-clock.ts';

const productsAsked = ({ agent }: FarSeller) =>
  agent.calls.filter(({ tool }) => tool === 'get_products').length;

describe('discover_products, two sellers at a time and 45 s in all', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let sellers: readonly [FarSeller, FarSeller, FarSeller];
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = skippingClock();
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

  describe('200', () => {
    test('asks the next seller when one has answered, and not before', async () => {
      const [ada, bea, cem] = sellers;
      const [first, second] = [ada, bea].map((seller) => answersLater(seller, { products: [] }));
      const times = sellers.map(productsAsked);
      const events = await readEvents(server, buyer, { discoveryId: await begin() });
      await asked(times);
      expect(productsAsked(cem)).toBe(times[2]);

      second?.open();
      await cem.agent.called('get_products', (times[2] ?? 0) + 1);

      first?.open();
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
      let last = await events.next();
      while (last?.payload.pendingAgents.length !== 1) last = await events.next();

      clock.skip(30_000);

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
      const [ada, bea, cem] = sellers;
      const held = [ada, bea, cem].map((seller) => answersLater(seller, { products: [] }));
      const times = sellers.map(productsAsked);
      const events = await readEvents(server, buyer, { discoveryId: await begin() });
      await asked(times);
      await cem.agent.called('get_products', (times[2] ?? 0) + 1);
      const { interval } = Object(cem.agent.calls.at(-1)?.args['time_budget']);
      expect(interval).toBe(30);

      clock.skip(30_000);

      const all = await events.rest();
      const { incompleteAgents } = all.at(-1)?.payload ?? {};
      expect(incompleteAgents).toHaveLength(3);
      expect(incompleteAgents).toContainEqual({
        agentId: cem.agentId,
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
    const clock = skippingClock();
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
      expect(Object(seller.agent.calls.at(-1)?.args['time_budget']).interval).toBeLessThanOrEqual(20);

      clock.skip(20_000);

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
