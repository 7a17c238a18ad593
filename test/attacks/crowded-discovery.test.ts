import type { KyselyPlugin, PluginTransformQueryArgs, RootOperationNode } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { Seller } from '../../tools/domain/sellers/port.ts';
import type { ProductQuery } from '../../tools/domain/sellers/product-query.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import { eventually } from '../support/run/eventually.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { crowd } from '../support/sellers/crowd.ts';
import { browse, type Snapshot } from '../support/sellers/discovery.ts';
import { productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { unchangingSellers } from '../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestOptions, type TestServer } from '../support/server/server.ts';

type Whole = Snapshot & {
  totalGroups: number;
  proposals: readonly { storefrontName: string; salesAgentId: string }[];
};
type Answer = (seller: Seller, query: ProductQuery) => Promise<readonly object[]>;

/** Refuses what it is told to. */
class Refusing implements KyselyPlugin {
  refuses: (text: string) => boolean = () => false;

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'InsertQueryNode' && this.refuses(JSON.stringify(node))) throw new Error('No room.');
    return node;
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result;
  }
}

describe('a discovery among many sellers', () => {
  let server: TestServer;
  let refusing: Refusing;
  const ran: string[] = [];
  const gates: Gate[] = [];
  afterEach(async () => {
    for (const { open } of gates.splice(0)) open();
    await server.stop();
  });

  async function start(answer: Answer, settings: TestOptions['settings'] = {}): Promise<void> {
    refusing = new Refusing();
    ran.length = 0;
    const never = () => Promise.reject(new Error('Nobody orders here.'));
    server = await startTestServer({
      settings,
      store: { plugins: [new ScopeGuard(), refusing], log: ({ query }) => ran.push(query.sql) },
      sellers: {
        getProducts: answer,
        createMediaBuy: never,
        getMediaBuy: never,
        ...unchangingSellers,
      },
    });
  }

  async function begin(): Promise<{ buyer: Person; discoveryId: string }> {
    const buyer = await newPerson(server);
    const fields = { advertiserId: await newAdvertiser(buyer), waitSeconds: 0 };
    const { discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields));
    return { buyer, discoveryId };
  }

  const whole = async (
    { buyer, discoveryId }: { buyer: Person; discoveryId: string },
    agentOffset = 0,
  ): Promise<Whole> => {
    const query = `waitSeconds=30&debug=true&agentOffset=${agentOffset}`;
    for (;;) {
      const snapshot: Whole = done(
        await buyer.get(`/buyer/discovery/${discoveryId}/browse-products?${query}`),
      );
      if (snapshot.resultsComplete) return snapshot;
    }
  };

  test('of 3,000 begins and asks each of them', async () => {
    let asked = 0;
    await start(async () => {
      asked += 1;
      return [];
    });
    await crowd(server, 'Crowd', 2_999);

    const begun = await begin();
    await whole(begun);

    expect(asked).toBe(3_000);
    const answered = new Set<string>();
    for (let agentOffset = 0; agentOffset < 3_000; agentOffset += 100) {
      const { agentResults = [] } = await whole(begun, agentOffset);
      for (const { agentId, success } of agentResults) if (success) answered.add(agentId);
    }
    expect(answered.size).toBe(3_000);
  });

  test('of which each has 900 publishers takes them all in', async () => {
    await start(async ({ agentId }) =>
      Array.from({ length: 900 }, (_, index) => productAt(`p${index}.example`, `${agentId}-${index}`)),
    );
    await crowd(server, 'Wide', 4);

    const snapshot = await whole(await begin());

    expect(snapshot.incompleteAgents).toEqual([]);
    expect(snapshot.totalGroups).toBe(4_500);
  });

  test('of which one has far more that hang than are asked at a time hears the others at once', async () => {
    const held = gate();
    gates.push(held);
    await start(
      async ({ storefrontName }) => {
        if (storefrontName === 'Hanging') await held.passed;
        return [productAt('honest.example', 'honest')];
      },
      { SELLERS_AT_ONCE: '4' },
    );
    await crowd(server, 'Hanging', 20);
    await openStorefront(await newPerson(server), { name: 'Honest' });
    await openStorefront(await newPerson(server), { name: 'Honest too' });

    const { buyer, discoveryId } = await begin();
    // Sellers and products are read one after the other: what lands between is whole in the next answer.
    const areHeard = ({ pendingAgents, productGroups }: Snapshot) =>
      pendingAgents.length === 21 && productGroups.length === 2;
    const snapshot = await browse(buyer, discoveryId, areHeard);

    expect(snapshot.resultsComplete).toBe(false);
  });

  test('asks all of another organization, however many that hang an organization before it asks', async () => {
    const held = gate();
    gates.push(held);
    const asked: string[] = [];
    await start(
      async ({ storefrontName }) => {
        asked.push(storefrontName);
        await held.passed;
        return [];
      },
      { SELLERS_SILENT_AT_ONCE: '64' },
    );
    const hanging = await crowd(server, 'Hanging', 299);
    const slow = await crowd(server, 'Slow', 39);
    const asks = async (storefrontId: string, times: number) => {
      const buyer = await newPerson(server);
      const fields = {
        advertiserId: await newAdvertiser(buyer),
        storefrontIds: [storefrontId],
        waitSeconds: 0,
      };
      for (let count = 0; count < times; count += 1) {
        done(await buyer.post('/buyer/discovery/discover-products', fields));
      }
    };
    const askedOf = (name: string) => asked.filter((one) => one === name).length;

    await asks(hanging, 5);
    // In its lanes and in half of the places beside them.
    await eventually(() => expect(askedOf('Hanging')).toBeGreaterThanOrEqual(5 * 32 + 32));
    await asks(slow, 1);

    await eventually(() => expect(askedOf('Slow')).toBe(40));
    expect(askedOf('Hanging')).toBe(5 * 32 + 32);
  });

  test('of which one cannot be stored names that one, and keeps what the others brought', async () => {
    await start(async ({ storefrontName }) => [productAt(`${storefrontName}.example`, storefrontName)]);
    for (const name of ['ada', 'bad', 'cem']) await openStorefront(await newPerson(server), { name });
    refusing.refuses = (text) => text.includes('bad.example') && text.includes('discovery_groups');

    const snapshot = await whole(await begin());

    expect(snapshot.productGroups).toHaveLength(2);
    expect(snapshot.incompleteAgents).toMatchObject([
      { reason: 'error', message: 'The products of this seller could not be stored.' },
    ]);
  });

  test('of which each has the same hundred ids is asked for twenty at a time, and reads the chosen ones alone', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `same-${index}`);
    await start(async ({ agentId }) => ids.map((id) => productAt(`${agentId}.example`, id)));
    await crowd(server, 'Same', 19);
    const { buyer, discoveryId } = await begin();
    const { agentResults = [] } = await whole({ buyer, discoveryId });
    const salesAgentId = agentResults[0]?.agentId;
    ran.length = 0;

    const products = ids.map((productId) => ({ productId, salesAgentId }));
    const { status } = await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products });

    expect(status).toBe(200);
    // For each portion where they stand, then those that were chosen.
    expect(ran.filter((sql) => sql.startsWith('select') && sql.includes('discovery_products'))).toHaveLength(
      (2 * ids.length) / 20,
    );
  });

  test('shares its room out: who brings too much keeps its first products, and nobody else loses any', async () => {
    const text = 'x'.repeat(2_000);
    await start(
      async ({ storefrontName }) =>
        Array.from({ length: storefrontName === 'Greedy' ? 200 : 2 }, (_, index) =>
          productAt('same.example', `${storefrontName}-${index}`, { description: text }),
        ),
      { DISCOVERY_BYTES_PER_SESSION: '131072' },
    );
    for (const name of ['Greedy', 'Honest']) await openStorefront(await newPerson(server), { name });

    const { agentResults = [] } = await whole(await begin());

    const [greedy, honest] = agentResults;
    expect(honest).toMatchObject({ productCount: 2, invalidProducts: 0 });
    expect((greedy?.productCount ?? 0) + (greedy?.invalidProducts ?? 0)).toBe(200);
    expect(greedy?.productCount).toBeGreaterThan(10);
    expect(greedy?.productCount).toBeLessThan(60);
  });

  /** Products with so many plans beside them, each of them as long as plans may be. */
  const withPlans = (agentId: string, products: readonly object[], plans: number) => {
    const rationale = 'x'.repeat(300);
    const allocations = Array.from({ length: 30 }, () => ({
      ...{ product_id: `${agentId}-0`, allocation_percentage: 100 / 30, rationale },
    }));
    const proposals = Array.from({ length: plans }, (_, at) => ({
      ...{ proposal_id: `${agentId}-plan-${at}`, name: 'n'.repeat(255), description: 'd'.repeat(1_000) },
      allocations,
    }));
    return Object.assign([...products], { said: { proposals } });
  };

  test('shows the proposals of an organization in turn with those of others, however many sources it has', async () => {
    await start(async ({ agentId, storefrontName }) =>
      withPlans(agentId, [productAt('same.example', `${agentId}-0`)], storefrontName === 'Many' ? 10 : 1),
    );
    await crowd(server, 'Many', 9);
    for (const name of ['Ada', 'Cem']) await openStorefront(await newPerson(server), { name });

    const begun = await begin();
    const full = await whole(begun);
    const path = `/buyer/discovery/${begun.discoveryId}/browse-products`;
    const compact = done(await begun.buyer.get(`${path}?detail=compact`));

    const names = full.proposals.map(({ storefrontName }) => storefrontName);
    expect(new Set(names.slice(0, 3))).toEqual(new Set(['Many', 'Ada', 'Cem']));
    expect(JSON.stringify(full.proposals).length).toBeLessThan(300_000);
    expect(compact.proposals).toHaveLength(20);
    expect(JSON.stringify(compact.proposals).length).toBeLessThan(20_000);
    expect(compact.proposals[0]).toMatchObject({ proposalId: expect.any(String), productCount: 30 });
    expect(
      new Set(compact.proposals.slice(0, 3).map((one: { storefrontId: string }) => one.storefrontId)).size,
    ).toBe(3);
    const ofMany = full.proposals.filter((one) => one.storefrontName === 'Many');
    // Each of its sources once before any of them a second time.
    expect(new Set(ofMany.slice(0, 10).map(({ salesAgentId }) => salesAgentId)).size).toBe(10);
  });

  test('counts the bytes of proposals among those of their seller', async () => {
    await start(async ({ agentId }) => withPlans(agentId, [productAt('same.example', `${agentId}-0`)], 10), {
      DISCOVERY_BYTES_PER_SESSION: '65536',
    });
    for (const name of ['Ada', 'Cem']) await openStorefront(await newPerson(server), { name });

    await whole(await begin());

    const { db } = server.store;
    const kept = await db.withoutPlugins().selectFrom('discovery_proposals').select('proposal').execute();
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.reduce((sum, { proposal }) => sum + proposal.length, 0)).toBeLessThan(65_536);
  });
});
