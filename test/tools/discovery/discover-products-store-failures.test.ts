import { setImmediate as turn } from 'node:timers/promises';
import type { KyselyPlugin, PluginTransformQueryArgs, RootOperationNode } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../support/callers/event-reader.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { ScopeGuard } from '../../support/database/scope-guard.ts';
import { tablesOf } from '../../support/database/scope-rules.ts';
import { type ManualClock, manualClock } from '../../support/run/clock.ts';
import { type Gate, gate } from '../../support/run/gate.ts';
import { productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { unchangingSellers } from '../../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const names = ['Ada', 'Bea'] as const;
const TRIED_AGAIN = 'a landing could not be stored yet';
const GIVEN_UP = 'background work failed';
type Name = (typeof names)[number];

/** Lets so many revisions fail within their transaction, as a full disk or a lost connection does. */
class FailingRevisions implements KyselyPlugin {
  left = 0;

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind !== 'InsertQueryNode' || !tablesOf(node).includes('discovery_revisions')) return node;
    if (this.left === 0) return node;
    this.left -= 1;
    throw new Error('The disk is full.');
  }

  async transformResult<T>({ result }: { result: T }): Promise<T> {
    return result;
  }
}

describe('discover_products, when a revision cannot be stored', () => {
  let server: TestServer;
  let clock: ManualClock;
  let failing: FailingRevisions;
  let gates: Record<Name, Gate>;
  let buyer: Person;
  let discoveryId: string;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);

  beforeEach(async () => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
    clock = manualClock();
    failing = new FailingRevisions();
    gates = { Ada: gate(), Bea: gate() };
    const never = () => Promise.reject(new Error('Nobody orders here.'));
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), failing] },
      sellers: {
        getProducts: async ({ storefrontName }) => {
          const name = names.find((known) => known === storefrontName) ?? 'Ada';
          await gates[name].passed;
          return [productAt(`${name.toLowerCase()}.example`, name)];
        },
        createMediaBuy: never,
        getMediaBuy: never,
        ...unchangingSellers,
      },
    });
    for (const name of names) await openStorefront(await newPerson(server), { name });
    buyer = await newPerson(server);
    const fields = { advertiserId: await newAdvertiser(buyer), waitSeconds: 0 };
    ({ discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields)));
  });
  afterEach(async () => {
    process.off('unhandledRejection', note);
    for (const { open } of Object.values(gates)) open();
    await server.stop();
    expect(unhandled).toEqual([]);
  });

  const logged = (message: string) => server.log.lines.filter((line) => line.message === message);
  /** Resolves when so many failures have been dealt with, which takes a database its time. */
  const hasFailed = async (times: number) => {
    while (logged(TRIED_AGAIN).length + logged(GIVEN_UP).length < times) await turn();
  };
  const browse = async () => done(await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`));

  test('once, it is tried again though a slow seller is still asked, and nothing of it is lost', async () => {
    failing.left = 1;
    const events = await readEvents(server, buyer, { discoveryId });
    gates.Ada.open();
    await hasFailed(1);
    expect(await browse()).toMatchObject({ revision: 0, totalGroups: 0, resultsComplete: false });
    expect(logged(TRIED_AGAIN)).toMatchObject([{ fields: { discoveryId } }]);

    clock.advance(100);

    expect(await events.next()).toMatchObject({ event: 'revision', id: '1' });
    clock.advance(25);
    gates.Bea.open();
    expect((await events.rest()).map(({ event, id }) => `${event} ${id}`)).toEqual(['complete 2']);
    const { productGroups, incompleteAgents, pendingAgents } = await browse();
    expect(productGroups.map(({ groupName }: { groupName: string }) => groupName)).toEqual([
      'ada.example',
      'bea.example',
    ]);
    expect([...incompleteAgents, ...pendingAgents]).toEqual([]);
  });

  test('once, the next seller to land takes along what could not be stored', async () => {
    failing.left = 1;
    const events = await readEvents(server, buyer, { discoveryId });
    gates.Ada.open();
    await hasFailed(1);

    gates.Bea.open();
    expect(await events.next()).toMatchObject({ event: 'revision', id: '1' });

    const [last] = await events.rest();
    expect(last).toMatchObject({ event: 'complete', id: '2', payload: { pendingAgents: [] } });
    expect(await browse()).toMatchObject({ revision: 2, totalGroups: 2, resultsComplete: true });
  });

  test('for good, it is given up when the last seller has landed, and the process goes on', async () => {
    failing.left = Number.POSITIVE_INFINITY;
    gates.Ada.open();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await hasFailed(attempt);
      clock.advance(100 * 2 ** (attempt - 1));
    }
    expect(logged(GIVEN_UP)).toEqual([]);

    gates.Bea.open();
    await hasFailed(7);

    expect(logged(GIVEN_UP)).toMatchObject([{ fields: { work: 'discovery' } }]);
    expect(await browse()).toMatchObject({ revision: 0, resultsComplete: false });
  });

  test('as far as anybody can tell, it is not stored a second time when the commit got through', async () => {
    const { transaction } = server.store;
    let lost = 1;
    // The transaction of a landing is the one that answers true.
    Object.assign(server.store, {
      transaction: async (work: Parameters<typeof transaction>[0]) => {
        const result = await transaction(work);
        if (result !== true || lost === 0) return result;
        lost -= 1;
        throw new Error('The connection was lost.');
      },
    });
    const events = await readEvents(server, buyer, { discoveryId });
    gates.Ada.open();
    await hasFailed(1);

    gates.Bea.open();
    expect(await events.next()).toMatchObject({ event: 'revision', id: '1' });

    expect((await events.rest()).map(({ event, id }) => `${event} ${id}`)).toEqual(['complete 2']);
    expect(await browse()).toMatchObject({ revision: 2, totalGroups: 2, resultsComplete: true });
  });
});
