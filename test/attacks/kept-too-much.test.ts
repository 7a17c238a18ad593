import { afterEach, describe, expect, test } from 'vitest';
import { forgetOld } from '../../adapters/process/retention.ts';
import { inPieces } from '../../store/engine/pieces.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { callTool } from '../support/mcp/mcp-call.ts';
import { discover, draftOf, productIdsIn } from '../support/sellers/discovery.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../support/sellers/market.ts';
import { newSeller, newShelf } from '../support/sellers/selling.ts';
import { unchangingSellers } from '../support/sellers/unchanging-sellers.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const kept = {
  discoveryDays: 30,
  auditDays: 730,
  approvalDays: 730,
  proposalDays: 730,
  eventDays: 30,
  endedAccessDays: 3_650,
  previewDays: 3_650,
};
const DAY_MS = 86_400_000;

describe('what a tenant may keep', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  /** The statuses of so many calls that are made at once. */
  async function atOnce(times: number, call: (index: number) => Promise<{ status: number }>) {
    const replies = await Promise.all(Array.from({ length: times }, (_, index) => call(index)));
    return replies.map(({ status }) => status).sort();
  }

  test('in inventory sources is not passed by many calls at once', async () => {
    server = await startTestServer({ settings: { SOURCES_PER_STOREFRONT: '3' } });
    const seller = await newSeller(server);

    const source = { executionType: 'MANAGED_SALES_AGENT' };
    const statuses = await atOnce(8, (index) =>
      seller.post('/storefront/inventory-sources', { ...source, name: `s${index}`, sourceId: `s${index}` }),
    );

    expect(statuses).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  });

  test('in products is not passed by many calls at once, and is free again for one that is deleted', async () => {
    server = await startTestServer({ settings: { PRODUCTS_PER_STOREFRONT: '3' } });
    const seller = await newSeller(server);
    await newShelf(seller);

    const add = () => seller.post('/storefront/products', productFields());
    expect(await atOnce(6, add)).toEqual([201, 201, 201, 409, 409, 409]);

    const [first] = done(await seller.get('/storefront/products'));
    done(await seller.delete(`/storefront/products/${first.productId}`));
    expect((await add()).status).toBe(201);
  });

  test('in accounts at sellers is what the operator says', async () => {
    server = await startTestServer({ settings: { ACCOUNT_LINKS_PER_ADVERTISER: '2' } });
    const { storefrontId, sourceId } = await openStorefront(await newPerson(server));
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const link = (index: number) =>
      buyer.post(`/buyer/advertisers/${advertiserId}/accounts`, {
        ...{ storefrontId, sourceId, accountId: `account-${index}` },
      });

    expect(await atOnce(4, link)).toEqual([201, 201, 409, 409]);
  });

  test('in bytes of discovery sessions is kept by the oldest that ended, and by none that a campaign goes with', async () => {
    server = await startTestServer({ settings: { DISCOVERY_BYTES_PER_ACCOUNT: '1048576' } });
    const { storefrontId } = await openStorefront(await newPerson(server));
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const begin = async () => (await discover(buyer, advertiserId, [storefrontId])).discoveryId;
    const open = server.store.db.withoutPlugins();
    const bytesOf = async (id: string) =>
      (
        await open
          .selectFrom('discovery_sessions')
          .select('bytes')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).bytes;
    const holds = (id: string, bytes: number) =>
      open.updateTable('discovery_sessions').set({ bytes }).where('id', '=', id).execute();
    const statusOf = async (id: string) => (await buyer.get(`/buyer/discovery/${id}/browse-products`)).status;
    const found = await discover(buyer, advertiserId, [storefrontId]);
    const [old, later] = [found.discoveryId, await begin()];
    const productId = productIdsIn(found)[0] ?? '';
    const agentId = found.agentResults?.[0]?.agentId ?? '';
    const campaignId = await draftOf(buyer, { advertiserId, storefrontId, agentId, productId });
    const { discoveryId: chosen } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    expect(Number(await bytesOf(old))).toBeGreaterThan(1_000);

    for (const id of [old, later, chosen]) await holds(id, 524_288);
    const fresh = await begin();

    expect(await Promise.all([old, later, chosen, fresh].map(statusOf))).toEqual([404, 404, 200, 200]);
    await holds(chosen, 1_048_576);
    const refused = await buyer.post('/buyer/discovery/discover-products', { advertiserId });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('ask the operator');
    expect(await statusOf(chosen)).toBe(200);
  });

  test('in bytes of discovery sessions gives way to one that is asked again, and however small the oldest are', async () => {
    server = await startTestServer({ settings: { DISCOVERY_BYTES_PER_ACCOUNT: '1048576' } });
    const { storefrontId } = await openStorefront(await newPerson(server));
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const open = server.store.db.withoutPlugins();
    const holds = (id: string, bytes: number, completed_at: string) =>
      open.updateTable('discovery_sessions').set({ bytes, completed_at }).where('id', '=', id).execute();
    const [again, large] = [
      (await discover(buyer, advertiserId, [storefrontId])).discoveryId,
      (await discover(buyer, advertiserId, [storefrontId])).discoveryId,
    ];
    await holds(again, 524_288, '2026-01-01T00:00:00.000Z');
    await holds(large, 524_288, '2026-01-03T00:00:00.000Z');
    const row = await open
      .selectFrom('discovery_sessions')
      .selectAll()
      .where('id', '=', large)
      .executeTakeFirstOrThrow();
    const small = Array.from({ length: 501 }, (_, index) => ({
      ...{ ...row, id: `disc_small${index}`, bytes: 1 },
      completed_at: '2026-01-02T00:00:00.000Z',
    }));
    await inPieces(small, (piece) => open.insertInto('discovery_sessions').values(piece).execute());

    const reply = await buyer.post('/buyer/discovery/discover-products', {
      discoveryId: again,
      refine: [{ scope: 'request', ask: 'More of it' }],
    });

    expect(reply.body.data).toMatchObject({ discoveryId: again });
    const left = await open
      .selectFrom('discovery_sessions')
      .select('id')
      .where('removed_at', 'is', null)
      .execute();
    expect(left.map(({ id }) => id)).toEqual([again]);
  });

  test('in discovery sessions that collect is refused for a while, with what to do next', async () => {
    server = await startTestServer({
      settings: { DISCOVERY_SESSIONS_OPEN: '2' },
      sellers: {
        getProducts: (_seller, _query, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
        createMediaBuy: () => Promise.reject(new Error('Nobody orders here.')),
        getMediaBuy: () => Promise.reject(new Error('Nobody orders here.')),
        ...unchangingSellers,
      },
    });
    const { storefrontId } = await openStorefront(await newPerson(server));
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const begin = (fields: object = {}) =>
      buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 0, ...fields });

    expect(await atOnce(5, () => begin({ storefrontIds: [storefrontId] }))).toEqual([
      200, 200, 429, 429, 429,
    ]);

    const overMcp = await callTool(server, buyer, {
      name: 'discover_products',
      arguments: { advertiserId, waitSeconds: 0 },
    });
    expect(overMcp.structuredContent).toMatchObject({
      code: 'RATE_LIMITED',
      recovery: 'transient',
      retry_after: expect.any(Number),
    });

    const refused = await begin();
    expectRefusal(refused, 429, {
      code: 'RATE_LIMITED',
      words: 'The account has 2 discovery sessions that still collect, which is the limit.',
      details: { suggestion: expect.stringMatching(/Wait until/) },
    });
  });

  test('in discovery sessions that are kept is refused for good, the last that may be kept not', async () => {
    server = await startTestServer({ settings: { DISCOVERY_SESSIONS_STORED: '3' } });
    const { storefrontId } = await openStorefront(await newPerson(server));
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const sessions = [];
    for (let count = 0; count < 3; count += 1)
      sessions.push((await discover(buyer, advertiserId, [storefrontId])).discoveryId);

    const beyond = await buyer.post('/buyer/discovery/discover-products', { advertiserId });

    expect(beyond.status).toBe(409);
    expect(beyond.body.error).toMatchObject({
      code: 'CONFLICT',
      message: 'The account has 3 discovery sessions, which is the limit.',
      details: {
        suggestion: expect.stringContaining(
          'Continue one of them: give its discoveryId to discover_products.',
        ),
      },
    });
    const again = await buyer.post('/buyer/discovery/discover-products', {
      discoveryId: sessions[0],
      refine: [{ scope: 'request', ask: 'More of it' }],
    });
    expect(again.status).toBe(200);
  });

  test('in choices of a session is refused, and the choice stays as it was', async () => {
    server = await startTestServer({ settings: { DISCOVERY_CHOICES_PER_SESSION: '1' } });
    const { storefrontId, productIds } = await openStorefront(await newPerson(server), {
      products: [productFields(), productFields({ name: 'Evening display' })],
    });
    const buyer = await newPerson(server);
    const { discoveryId } = await discover(buyer, await newAdvertiser(buyer), [storefrontId]);
    const path = `/buyer/discovery/${discoveryId}/products`;

    const both = await buyer.post(path, { products: productIds.map((productId) => ({ productId })) });

    expect(both.status).toBe(409);
    expect(done(await buyer.get(path)).totalProducts).toBe(0);
  });
});

describe('what is kept for long enough', () => {
  let server: TestServer;
  afterEach(() => server.stop());

  const rowsIn = async (
    table: 'discovery_groups' | 'discovery_products' | 'discovery_revisions' | 'audit_logs',
  ) => (await server.store.db.withoutPlugins().selectFrom(table).selectAll().execute()).length;

  test('is forgotten, but for the session that a campaign buys from', async () => {
    server = await startTestServer({ own: true });
    const open = await openStorefront(await newPerson(server));
    const { storefrontId, agentId, productIds } = open;
    const [productId = ''] = productIds;
    const buyer: Person = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    await draftOf(buyer, { advertiserId, storefrontId, agentId, productId });
    const { discoveryId } = await discover(buyer, advertiserId, [storefrontId]);
    expect(await rowsIn('discovery_groups')).toBe(2);
    const { services } = server.running.app;
    const later = (days: number) => {
      const now = services.ports.clock.now() + days * DAY_MS;
      return {
        ...services,
        ports: { ...services.ports, clock: { ...services.ports.clock, now: () => now } },
      };
    };

    await forgetOld(later(29), kept);
    expect((await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`)).status).toBe(200);

    await forgetOld(later(31), kept);
    expect((await buyer.get(`/buyer/discovery/${discoveryId}/browse-products`)).status).toBe(404);
    expect(await rowsIn('discovery_groups')).toBe(2);

    await forgetOld(later(32), kept);
    expect(await rowsIn('discovery_groups')).toBe(1);
    expect(await rowsIn('discovery_products')).toBe(1);
    expect(await rowsIn('audit_logs')).toBeGreaterThan(3);

    await forgetOld(later(731), kept);
    expect(await rowsIn('audit_logs')).toBe(0);
    expect(await rowsIn('discovery_groups')).toBe(1);
  });

  test('is forgotten behind entries of the audit log that a clock ahead of its time has dated', async () => {
    server = await startTestServer({ own: true });
    await newAdvertiser(await newPerson(server));
    const { services } = server.running.app;
    const now = services.ports.clock.now() + 731 * DAY_MS;
    const db = server.store.db.withoutPlugins();
    const { first } = await db
      .selectFrom('audit_logs')
      .select(({ fn }) => fn.min('id').as('first'))
      .executeTakeFirstOrThrow();
    const ahead = new Date(now + DAY_MS).toISOString();
    await db.updateTable('audit_logs').set({ created_at: ahead }).where('id', '=', first).execute();

    const ports = { ...services.ports, clock: { ...services.ports.clock, now: () => now } };
    await forgetOld({ ...services, ports }, kept);

    expect(await db.selectFrom('audit_logs').select('id').execute()).toEqual([{ id: first }]);
  });
});
