import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Seller } from '../../tools/domain/sellers/port.ts';
import { SellerError } from '../../tools/domain/sellers/port.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  beginDiscovery,
  discover as discoverAt,
  draftOf,
  type Snapshot,
} from '../support/sellers/discovery.ts';
import { productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { unchangingSellers } from '../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('after a restart', () => {
  let database: TestDatabase;
  let server: TestServer | undefined;
  const asked: string[] = [];
  beforeEach(async () => {
    database = await freshDatabase();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await database.drop();
  });

  /** A process of the service: sellers whose name says so run out of time. */
  async function start(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
    await server?.stop();
    asked.length = 0;
    const never = () => Promise.reject(new Error('Nobody orders here.'));
    server = await startTestServer({
      database,
      settings: { SELLERS_AT_ONCE: '1', ...settings },
      sellers: {
        getProducts: async ({ storefrontName }: Seller, _query, signal) => {
          asked.push(storefrontName);
          if (storefrontName.startsWith('Late')) throw new SellerError('timeout', 'Too late.');
          if (storefrontName.startsWith('Silent')) await cutOff(signal);
          return [productAt('honest.example', 'honest')];
        },
        createMediaBuy: (_seller, _order, signal) => {
          asked.push('an order');
          return cutOff(signal);
        },
        getMediaBuy: never,
        ...unchangingSellers,
      },
    });
    return server;
  }

  /** Says nothing until it is asked no more. */
  const cutOff = (signal: AbortSignal) =>
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );

  async function open(on: TestServer, name: string): Promise<{ owner: Person; storefrontId: string }> {
    const owner = await newPerson(on);
    return { owner, ...(await openStorefront(owner, { name })) };
  }

  async function discover(on: TestServer, storefrontIds?: readonly string[]): Promise<void> {
    const buyer = await newPerson(on);
    const fields = { advertiserId: await newAdvertiser(buyer), waitSeconds: 30, storefrontIds };
    const { resultsComplete }: Snapshot = done(
      await buyer.post('/buyer/discovery/discover-products', fields),
    );
    expect(resultsComplete).toBe(true);
  }

  test('who answered before is asked first, who was late again and again last, who was never asked between', async () => {
    const first = await start();
    const late = await open(first, 'Late');
    await open(first, 'Never asked');
    const prompt = await open(first, 'Prompt');
    await discover(first, [late.storefrontId, prompt.storefrontId]);
    await discover(first, [late.storefrontId]);

    await discover(await start());

    expect(asked).toEqual(['Prompt', 'Never asked', 'Late']);
  });

  test('who was late once is asked like anybody who was never asked', async () => {
    const first = await start();
    const lateOnce = await open(first, 'Late once');
    const lateTwice = await open(first, 'Late twice');
    await open(first, 'Never asked');
    await discover(first, [lateOnce.storefrontId, lateTwice.storefrontId]);
    await discover(first, [lateTwice.storefrontId]);

    await discover(await start());

    // Those of whom nothing is known are drawn.
    expect(asked.slice(0, 2).sort()).toEqual(['Late once', 'Never asked']);
    expect(asked.slice(2)).toEqual(['Late twice']);
  });

  test('what is stored of a seller that goes on answering is not written with every session', async () => {
    const first = await start();
    const { storefrontId } = await open(first, 'Prompt');
    await discover(first, [storefrontId]);
    const second = await start();
    const before = await second.store.db
      .withoutPlugins()
      .selectFrom('inventory_sources')
      .selectAll()
      .execute();

    await discover(second, [storefrontId]);

    const third = await start();
    const after = await third.store.db.withoutPlugins().selectFrom('inventory_sources').selectAll().execute();
    expect(before.map(({ answered_at }) => answered_at)).toEqual([expect.any(String)]);
    expect(after).toEqual(before);
  });

  test('whom a stop cut off at the end of its time is known for nothing', async () => {
    const first = await start({ SHUTDOWN_GRACE_MS: '400' });
    const silent = await open(first, 'Silent');
    const prompt = await open(first, 'Prompt');
    const buyer = await newPerson(first);
    const advertiserId = await newAdvertiser(buyer);
    const found = await discoverAt(buyer, advertiserId, [prompt.storefrontId]);
    const agentId = found.agentResults?.[0]?.agentId ?? '';
    const campaignId = await draftOf(buyer, { ...prompt, agentId, advertiserId, productId: 'honest' });
    // An order holds the stop until its sellers have no more time.
    const ordered = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await eventually(() => expect(asked).toContain('an order'));
    await beginDiscovery(buyer, advertiserId, [silent.storefrontId]);
    await eventually(() => expect(asked).toContain('Silent'));

    await first.stop();
    server = undefined;

    expect((await ordered).status).toBe(200);
    const again = await start();
    const sources = await again.store.db
      .withoutPlugins()
      .selectFrom('inventory_sources')
      .select(['storefront_id', 'answered_at', 'late_calls'])
      .execute();
    const known = new Map(sources.map((source) => [String(source.storefront_id), source]));
    expect(known.get(silent.storefrontId)).toMatchObject({ answered_at: null, late_calls: 0 });
    expect(known.get(prompt.storefrontId)).toMatchObject({ answered_at: expect.any(String) });
  });
});
