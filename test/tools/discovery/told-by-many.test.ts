import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { ScopeGuard } from '../../support/database/scope-guard.ts';
import { crowd } from '../../support/sellers/crowd.ts';
import { productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { unchangingSellers } from '../../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const MANY = 18;

/** What many sellers said: added up by the database, however many they are. */
describe('a session with instructions that asks many sellers', () => {
  const ran: string[] = [];
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    const never = () => Promise.reject(new Error('Nobody orders here.'));
    server = await startTestServer({
      store: { plugins: [new ScopeGuard()], log: ({ query }) => ran.push(query.sql) },
      sellers: {
        getProducts: async ({ agentId }) => [
          productAt(`${agentId}.example`, `news-${agentId}`, { name: 'Morning news' }),
          productAt(`${agentId}.example`, `bets-${agentId}`, { name: 'Gambling tips' }),
        ],
        createMediaBuy: never,
        getMediaBuy: never,
        ...unchangingSellers,
      },
    });
    await crowd(server, 'Crowd', MANY - 1);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const discover = async (fields: object) => {
    const begun = done(
      await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, ...fields }),
    );
    return whole(begun.discoveryId);
  };
  const whole = async (discoveryId: string) => {
    for (;;) {
      ran.length = 0;
      const shown = done(
        await buyer.get(`/buyer/discovery/${discoveryId}/browse-products?waitSeconds=30&detail=full`),
      );
      if (shown.resultsComplete) return shown;
    }
  };
  /** Reads of sellers that take as many rows as there are sellers. */
  const readWhole = () =>
    ran.filter((sql) => /^select \* from "discovery_agents"/.test(sql) && !/\blimit\b/.test(sql));

  test('tells what became of the instructions in sums, and of a change what they say of it, without reading each', async () => {
    const screened = await discover({
      screening: { instructions: 'No gambling.' },
      evaluation: { instructions: 'Prefer news.', ranking: {} },
    });

    expect(screened.screening).toMatchObject({
      status: 'complete',
      screening_passes: MANY,
      candidates_evaluated: 2 * MANY,
      accepted: MANY,
      rejected: MANY,
    });
    expect(screened.evaluation).toMatchObject({ candidates_evaluated: MANY, ranking_passes: MANY });
    expect(ran.length).toBeGreaterThan(0);
    expect(readWhole()).toEqual([]);

    const { discoveryId } = screened;
    const refine = [{ scope: 'request', ask: 'Cheaper.' }];
    const refined = await discover({ discoveryId, refine });

    const [applied] = refined.refinementApplied;
    expect(applied).toMatchObject({ scope: 'request', status: 'partial' });
    expect(applied.notes).toMatch(/: The seller does not say what it did\. .*: The seller does not say/);
    expect(applied.notes.length).toBeLessThanOrEqual(500);
    expect(readWhole()).toEqual([]);
  });
});
