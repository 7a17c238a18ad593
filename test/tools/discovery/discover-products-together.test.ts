import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type ManualClock, manualClock } from '../../support/run/clock.ts';
import { gate } from '../../support/run/gate.ts';
import { productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { unchangingSellers } from '../../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const names = ['Ada', 'Bea', 'Cem'] as const;

describe('discover_products, when sellers land together', () => {
  const gates = new Map<string, ReturnType<typeof gate>>(names.map((name) => [name, gate()]));
  let server: TestServer;
  let clock: ManualClock;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = manualClock();
    const never = () => Promise.reject(new Error('Nobody orders here.'));
    server = await startTestServer({
      clock,
      sellers: {
        getProducts: async ({ storefrontName }) => {
          await gates.get(storefrontName)?.passed;
          return [productAt(`${storefrontName.toLowerCase()}.example`, storefrontName)];
        },
        createMediaBuy: never,
        getMediaBuy: never,
        ...unchangingSellers,
      },
    });
    for (const name of names) await openStorefront(await newPerson(server), { name });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('lets those that land within 25 ms of a revision share the next one', async () => {
      const fields = { advertiserId, waitSeconds: 0 };
      const { discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields));
      const events = await readEvents(server, buyer, { discoveryId });
      gates.get('Ada')?.open();
      expect(await events.next()).toMatchObject({ event: 'revision', id: '1' });
      // The first landing is stored; what is still to be done for it is done within this turn.
      await turn();

      gates.get('Bea')?.open();
      gates.get('Cem')?.open();
      await turn();
      const between = done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`));
      expect(between).toMatchObject({ revision: 1, resultsComplete: false });
      expect(between.pendingAgents).toHaveLength(2);

      clock.advance(25);

      const last = await events.next();
      expect(last).toMatchObject({ event: 'complete', id: '2' });
      const groupNames = last?.payload.productGroups.map(({ groupName }: { groupName: string }) => groupName);
      expect(groupNames.sort()).toEqual(['bea.example', 'cem.example']);
      expect(await events.next()).toBeUndefined();
    });
  });
});
