import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discoveryRevision } from '../../../tools/domain/discovery/events.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { gate } from '../../support/run/gate.ts';
import { lookUntil } from '../../support/run/looking.ts';
import { crowd } from '../../support/sellers/crowd.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { unchangingSellers } from '../../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const EACH = 130;
/** As long as a setting can say. */
const NEVER_MS = '1000000';
const LISTS = ['pendingAgents', 'incompleteAgents', 'sellerNotes'] as const;

describe('the sellers of a session that asks more than an answer names', () => {
  const held = gate();
  let server: TestServer;
  let buyer: Person;
  let discoveryId: string;
  beforeAll(async () => {
    const never = () => Promise.reject(new Error('Nobody orders here.'));
    server = await startTestServer({
      // Those that hang do so to the end, however busy the machine is: deadlines go by its time.
      settings: { SELLERS_AT_ONCE: '200', SELLER_TIMEOUT_MS: NEVER_MS, DISCOVERY_TIMEOUT_MS: NEVER_MS },
      sellers: {
        // A third of them hangs, a third fails, and a third has nothing to offer.
        getProducts: async ({ agentId }) => {
          const number = Number(agentId.replace('agt_Crowd', ''));
          if (number % 3 === 0) await held.passed;
          if (number % 3 === 1) throw new Error('Out of order.');
          return [];
        },
        createMediaBuy: never,
        getMediaBuy: never,
        ...unchangingSellers,
      },
    });
    await crowd(server, 'Crowd', 3 * EACH);
    buyer = await newPerson(server);
    const fields = { advertiserId: await newAdvertiser(buyer), waitSeconds: 0 };
    ({ discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields)));
    // No more than those that hang are pending once all others have landed.
    await lookUntil(
      () => browse(),
      ({ moreAgents = {} }) => moreAgents.pendingAgents === EACH - 100,
    );
  });
  afterAll(async () => {
    held.open();
    await server.stop();
  });

  const browse = async (query = '') =>
    done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products?${query}`));
  const idsOf = (agents: readonly { readonly agentId: string }[]) => agents.map(({ agentId }) => agentId);

  test('are a hundred in each list, with how many more there are', async () => {
    const shown = await browse();

    for (const list of LISTS) expect(shown[list], list).toHaveLength(100);
    // The one that was there before the crowd has nothing to offer either.
    expect(shown.moreAgents).toEqual({
      pendingAgents: EACH - 100,
      incompleteAgents: EACH - 100,
      sellerNotes: EACH + 1 - 100,
    });
    expect(shown.progress).toMatchObject({ totalStorefrontCount: 1, respondedStorefrontCount: 0 });
  });

  test('are ten in short in the compact form', async () => {
    const shown = await browse('detail=compact');

    for (const list of LISTS) expect(shown[list], list).toHaveLength(10);
    expect(shown.moreAgents).toMatchObject({ pendingAgents: EACH - 10, sellerNotes: EACH + 1 - 10 });
    expect(shown.pendingAgents[0]).toEqual({ agentId: expect.any(String), agentName: expect.any(String) });
    expect(shown.incompleteAgents[0]).not.toHaveProperty('storefronts');
  });

  test('go on with agentOffset, each of them once', async () => {
    const [first, second, behind] = [
      await browse(),
      await browse('agentOffset=100'),
      await browse('agentOffset=200'),
    ];

    for (const list of LISTS) {
      const ids = [...idsOf(first[list]), ...idsOf(second[list])];
      expect(new Set(ids).size, list).toBe(list === 'sellerNotes' ? EACH + 1 : EACH);
      expect(ids, list).toHaveLength(new Set(ids).size);
      expect(behind[list] ?? [], list).toEqual([]);
    }
    expect(second).not.toHaveProperty('moreAgents');
  });

  test('are told so with debug as well', async () => {
    const first = await browse('debug=true');
    const last = await browse('debug=true&agentOffset=300');

    expect(first.agentResults).toHaveLength(100);
    expect(first.moreAgents).toMatchObject({ agentResults: 3 * EACH + 1 - 100 });
    expect(last.agentResults).toHaveLength(3 * EACH + 1 - 300);
    expect(last).not.toHaveProperty('moreAgents');
  });

  test('are as many in each event of the session', async () => {
    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('discovery_revisions')
      .select('payload')
      .where('session_id', '=', discoveryId)
      .orderBy('revision', 'desc')
      .execute();

    const [last] = rows.map(({ payload }) => discoveryRevision.parse(JSON.parse(payload)));
    expect(last?.pendingAgents).toHaveLength(100);
    expect(last?.incompleteAgents).toHaveLength(100);
    expect(last?.moreAgents).toEqual({ pendingAgents: EACH - 100, incompleteAgents: EACH - 100 });
  });

  test('are as many in each list of product_query, which says where the rest is', async () => {
    const { ext, incomplete } = done(
      await buyer.post('/buyer/products/query', {
        buying_mode: 'brief',
        ext: { interchange: { execution_id: discoveryId, wait_seconds: 1 } },
      }),
    );

    const { interchange } = ext;
    expect(interchange.storefront_results).toHaveLength(100);
    expect(interchange.pending_agents).toHaveLength(100);
    expect(interchange.seller_notes).toHaveLength(100);
    expect(interchange.more_agents).toMatchObject({
      storefront_results: 3 * EACH + 1 - 100,
      pending_agents: EACH - 100,
    });
    expect(incomplete).toEqual([
      { scope: 'products', description: `${EACH} sellers have not answered yet.` },
    ]);
  });
});
