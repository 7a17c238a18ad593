import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { subscribe } from '../../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const told = {
  event_type: 'discovery.revision' as const,
  session_id: 'disc_none',
  created_at: '2026-12-01T09:00:00.000Z',
  finished_at: '2026-12-01T09:00:01.000Z',
};

describe('webhook_delivery_list', () => {
  let server: TestServer;
  let buyer: Person;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());

  test('gives what became of each delivery with 200, newest first, a page at a time', async () => {
    const { id } = await subscribe(buyer, 'https://hooks.acme.example/in');
    const ends = [
      { state: 'delivered', outcome: null, http_status: 204, ms: 12, answer: null },
      { state: 'failed', outcome: 'econnrefused', http_status: null, ms: 3, answer: null },
      { state: 'failed', outcome: 'http_503', http_status: 503, ms: 40, answer: 'later' },
      { state: 'skipped', outcome: 'beyond_grants', http_status: null, ms: null, answer: null },
    ] as const;
    for (const [index, end] of ends.entries()) {
      const row = { ...told, ...end, organization_id: buyer.organizationId, subscription_id: id };
      await server.store.db
        .insertInto('webhook_deliveries')
        .values({ ...row, revision: index + 1 })
        .execute();
    }

    const { status, body } = await buyer.get(`/buyer/webhook-subscriptions/${id}/deliveries?take=3`);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ total: 4, hasMore: true, nextOffset: 3 });
    expect(body.data.items).toMatchObject([
      { state: 'skipped', reason: 'beyond_grants', httpStatus: null },
      { state: 'failed', reason: 'http_503', httpStatus: 503, answer: 'later', ms: 40 },
      { state: 'failed', reason: 'connection_refused', event: 'discovery.revision', test: false },
    ]);
    const last = await buyer.get(`/buyer/webhook-subscriptions/${id}/deliveries?limit=3&offset=3`);
    expect(last.body.data).toMatchObject({ total: 4, hasMore: false, nextOffset: null });
    expect(last.body.data.items).toMatchObject([{ state: 'delivered', httpStatus: 204, ms: 12 }]);
    // Stored before deliveries had names: it keeps the number that its receiver was told.
    expect(last.body.data.items[0].id).toMatch(/^\d+$/);
  });

  test('gives those in one state, counted and paged by themselves', async () => {
    const { id } = await subscribe(buyer, 'https://hooks.acme.example/narrowed');
    const other = await subscribe(buyer, 'https://hooks.acme.example/other');
    const states = ['failed', 'delivered', 'failed', 'skipped', 'pending', 'failed'] as const;
    for (const [index, state] of states.entries()) {
      for (const subscription_id of [id, other.id]) {
        const row = { ...told, state, organization_id: buyer.organizationId, subscription_id };
        const isOpen = state === 'pending';
        await server.store.db
          .insertInto('webhook_deliveries')
          .values({ ...row, revision: index + 1, ms: index, ...(isOpen ? { finished_at: null } : {}) })
          .execute();
      }
    }
    const path = `/buyer/webhook-subscriptions/${id}/deliveries`;

    const first = await buyer.get(`${path}?state=failed&take=2`);
    const last = await buyer.get(`${path}?state=failed&take=2&skip=2`);
    const none = await buyer.get(`${path}?state=attempting`);
    const all = await buyer.get(path);

    expect(first.body.meta.pagination).toEqual({ skip: 0, take: 2, total: 3, hasMore: true });
    expect(first.body.data).toMatchObject({ total: 3, hasMore: true, nextOffset: 2 });
    expect(first.body.data.items).toMatchObject([
      { state: 'failed', ms: 5 },
      { state: 'failed', ms: 2 },
    ]);
    expect(last.body.data).toMatchObject({ total: 3, hasMore: false, nextOffset: null });
    expect(last.body.data.items).toMatchObject([{ state: 'failed', ms: 0 }]);
    expect(none.body.data).toMatchObject({ items: [], total: 0, hasMore: false });
    expect(all.body.data.total).toBe(states.length);
  });

  test('says which states there are to whoever names another', async () => {
    const { id } = await subscribe(buyer, 'https://hooks.acme.example/unknown');

    const reply = await buyer.get(`/buyer/webhook-subscriptions/${id}/deliveries?state=lost`);

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { state: /pending.*attempting.*delivered.*failed.*skipped/ },
    });
  });
});
